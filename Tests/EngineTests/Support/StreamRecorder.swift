import Engine
import EventLoop
import SearchModel
import SearchTestSupport

/// Records what a search reports while it runs.
final class StreamRecorder: SearchObserver {
    struct Notification: Sendable {
        let at: Instant
        let source: SourceName
        let hits: [String]?
        var notice: WaitNotice?
    }

    private let loop: EventLoop
    private let events = Locked<[Notification]>([])
    private let counts = Locked<[Int]>([])

    init(on loop: EventLoop) {
        self.loop = loop
    }

    var notifications: [Notification] { events.withLock { $0 } }
    var hits: [String] { notifications.flatMap { $0.hits ?? [] } }
    var reports: [SourceName] { notifications.filter { $0.hits == nil && $0.notice == nil }.map(\.source) }
    var notices: [WaitNotice] { notifications.compactMap(\.notice) }

    var answered: [Int] { counts.withLock { $0 } }

    func progress(answered: Int, asked: Int, waitingFor out: [SourceName]) async {
        counts.withLock { $0.append(answered) }
    }

    func hits(_ hits: [HitPosition], from source: SourceName) async {
        let now = loop.now
        events.withLock { $0.append(Notification(at: now, source: source, hits: hits.ids)) }
    }

    func waiting(_ notice: WaitNotice, on source: SourceName) async {
        let now = loop.now
        events.withLock { $0.append(Notification(at: now, source: source, hits: nil, notice: notice)) }
    }

    func source(_ report: SourceReport) async {
        let now = loop.now
        events.withLock { $0.append(Notification(at: now, source: report.source, hits: nil)) }
    }
}
