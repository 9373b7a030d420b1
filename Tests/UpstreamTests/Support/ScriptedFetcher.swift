import EventLoop
import SearchModel
import Upstream

/// Sources that answer as a script says, each call over virtual time.
final class ScriptedFetcher: PageFetcher {
    struct Answer: Sendable {
        var beforeSending: Duration = .zero
        /// What happens on the way, each so long before the next, or before it is sent.
        var events: [(event: CallEvent, pause: Duration)] = []
        var afterSending: Duration = .milliseconds(50)
        var outcome: Result<Page, SearchError>
        /// Whether it fails before the request goes out.
        var isRefusedUnsent = false

        static func page(_ page: Page, after delay: Duration = .milliseconds(50)) -> Answer {
            Answer(afterSending: delay, outcome: .success(page))
        }

        static func failure(_ kind: SearchError.Kind, after delay: Duration = .milliseconds(50)) -> Answer {
            Answer(afterSending: delay, outcome: .failure(SearchError(kind, "the script says so")))
        }
    }

    struct Log: Sendable {
        /// Every call that was begun.
        var begun: [PageKey] = []
        /// Those that went out.
        var sent: [PageKey] = []
        /// Those that came to their end.
        var finished: [PageKey] = []
    }

    private let loop: EventLoop
    private let script: @Sendable (PageKey, _ call: Int) -> Answer
    private let log = Locked(Log())

    /// - Parameters:
    ///   - loop: Where it lives.
    ///   - script: The answer to a page, given how many calls came before.
    init(on loop: EventLoop, script: @escaping @Sendable (PageKey, _ call: Int) -> Answer) {
        self.loop = loop
        self.script = script
    }

    var calls: Log { log.withLock { $0 } }

    func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page {
        let number = log.withLock { log in
            log.begun.append(key)
            return log.begun.count - 1
        }
        let answer = script(key, number)
        for (event, pause) in answer.events {
            report(event)
            try await wait(pause)
        }
        try await wait(answer.beforeSending)
        if answer.isRefusedUnsent { return try answer.outcome.get() }
        report(.sent)
        log.withLock { $0.sent.append(key) }
        try await wait(answer.afterSending)
        log.withLock { $0.finished.append(key) }
        if case .success(let page) = answer.outcome {
            report(.answered(status: 200, bytes: 100 * page.hits.count, elapsed: answer.afterSending))
        }
        return try answer.outcome.get()
    }

    private func wait(_ duration: Duration) async throws(SearchError) {
        do {
            try await loop.sleep(until: loop.now.advanced(by: duration))
        } catch {
            throw SearchError(.cancelled, "the call's task was cancelled")
        }
    }
}
