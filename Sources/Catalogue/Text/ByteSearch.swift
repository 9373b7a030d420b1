import Glibc
import JSON

/// Searches, comparisons and conversions of UTF-8 bytes.
extension Span<UInt8> {
    func index(of byte: UInt8, from start: Int) -> Int {
        guard start < count else { return start }
        // The bytes are valid during the call, and memchr searches only within them.
        return unsafe extracting(start...).withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress else { return count }
            return unsafe memchr(first, Int32(byte), bytes.count).map { unsafe start + (UnsafeRawPointer($0) - first) }
                ?? count
        }
    }

    func index(of byte: UInt8, from start: Int = 0, where isMet: (Int) -> Bool) -> Int? {
        var offset = index(of: byte, from: start)
        while offset < count {
            if isMet(offset) { return offset }
            offset = index(of: byte, from: offset + 1)
        }
        return nil
    }

    func index(of wanted: Span<UInt8>, from start: Int = 0) -> Int? {
        wanted.isEmpty ? nil : index(of: wanted[0], from: start) { holds(wanted, at: $0) }
    }

    func replacing(_ old: Span<UInt8>, with new: Span<UInt8>) -> String {
        var replaced: [UInt8] = []
        var start = 0
        while let end = index(of: old, from: start) {
            replaced.append(extracting(start..<end))
            replaced.append(new)
            start = end + old.count
        }
        replaced.append(extracting(start...))
        return String(validated: replaced.span)
    }

    func begins(with other: Span<UInt8>) -> Bool { holds(other, at: 0) }

    func ends(with other: Span<UInt8>) -> Bool { holds(other, at: count - other.count) }

    /// If `anyCase` is true, `bytes` must be in lower case.
    @inline(__always)
    func holds(_ bytes: Span<UInt8>, at start: Int, anyCase: Bool = false) -> Bool {
        guard start >= 0, bytes.count <= count - start else { return false }
        for offset in bytes.indices {
            // The bytes fit after `start`.
            let byte = unsafe self[unchecked: start + offset]
            guard byte == bytes[offset] || (anyCase && byte.lowered == bytes[offset]) else { return false }
        }
        return true
    }

    func hexPair(at offset: Int) -> UInt8? {
        guard offset + 2 <= count, let high = self[offset].hexValue, let low = self[offset + 1].hexValue else {
            return nil
        }
        return high << 4 | low
    }

    func scalar(at offset: Int) -> (value: UInt32, length: Int) {
        let lead = self[offset]
        guard lead >= 0x80 else { return (UInt32(lead), 1) }
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var value = UInt32(lead) & (0x7F >> UInt32(length))
        for index in offset + 1..<offset + length { value = value << 6 | UInt32(self[index] & 0x3F) }
        return (value, length)
    }

    func scalarCount(in range: Range<Int>) -> Int {
        let bytes = extracting(range)
        var continuations = 0
        for offset in bytes.indices {
            // The offset is within the range. Without branches, the compiler can vectorise the loop.
            let byte = unsafe bytes[unchecked: offset]
            continuations &+= Int((byte >> 7) & ~(byte >> 6))
        }
        return bytes.count - continuations
    }
}

extension [UInt8] {
    mutating func append(_ bytes: Span<UInt8>) {
        // The buffer is copied during the call.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
