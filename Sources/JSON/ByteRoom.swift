/// Reserved space at the end of an array.
///
/// The array grows once for several copies.
///
/// `@safe`: nothing is written past the memory, which `append(atMost:)` keeps alive during the use.
@safe package struct ByteRoom: ~Copyable {
    /// The number of digits of the longest number.
    package static let digitsMax = 19

    private var next: UnsafeMutableRawPointer
    fileprivate private(set) var free: Int

    /// The memory must outlive this object.
    fileprivate init(_ memory: UnsafeMutableRawPointer, _ count: Int) {
        unsafe next = memory
        free = count
    }

    /// Reserves the next bytes; traps if the space is too small.
    @inline(__always)
    private mutating func take(_ count: Int) -> UnsafeMutableRawPointer {
        precondition(count >= 0 && count <= free, "the room is too small")
        free &-= count
        // The free bytes are within the memory.
        defer { unsafe next += count }
        return unsafe next
    }

    @inline(__always)
    package mutating func copy(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        // Both buffers have at least `count` bytes.
        unsafe take(bytes.count).copyMemory(from: start, byteCount: bytes.count)
    }

    @inline(__always)
    package mutating func copy(_ text: StaticString) {
        // The bytes of a StaticString are always valid.
        unsafe copy(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func copy(_ bytes: Span<UInt8>) {
        // The buffer is copied within the call.
        unsafe bytes.withUnsafeBytes { unsafe copy($0) }
    }

    /// Appends a part of an array; traps if the range is not valid.
    package mutating func copy(_ range: Range<Int>, of bytes: [UInt8]) {
        // The range was checked, and the bytes are valid during the closure.
        unsafe bytes.withUnsafeBytes { unsafe copy(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    @inline(__always)
    package mutating func byte(_ byte: UInt8) {
        // One byte is reserved.
        unsafe take(1).storeBytes(of: byte, as: UInt8.self)
    }

    /// Copies UTF-8 bytes up to the first that a JSON string must escape, and returns their number; all must fit.
    @inline(__always)
    mutating func copyPlain(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        precondition(bytes.count <= free, "the room is too small")
        // All bytes are readable, and there is space for all of them.
        let count = unsafe JSONScanner.plainLength(start, bytes.count, stopsBeyondASCII: false)
        unsafe take(count).copyMemory(from: start, byteCount: count)
        return count
    }

    /// Appends the digits of a number, which must not be negative.
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

    /// The leading digits, recursively.
    private mutating func manyDigits(of number: UInt64) {
        digits(of: number / 100)
        twoDigits(of: number % 100)
    }

    @inline(__always)
    private mutating func twoDigits(of number: UInt64) {
        let both = UInt16(Self.digit(number / 10)) | UInt16(Self.digit(number % 10)) << 8
        // Two bytes are reserved; the store needs no alignment.
        unsafe take(2).storeBytes(of: both.littleEndian, as: UInt16.self)
    }

    @inline(__always)
    private static func digit(_ value: UInt64) -> UInt8 {
        UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)
    }
}

extension [UInt8] {
    /// Appends up to `count` bytes that `body` writes.
    @inline(__always)
    package mutating func append(atMost count: Int, _ fill: (inout ByteRoom) -> Void) {
        append(addingCapacity: count) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, written in
                guard let start = buffer.baseAddress else { return }
                // The space is within the buffer; the used part is initialised.
                var room = unsafe ByteRoom(UnsafeMutableRawPointer(start + written), count)
                fill(&room)
                written += count - room.free
            }
        }
    }
}
