/// How busy a loop has been.
package struct LoopFigures: Equatable, Sendable {
    /// The time its turns took, the waiting left out: for so long an event may have had to wait for the loop.
    package private(set) var turns = LatencyHistogram.ofTurns
    package private(set) var longestTurnNanoseconds: Int64 = 0
    /// The time that single jobs, timers and handlers took: so long nothing else could be served.
    package private(set) var steps = LatencyHistogram.ofTurns
    package private(set) var longestStepNanoseconds: Int64 = 0

    package init() {}

    mutating func turned(busyNanoseconds: Int64) {
        turns.add(nanoseconds: busyNanoseconds)
        longestTurnNanoseconds = max(longestTurnNanoseconds, busyNanoseconds)
    }

    mutating func stepped(nanoseconds: Int64) {
        steps.add(nanoseconds: nanoseconds)
        longestStepNanoseconds = max(longestStepNanoseconds, nanoseconds)
    }
}
