/// Questions to eight bytes at once, loaded so that the first is the lowest.
enum EightBytes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// A word whose lowest set bit is in the first byte that JSON wants escaped: a quote, a backslash, a control
    /// character; zero when there is none.
    ///
    /// Subtracting borrows only out of a byte that is itself one of these, so what lies below the first one is exact.
    @inline(__always)
    static func escapables(in word: UInt64) -> UInt64 {
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        return controls(in: word) | (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)) & highs
    }

    /// The same for control characters alone.
    @inline(__always)
    static func controls(in word: UInt64) -> UInt64 {
        (word &- ones &* 0x20) & ~word & highs
    }

    /// The same, with bytes that are not ASCII counted in.
    @inline(__always)
    static func escapablesOrNotASCII(in word: UInt64) -> UInt64 {
        escapables(in: word) | word & highs
    }
}
