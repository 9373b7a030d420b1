/// Room at the end of an array, filled by plain copies: what an array's own `append` spends on growing and counting at
/// every piece is spent once.
///
/// `@safe`: nothing is written past the memory, which `append(atMost:)` keeps alive while it lends the room.
@safe package struct ByteRoom: ~Copyable {
    /// The digits of the longest number.
    package static let digitsMax = 19

    private var next: UnsafeMutableRawPointer
    fileprivate private(set) var free: Int

    /// The memory must outlive the room.
    fileprivate init(_ memory: UnsafeMutableRawPointer, _ count: Int) {
        unsafe next = memory
        free = count
    }

    /// Takes the place for so many bytes more; traps when there is no room for them.
    private mutating func take(_ count: Int) -> UnsafeMutableRawPointer {
        precondition(count >= 0 && count <= free, "the room is too small")
        free &-= count
        // What was free lies before the memory's end.
        defer { unsafe next += count }
        return unsafe next
    }

    package mutating func copy(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        // As many bytes are there as are copied.
        unsafe take(bytes.count).copyMemory(from: start, byteCount: bytes.count)
    }

    package mutating func copy(_ text: StaticString) {
        // A StaticString's bytes live for ever.
        unsafe copy(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// A part of an array; traps when it is not within it.
    package mutating func copy(_ range: Range<Int>, of bytes: [UInt8]) {
        // The part is checked to lie within the bytes, which live through the closure.
        unsafe bytes.withUnsafeBytes { unsafe copy(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    package mutating func byte(_ byte: UInt8) {
        // The place is there.
        unsafe take(1).storeBytes(of: byte, as: UInt8.self)
    }

    /// The digits of a number, which is not negative.
    package mutating func digits(of number: Int64) {
        if number > 9 { digits(of: number / 10) }
        byte(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
    }
}

extension [UInt8] {
    /// Appends what is written into a room of so many bytes, which need not be filled.
    package mutating func append(atMost count: Int, _ fill: (inout ByteRoom) -> Void) {
        append(addingCapacity: count) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, written in
                guard let start = buffer.baseAddress else { return }
                // The room ends before the buffer does; what it has not left free is written.
                var room = unsafe ByteRoom(UnsafeMutableRawPointer(start + written), count)
                fill(&room)
                written += count - room.free
            }
        }
    }
}
