/// Reserved room at the end of an array, filled by plain copies: growing and counting happen once for all pieces.
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

    /// Reserves the next bytes; traps when there is no room for them.
    @inline(__always)
    private mutating func take(_ count: Int) -> UnsafeMutableRawPointer {
        precondition(count >= 0 && count <= free, "the room is too small")
        free &-= count
        // What was free lies before the memory's end.
        defer { unsafe next += count }
        return unsafe next
    }

    @inline(__always)
    package mutating func copy(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        // As many bytes are there as are copied.
        unsafe take(bytes.count).copyMemory(from: start, byteCount: bytes.count)
    }

    @inline(__always)
    package mutating func copy(_ text: StaticString) {
        // A StaticString's bytes live for ever.
        unsafe copy(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func copy(_ bytes: Span<UInt8>) {
        // The buffer is copied within the call.
        unsafe bytes.withUnsafeBytes { unsafe copy($0) }
    }

    /// A part of an array; traps when it is not within it.
    package mutating func copy(_ range: Range<Int>, of bytes: [UInt8]) {
        // The part is checked to lie within the bytes, which live through the closure.
        unsafe bytes.withUnsafeBytes { unsafe copy(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    @inline(__always)
    package mutating func byte(_ byte: UInt8) {
        // One byte is there.
        unsafe take(1).storeBytes(of: byte, as: UInt8.self)
    }

    /// Copies bytes of UTF-8 up to the first that a JSON string must escape and returns how many; all must fit.
    @inline(__always)
    mutating func copyPlain(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        precondition(bytes.count <= free, "the room is too small")
        // All of the bytes are there, and room for all of them.
        let count = unsafe JSONScanner.plainLength(start, bytes.count, stopsBeyondASCII: false)
        unsafe take(count).copyMemory(from: start, byteCount: count)
        return count
    }

    /// The digits of a number, which is not negative.
    package mutating func digits(of number: Int64) {
        digits(of: number.magnitude)
    }

    @inline(__always)
    mutating func digits(of number: UInt64) {
        if number > 99 {
            manyDigits(of: number)
        } else if number > 9 {
            twoDigits(of: number)
        } else {
            byte(Self.digit(number))
        }
    }

    /// The leading digits by recursion.
    private mutating func manyDigits(of number: UInt64) {
        digits(of: number / 100)
        twoDigits(of: number % 100)
    }

    @inline(__always)
    private mutating func twoDigits(of number: UInt64) {
        let both = UInt16(Self.digit(number / 10)) | UInt16(Self.digit(number % 10)) << 8
        // Room for two bytes, of any alignment, is there.
        unsafe take(2).storeBytes(of: both.littleEndian, as: UInt16.self)
    }

    @inline(__always)
    private static func digit(_ value: UInt64) -> UInt8 {
        UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)
    }
}

extension [UInt8] {
    /// Appends what is written into a room of so many bytes, which need not be filled.
    @inline(__always)
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
