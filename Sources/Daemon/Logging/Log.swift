import Catalogue
import Engine
import EventLoop
import SearchModel
import Upstream

/// The daemon's log; thread-safe.
///
/// Masks keys. Contains queries only at the level `debug`.
final class Log: Sendable {
    private struct Settings {
        var level: LogLevel
        var slowRequest: Duration?
        var redactor = Redactor([])
    }

    private let settings: Locked<Settings>
    private let sink: any LogSink

    init(level: LogLevel = .info, slowRequest: Duration? = nil, sink: any LogSink = StandardErrorSink()) {
        settings = Locked(Settings(level: level, slowRequest: slowRequest))
        self.sink = sink
    }

    func change(level: LogLevel, slowRequest: Duration?, secrets: [Secret]) {
        settings.withLock { $0 = Settings(level: level, slowRequest: slowRequest, redactor: Redactor(secrets)) }
    }

    func error(_ message: @autoclosure () -> String, _ fields: LogRecord.Field...) { write(.error, message, fields) }
    func warning(_ message: @autoclosure () -> String, _ fields: LogRecord.Field...) {
        write(.warning, message, fields)
    }
    func notice(_ message: @autoclosure () -> String, _ fields: LogRecord.Field...) { write(.notice, message, fields) }
    func info(_ message: @autoclosure () -> String, _ fields: LogRecord.Field...) { write(.info, message, fields) }
    func debug(_ message: @autoclosure () -> String, _ fields: LogRecord.Field...) { write(.debug, message, fields) }

    func changed(_ change: StateChange) {
        var fields = [LogRecord.Field("change", change.subject.rawValue)]
        if let source = change.source { fields.append(LogRecord.Field("source", source.text)) }
        write(change.isTrouble ? .warning : .notice, { change.message }, fields)
    }

    func searching(_ request: SearchRequest) {
        guard isWritten(.debug), !request.isPrivate else { return }
        let sources = request.sources.map(\.name.text).joined(separator: ",")
        debug("search for \(request.query.text)", LogRecord.Field("sources", sources))
    }

    /// Logs a slow request, but not its parameters, because they may be private.
    func answered(_ method: String, of peer: Peer, error: String?, after elapsed: Duration) {
        guard let limit = settings.withLock({ $0.slowRequest }), elapsed >= limit else { return }
        let milliseconds = Int(elapsed.milliseconds)
        info(
            "\(method) of user \(peer.userID) took \(milliseconds) ms",
            LogRecord.Field("method", method),
            LogRecord.Field("elapsedMilliseconds", milliseconds),
            LogRecord.Field("user", peer.userID),
            LogRecord.Field("process", peer.processID),
            LogRecord.Field("outcome", error ?? "ok")
        )
    }

    func isWritten(_ level: LogLevel) -> Bool { settings.withLock { level <= $0.level } }

    private func write(_ level: LogLevel, _ message: () -> String, _ fields: [LogRecord.Field]) {
        let settings = settings.withLock { $0 }
        guard level <= settings.level else { return }
        let redactor = settings.redactor
        sink.write(
            LogRecord(
                level,
                redactor.redacted(message()),
                fields.map { LogRecord.Field($0.name, redactor.redacted($0.value)) }
            )
        )
    }
}

extension Log {
    func follow(_ configuration: Configuration, _ options: CommandLineOptions, secrets: [Secret]) {
        change(
            level: options.logLevel ?? configuration.logLevel ?? .info,
            slowRequest: configuration.slowRequest,
            secrets: secrets
        )
    }
}

extension SourceRegistry {
    var secrets: [Secret] {
        all.flatMap { $0.access.secrets.values }
    }
}
