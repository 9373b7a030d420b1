/// How busy a loop has been.
package struct LoopFigures: Equatable, Sendable {
    /// The time its turns took, the waiting left out: for so long an event may have had to wait for the loop.
    package private(set) var turns = LatencyHistogram.ofTurns
    package private(set) var longestTurnNanoseconds: Int64 = 0

    package init() {}

    mutating func turned(busyNanoseconds: Int64) {
        turns.add(nanoseconds: busyNanoseconds)
        longestTurnNanoseconds = max(longestTurnNanoseconds, busyNanoseconds)
    }
}
