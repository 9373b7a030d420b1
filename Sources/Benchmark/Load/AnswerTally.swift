/// Splits the input into answers, checks and counts them.
///
/// Pure: without sockets and clocks.
struct AnswerTally {
    let traffic: Traffic
    /// Requests without an answer, on all connections.
    private(set) var waiting = 0
    private(set) var right = 0
    private(set) var wrong = 0
    /// The beginning of the first wrong answer.
    private(set) var firstWrong: String?
    private(set) var latencies = Histogram()
    /// When the first answers arrived, and the last so far; nil before any.
    private(set) var arrivals: ClosedRange<Int64>?

    init(_ traffic: Traffic) {
        self.traffic = traffic
    }

    /// Counts requests that were sent.
    mutating func sent(_ requests: Int) {
        waiting += requests
    }

    /// Resets the counts of right answers and their latencies, but not those of wrong ones.
    mutating func restart() {
        right = 0
        latencies = Histogram()
    }

    /// Takes the whole answers at the beginning of `bytes`, which arrived at `now` for a batch.
    ///
    /// - Returns: How many bytes they are; what follows is the beginning of another.
    mutating func take(_ bytes: Span<UInt8>, for batch: inout Batch, now: Int64) throws(BenchmarkError) -> Int {
        var offset = 0
        defer { if offset > 0 { arrivals = (arrivals?.lowerBound ?? now)...now } }
        while offset < bytes.count {
            let rest = bytes.extracting(droppingFirst: offset)
            switch traffic.framing.first(in: rest) {
            case .incomplete:
                return offset
            case .broken:
                throw BenchmarkError(.answer, "an answer without form or end: \(Self.excerpt(rest))")
            case .wrong(let length):
                refuse(rest.extracting(first: length))
                // Without an id it is not known which request it answers; the oldest stops waiting.
                if batch.answered(id: nil) != nil { waiting -= 1 }
                offset += length
            case .answer(let length, let id):
                count(rest.extracting(first: length), request: batch.answered(id: id), latency: now - batch.sentAt)
                offset += length
            }
        }
        return offset
    }

    /// `request` is nil for an answer to no request.
    private mutating func count(_ frame: Span<UInt8>, request: Int?, latency: Int64) {
        if request != nil { waiting -= 1 }
        if let request, traffic.isRight(frame, id: request) {
            right += 1
            latencies.record(latency)
        } else {
            refuse(frame)
        }
    }

    private mutating func refuse(_ frame: Span<UInt8>) {
        wrong += 1
        if firstWrong == nil { firstWrong = Self.excerpt(frame) }
    }

    private static func excerpt(_ bytes: Span<UInt8>) -> String {
        let shown = bytes.extracting(first: 200)
        return String(decoding: shown.indices.map { shown[$0] }, as: UTF8.self)
    }
}
