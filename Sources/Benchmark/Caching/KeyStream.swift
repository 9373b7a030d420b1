import Glibc

/// A stream of requests as a cache sees it: numbers of keys, drawn by Zipf's law, among them keys that come once.
struct KeyStream {
    /// How the stream is made.
    struct Plan: Sendable {
        /// How fast popularity falls: the key of rank r is requested in proportion to 1/r^exponent.
        let exponent: Double
        /// Keys that Zipf's law is about.
        let popularKeys: Int
        /// Requests for a key that never comes again, of all.
        let oneOffShare: Double
        let requests: Int
        let seed: UInt64
    }

    let keys: [Int]
    /// Different keys among them.
    let distinct: Int

    init(keys: [Int]) {
        self.keys = keys
        distinct = Set(keys).count
    }

    init(_ plan: Plan) {
        var sums: [Double] = []
        sums.reserveCapacity(plan.popularKeys)
        var sum = 0.0
        for rank in 1...plan.popularKeys {
            sum += pow(Double(rank), -plan.exponent)
            sums.append(sum)
        }
        var numbers = SeededNumbers(seed: plan.seed)
        var fresh = plan.popularKeys
        var seen = [Bool](repeating: false, count: plan.popularKeys)
        keys = (0..<plan.requests).map { _ in
            guard numbers.unit() >= plan.oneOffShare else {
                fresh += 1
                return fresh - 1
            }
            let key = Self.firstIndex(in: sums, notBelow: numbers.unit() * sum)
            seen[key] = true
            return key
        }
        distinct = fresh - plan.popularKeys + seen.count { $0 }
    }

    private static func firstIndex(in sums: [Double], notBelow value: Double) -> Int {
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Numbers that are the same in every run: a multiplicative generator, whose upper half is used.
struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed | 1
    }

    /// At least 0, less than 1.
    mutating func unit() -> Double {
        state &*= 0xDA94_2042_E4DD_58B5
        return Double(state >> 33) / Double(1 << 31)
    }
}
