import Engine
import EventLoop
import SearchModel
import Upstream

/// Reads configuration, sources and keys again, and puts all of them in force, or nothing.
///
/// On the loop, whose turn it takes: the files are small.
final class Reloader: Sendable {
    private let loader: ConfigurationLoader
    private let log: Log
    private let notice: ServiceNotice
    private let loaded: Locked<ConfigurationLoader.Loaded>
    private let refused = Locked<Int64?>(nil)
    private let wallClock: @Sendable () -> Int64
    private let apply: @Sendable (ConfigurationLoader.Loaded, ReloadComparison) -> Void

    /// - Parameters:
    ///   - loader: Reads the files.
    ///   - loaded: What is in force.
    ///   - log: Gets a line, whatever comes of it.
    ///   - notice: Tells the service manager.
    ///   - wallClock: Seconds since 1970.
    ///   - apply: Puts what was read in force; can't fail.
    init(
        _ loader: ConfigurationLoader,
        loaded: ConfigurationLoader.Loaded,
        log: Log,
        notice: ServiceNotice,
        wallClock: @escaping @Sendable () -> Int64,
        apply: @escaping @Sendable (ConfigurationLoader.Loaded, ReloadComparison) -> Void
    ) {
        self.loader = loader
        self.loaded = Locked(loaded)
        self.log = log
        self.notice = notice
        self.wallClock = wallClock
        self.apply = apply
    }

    /// When the files were last refused, in seconds since 1970; nil when what is in force was read after that.
    var refusedAt: Int64? { refused.withLock { $0 } }

    /// What has changed.
    ///
    /// - Throws: `invalidParams`, with file, line and key, when anything at all is wrong; then everything is as it was.
    func reload() throws(SearchError) -> ReloadReport {
        notice.reloading()
        defer { notice.readyAgain() }
        let before = loaded.withLock { $0 }
        let after: ConfigurationLoader.Loaded
        do throws(SearchError) {
            after = try read()
        } catch {
            refused.withLock { $0 = wallClock() }
            log.changed(StateChange(.reload, "nothing is reloaded: \(error.message)", isTrouble: true))
            throw error
        }
        let comparison = ReloadComparison(before: before, after: after)
        let report = comparison.report
        apply(after, comparison)
        refused.withLock { $0 = nil }
        loaded.withLock { $0 = after }
        log.changed(StateChange(.reload, report.line, isTrouble: !report.needsRestart.isEmpty))
        return report
    }

    private func read() throws(SearchError) -> ConfigurationLoader.Loaded {
        let after: ConfigurationLoader.Loaded
        do throws(StartError) {
            after = try loader.load()
        } catch {
            throw Self.refusal(error.message, hint: "\(error.hint) \(Self.stays)", at: error.location)
        }
        guard let first = after.problems.first else { return after }
        let count = after.problems.count
        let hint = count == 1 ? "Fix it and reload again." : "“searchd --check” lists all \(count) problems."
        throw Self.refusal(first.description, hint: "\(hint) \(Self.stays)", at: first.location)
    }

    private static let stays = "The previous configuration stays in effect."

    private static func refusal(_ message: String, hint: String, at location: FileLocation?) -> SearchError {
        var error = SearchError(.invalidParams, message, retryable: false, hint: hint)
        error.location = location
        return error
    }
}
