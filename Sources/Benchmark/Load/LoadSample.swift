/// The result of one measurement of one peer.
struct LoadSample: Sendable {
    /// Right answers while it was measured.
    var answers = 0
    /// Answers that were errors, of the wrong length, or to another request.
    var wrong = 0
    /// The beginning of the first wrong one.
    var firstWrong: String?
    /// How long it was measured, in nanoseconds.
    var elapsed: Int64 = 0
    /// From sending a batch to the arrival of each of its answers.
    var latencies = Histogram()
    /// Processor time of the peer while it was measured, in nanoseconds.
    var serverTime: Int64 = 0
    /// The part of it that one of the peer's threads took, if the load was to measure it.
    var threadTime: Int64 = 0
    /// Processor time of this program meanwhile.
    var generatorTime: Int64 = 0
    /// Resident memory of the peer afterwards.
    var residentBytes = 0

    var answersPerSecond: Double { Double(answers) * 1e9 / Double(max(elapsed, 1)) }

    /// Processor time of the peer for one answer, in nanoseconds.
    var serverTimePerAnswer: Double { Double(serverTime) / Double(max(answers, 1)) }

    /// The thread's part of that.
    var threadTimePerAnswer: Double { Double(threadTime) / Double(max(answers, 1)) }

    /// The share of its processor that the peer used.
    var serverLoad: Double { Double(serverTime) / Double(max(elapsed, 1)) }

    /// The share of its processor that this program used: near 1, the generator was the bottleneck.
    var generatorLoad: Double { Double(generatorTime) / Double(max(elapsed, 1)) }

    func percentile(_ fraction: Double) -> Double { Double(latencies.percentile(fraction) ?? 0) }
}

/// When the answers to a burst of requests arrived, in nanoseconds from the first request.
struct BurstSample: Sendable {
    var first: Int64 = 0
    var last: Int64 = 0
    /// Answers that were errors or to another request.
    var wrong = 0
    /// The beginning of the first wrong one.
    var firstWrong: String?

    var spread: Int64 { last - first }
}
