import Glibc

/// The searches that framing and checking need.
extension Span<UInt8> {
    /// Where the first LF is.
    func firstLineFeed() -> Int? {
        // The pointers don't leave this closure, and memchr stays within the count.
        unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = unsafe memchr(base, 10, bytes.count) else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }

    /// Whether `needle` occurs anywhere; quick when it occurs early.
    func contains(_ needle: [UInt8]) -> Bool {
        guard let lead = needle.first else { return true }
        var start = 0
        while start + needle.count <= count {
            if self[start] == lead, extracting(droppingFirst: start).starts(with: needle) { return true }
            start += 1
        }
        return false
    }

    func starts(with prefix: [UInt8]) -> Bool {
        guard count >= prefix.count else { return false }
        for index in prefix.indices where self[index] != prefix[index] { return false }
        return true
    }

    /// The number whose digits begin at `start`, and where they end; nil when there is none, or it is too long.
    func decimal(at start: Int) -> (value: Int, end: Int)? {
        let digitsMax = 18
        var value = 0
        var index = start
        while index < count, index - start < digitsMax {
            let digit = self[index] &- UInt8(ascii: "0")
            if digit > 9 { break }
            value = value * 10 + Int(digit)
            index += 1
        }
        return index > start ? (value, index) : nil
    }
}
