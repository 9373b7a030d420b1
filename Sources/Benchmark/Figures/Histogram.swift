/// Counts of durations, in buckets that widen with the value: a percentile is at most 1/128 above the true one.
///
/// Invariant: `count` is the sum of all buckets. Recording is O(1) and never allocates.
struct Histogram: Equatable, Sendable {
    /// The leading bits of a value that choose its bucket.
    private static let precisionBits = 7

    /// Longer durations count as this: 2^40 ns are 18 minutes.
    static let nanosecondsMax: Int64 = 1 << 40

    private var buckets: [UInt64]

    /// How many values were recorded.
    private(set) var count: UInt64 = 0

    init() {
        buckets = Array(repeating: 0, count: Self.bucket(of: Self.nanosecondsMax) + 1)
    }

    /// Counts one duration; a negative one, which only a broken clock makes, counts as zero.
    mutating func record(_ nanoseconds: Int64) {
        buckets[Self.bucket(of: min(max(nanoseconds, 0), Self.nanosecondsMax))] += 1
        count += 1
    }

    /// The smallest duration that at least `fraction` of all values do not exceed, by nearest rank; nil when empty.
    func percentile(_ fraction: Double) -> Int64? {
        guard count > 0 else { return nil }
        let rank = max(1, UInt64((fraction * Double(count)).rounded(.up)))
        var seen: UInt64 = 0
        for index in buckets.indices {
            seen += buckets[index]
            if seen >= rank { return Self.greatest(in: index) }
        }
        return Self.greatest(in: buckets.count - 1)
    }

    /// Values below 2^(precisionBits + 1) have a bucket each; above, every doubling has 2^precisionBits buckets.
    private static func bucket(of nanoseconds: Int64) -> Int {
        let value = UInt64(nanoseconds)
        let shift = max(0, UInt64.bitWidth - value.leadingZeroBitCount - 1 - precisionBits)
        return shift << precisionBits + Int(value >> UInt64(shift))
    }

    private static func greatest(in bucket: Int) -> Int64 {
        let shift = max(0, bucket >> precisionBits - 1)
        let lead = Int64(bucket - shift << precisionBits)
        return min((lead + 1) << Int64(shift) - 1, nanosecondsMax)
    }
}
