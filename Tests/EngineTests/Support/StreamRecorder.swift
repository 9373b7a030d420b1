import Engine
import EventLoop
import SearchModel

/// What a stream is told, in order.
final class StreamRecorder: SearchObserver {
    struct Told: Sendable {
        let at: Instant
        let source: SourceName
        /// Nil for a source's report.
        let hits: [String]?
    }

    private let loop: EventLoop
    private let events = Locked<[Told]>([])

    init(on loop: EventLoop) {
        self.loop = loop
    }

    var told: [Told] { events.withLock { $0 } }
    /// The ids of all hits, as often as they were told.
    var hits: [String] { told.flatMap { $0.hits ?? [] } }
    var reports: [SourceName] { told.filter { $0.hits == nil }.map(\.source) }

    func hits(_ hits: [HitPlace], from source: SourceName) async {
        let now = loop.now
        events.withLock { $0.append(Told(at: now, source: source, hits: hits.ids)) }
    }

    func source(_ report: SourceReport) async {
        let now = loop.now
        events.withLock { $0.append(Told(at: now, source: report.source, hits: nil)) }
    }
}
