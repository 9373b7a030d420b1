import CPlatform
import Glibc

/// Writes log lines; thread-safe.
///
/// A line that cannot be written is lost.
protocol LogSink: Sendable {
    func write(_ record: LogRecord)
}

struct StandardErrorSink: LogSink {
    let isJournal: Bool

    init(_ surroundings: ProcessEnvironment? = nil) {
        var status = stat()
        // The kernel fills the variable during the call.
        let isOpen = unsafe fstat(STDERR_FILENO, &status) == 0
        isJournal = isOpen && surroundings?.variable("JOURNAL_STREAM") == "\(status.st_dev):\(status.st_ino)"
    }

    func write(_ record: LogRecord) {
        let milliseconds = platform_realtime_ns() / 1_000_000
        var text = isJournal ? LogLine.prefixed(record) : LogLine.text(record, milliseconds: milliseconds)
        // One call writes the line, so lines of several threads do not mix. The text is valid during the call.
        _ = text.withUTF8 { bytes in
            // With MSG_DONTWAIT, a slow journal cannot block the daemon.
            let sent = unsafe send(STDERR_FILENO, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            if sent >= 0 || platform_errno() != ENOTSOCK { return sent }
            return unsafe Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }
}
