import Catalogue
import EventLoop
import SearchModel
import Upstream

/// Reads configuration, sources and keys again, and applies all of them or nothing; on the loop.
final class Reloader: Sendable {
    private struct State {
        var loaded: ConfigurationLoader.Loaded
        var refusedAt: Int64?
    }

    private static let kept = "The previous configuration stays in effect."

    private let loader: ConfigurationLoader
    private let log: Log
    private let notice: ServiceNotice
    private let wallClock: @Sendable () -> Int64
    private let apply: @Sendable (_ after: ConfigurationLoader.Loaded, _ before: ConfigurationLoader.Loaded) -> Void
    private let state: Locked<State>

    /// - Parameters:
    ///   - loader: Reads the files.
    ///   - loaded: The settings in effect.
    ///   - log: Gets a line for each reload.
    ///   - notice: Informs the service manager.
    ///   - wallClock: Seconds since 1970.
    ///   - apply: Puts new settings into effect.
    init(
        _ loader: ConfigurationLoader,
        loaded: ConfigurationLoader.Loaded,
        log: Log,
        notice: ServiceNotice,
        wallClock: @escaping @Sendable () -> Int64,
        apply: @escaping @Sendable (ConfigurationLoader.Loaded, ConfigurationLoader.Loaded) -> Void
    ) {
        self.loader = loader
        self.log = log
        self.notice = notice
        self.wallClock = wallClock
        self.apply = apply
        state = Locked(State(loaded: loaded))
    }

    /// When the files were last refused, in seconds since 1970; nil after a successful reload.
    var refusedAt: Int64? { state.withLock { $0.refusedAt } }

    /// Returns what changed.
    ///
    /// - Throws: `invalidParams` with file, line and key if anything is wrong; then nothing changes.
    func reload() throws(SearchError) -> ReloadReport {
        notice.reloading()
        defer { notice.readyAgain() }
        let before = state.withLock { $0.loaded }
        let after = loader.inspect()
        if let error = Self.refusal(after.problems) {
            state.withLock { $0.refusedAt = wallClock() }
            log.changed(StateChange(.reload, "nothing is reloaded: \(error.message)", isTrouble: true))
            throw error
        }
        let report = ReloadReport(from: before, to: after)
        apply(after, before)
        state.withLock { $0 = State(loaded: after) }
        log.changed(StateChange(.reload, report.line, isTrouble: !report.needsRestart.isEmpty))
        return report
    }

    private static func refusal(_ problems: [CatalogueError]) -> SearchError? {
        guard let first = problems.first else { return nil }
        let count = problems.count
        let hint = count == 1 ? "Fix it and reload again." : "“searchd --check” lists all \(count) problems."
        var error = SearchError(.invalidParams, first.description, retryable: false, hint: "\(hint) \(kept)")
        error.location = FileLocation(
            file: first.file,
            line: first.line == 0 ? nil : first.line,
            key: first.key.isEmpty ? nil : first.key
        )
        return error
    }
}
