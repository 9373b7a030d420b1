/// Reserved room at the end of an array: growing and counting happen once for all pieces that are written into it.
package typealias ByteRoom = OutputSpan<UInt8>

extension OutputSpan<UInt8> {
    /// The digits of the longest number.
    package static var digitsMax: Int { 19 }

    /// Appends bytes; traps when there is no room for them.
    @inline(__always)
    package mutating func copy(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= freeCapacity, "the room is too small")
        guard let start = bytes.baseAddress else { return }
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            // There is room for the bytes behind the count.
            if let room = buffer.baseAddress {
                unsafe UnsafeMutableRawPointer(room + count).copyMemory(from: start, byteCount: bytes.count)
            }
            count += bytes.count
        }
    }

    @inline(__always)
    package mutating func copy(_ text: StaticString) {
        // The bytes of a StaticString are always valid.
        unsafe copy(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a part of an array; traps if the range is not valid.
    package mutating func copy(_ range: Range<Int>, of bytes: [UInt8]) {
        // The range was checked, and the bytes are valid during the closure.
        unsafe bytes.withUnsafeBytes { unsafe copy(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    @inline(__always)
    package mutating func byte(_ byte: UInt8) {
        append(byte)
    }

    /// Copies bytes of UTF-8 up to the first that a JSON string must escape and returns how many.
    @inline(__always)
    mutating func copyPlain(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        // As many bytes are there, and the plain ones are the first of them.
        let count = unsafe JSONScanner.plainLength(start, bytes.count, stopsBeyondASCII: false)
        unsafe copy(UnsafeRawBufferPointer(start: start, count: count))
        return count
    }

    /// Appends the digits of a number, which must not be negative.
    package mutating func digits(of number: Int64) {
        digits(of: number.magnitude)
    }

    /// The leading digits are written by recursion.
    mutating func digits(of number: UInt64) {
        if number > 9 { digits(of: number / 10) }
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
    }
}

extension [UInt8] {
    /// Appends up to `count` bytes that `body` writes.
    @inline(__always)
    package mutating func append(atMost count: Int, _ fill: (inout ByteRoom) -> Void) {
        append(addingCapacity: count, initializingWith: fill)
    }
}
