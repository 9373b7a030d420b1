import EventLoop
import SearchModel

/// When the sources of items that are to be looked up again are asked: one item of a source at a time; pure.
struct RefreshPlan: Sendable {
    /// The outcome of looking up an item.
    enum Outcome: Equatable, Sendable {
        case done
        /// The source can't be asked now; perhaps it says when it can.
        case refused(retryAfter: Duration?)
        /// Nothing is queued any more.
        case empty
    }

    /// After a failure of the source; it doubles with each in a row.
    static let failureWaitMin = Duration.seconds(5)
    /// A source may be available sooner: after a reload, or when the network is back.
    static let waitMax = Duration.seconds(600)
    static let waitMin = Duration.milliseconds(20)

    private struct Line {
        var notBefore: Instant
        var isRunning = false
        var failures = 0
        /// Whether something was queued while it ran, so that it is not over when nothing was left.
        var hasMore = false
    }

    private var lines: [SourceName: Line] = [:]

    var isRunning: Bool { lines.values.contains(where: \.isRunning) }

    /// When `due` may have something; nil when nothing waits for the time.
    var wakeAt: Instant? { lines.values.filter { !$0.isRunning }.map(\.notBefore).min() }

    /// Queues items of these sources; sources that wait after a failure are tried at once.
    mutating func queued(_ sources: some Sequence<SourceName>, at now: Instant) {
        for source in sources {
            if lines[source]?.isRunning == true {
                lines[source]?.hasMore = true
            } else {
                lines[source] = Line(notBefore: now)
            }
        }
    }

    /// The sources to ask now; each of them is under way from here on, unless it has nothing to spare.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - spareWait: How long to wait until a source has a call to spare; nil when it has now.
    /// - Returns: In the order of their names; `ended` must follow for each.
    mutating func due(at now: Instant, spareWait: (SourceName) -> Duration?) -> [SourceName] {
        var due: [SourceName] = []
        for source in lines.keys.sorted() {
            guard let line = lines[source], !line.isRunning, line.notBefore <= now else { continue }
            if let wait = spareWait(source) {
                lines[source]?.notBefore = now.advanced(by: Self.bounded(wait))
            } else {
                lines[source]?.isRunning = true
                due.append(source)
            }
        }
        return due
    }

    mutating func ended(_ source: SourceName, _ outcome: Outcome, at now: Instant) {
        guard var line = lines[source], line.isRunning else { return }
        line.isRunning = false
        switch outcome {
        case .done: (line.failures, line.notBefore) = (0, now)
        case .refused(let retryAfter):
            let doubled = Self.failureWaitMin * (1 << min(line.failures, 10))
            line.failures += 1
            line.notBefore = now.advanced(by: Self.bounded(max(retryAfter ?? .zero, doubled)))
        case .empty:
            guard line.hasMore else { return lines[source] = nil }
            line.notBefore = now
        }
        line.hasMore = false
        lines[source] = line
    }

    private static func bounded(_ wait: Duration) -> Duration { min(max(wait, waitMin), waitMax) }
}
