/// A histogram of durations.
///
/// The last element of `counts` is the number of durations above the last bound.
package struct LatencyHistogram: Equatable, Sendable {
    /// In nanoseconds, in ascending order.
    package let bounds: [Int64]
    package private(set) var counts: [Int]
    package private(set) var sumNanoseconds: Int64 = 0

    package init(bounds: [Duration]) {
        self.bounds = bounds.map(\.saturatingNanoseconds)
        assert(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 })
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    package static let ofCalls = LatencyHistogram(
        bounds: [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000].map { .milliseconds($0) }
    )

    package static let ofTurns = LatencyHistogram(
        bounds: [100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000]
            .map { .microseconds($0) }
    )

    package var cumulative: [(bound: Int64, count: Int)] {
        var sum = 0
        return zip(bounds, counts).map { bound, count in
            sum += count
            return (bound, sum)
        }
    }

    package var count: Int { counts.reduce(0, +) }

    package mutating func add(nanoseconds: Int64) {
        counts[bounds.firstIndex { nanoseconds <= $0 } ?? bounds.count] += 1
        sumNanoseconds += nanoseconds
    }
}

package struct LoopFigures: Equatable, Sendable {
    package private(set) var turns = LatencyHistogram.ofTurns
    package private(set) var longestTurnNanoseconds: Int64 = 0

    package init() {}

    mutating func recordTurn(nanoseconds: Int64) {
        turns.add(nanoseconds: nanoseconds)
        longestTurnNanoseconds = max(longestTurnNanoseconds, nanoseconds)
    }
}
