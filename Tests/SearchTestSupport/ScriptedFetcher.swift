package import EventLoop
package import SearchModel
package import Upstream

/// Mock sources with scripted answers.
///
/// Calls take the time that the script says, on the clock of the loop.
package final class ScriptedFetcher: PageFetcher {
    package struct Answer: Sendable {
        package var beforeSending: Duration = .zero
        package var events: [(event: CallEvent, pause: Duration)] = []
        package var afterSending: Duration = .milliseconds(50)
        package var outcome: Result<Page, SearchError>
        package var isRefusedUnsent = false

        package init(
            beforeSending: Duration = .zero,
            events: [(event: CallEvent, pause: Duration)] = [],
            afterSending: Duration = .milliseconds(50),
            outcome: Result<Page, SearchError>
        ) {
            self.beforeSending = beforeSending
            self.events = events
            self.afterSending = afterSending
            self.outcome = outcome
        }

        package static func page(_ page: Page, after delay: Duration = .milliseconds(50)) -> Answer {
            Answer(afterSending: delay, outcome: .success(page))
        }

        package static func failure(_ kind: SearchError.Kind, after delay: Duration = .milliseconds(50)) -> Answer {
            Answer(afterSending: delay, outcome: .failure(SearchError(kind, "the script says so")))
        }
    }

    package struct Log: Sendable {
        package var begun: [PageKey] = []
        package var sent: [PageKey] = []
        package var demands: [CallDemand] = []
        package var finished: [PageKey] = []
    }

    private let loop: EventLoop
    private let script: @Sendable (PageKey, _ call: Int) -> Answer
    private let log = Locked(Log())

    /// `call` is the number of earlier calls.
    package init(on loop: EventLoop, script: @escaping @Sendable (PageKey, _ call: Int) -> Answer) {
        self.loop = loop
        self.script = script
    }

    package var calls: Log { log.withLock { $0 } }

    package func fetch(
        _ key: PageKey,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Page {
        let number = log.withLock { log in
            log.begun.append(key)
            log.demands.append(demand)
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
