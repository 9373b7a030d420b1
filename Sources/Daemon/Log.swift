import CPlatform
import Glibc

/// Log lines on standard error, with the level's number in front as systemd reads it.
///
/// Never pass a query, a key or anything else that a client sent.
struct Log: Sendable {
    enum Level: Int, Comparable, Sendable {
        case error = 3
        case warning = 4
        case info = 6
        case debug = 7

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    let level: Level
    /// Whether standard error goes to a journal, which puts time and program there itself.
    let isJournal: Bool

    init(level: Level = .info) {
        self.level = level
        isJournal = unsafe getenv("JOURNAL_STREAM") != nil
    }

    func error(_ message: @autoclosure () -> String) { write(.error, message) }
    func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    func info(_ message: @autoclosure () -> String) { write(.info, message) }
    func debug(_ message: @autoclosure () -> String) { write(.debug, message) }

    private func write(_ level: Level, _ message: () -> String) {
        guard level <= self.level else { return }
        let line = isJournal ? "<\(level.rawValue)>\(message())\n" : "searchd: \(level): \(message())\n"
        // One write a line, so that lines of several threads do not mix; a lost log line is no reason to fail.
        var text = line
        _ = text.withUTF8 { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
