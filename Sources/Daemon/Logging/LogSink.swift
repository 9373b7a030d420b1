import CPlatform
import EventLoop
import Glibc

/// Writes log lines from any thread and never blocks; a line that cannot be written is lost.
protocol LogSink: Sendable {
    func write(_ record: LogRecord)
}

/// Writes lines to standard error.
struct StandardErrorSink: LogSink {
    /// Whether a journal reads the lines and adds the time.
    var isJournal = false

    func write(_ record: LogRecord) {
        let milliseconds = platform_realtime_ns() / 1_000_000
        var text = isJournal ? LogLine.prefixed(record) : LogLine.text(record, milliseconds: milliseconds)
        // One write for each line, so that threads do not mix their lines. The text lives through the call.
        _ = text.withUTF8 { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// Writes to the system's journal by its native protocol.
final class JournalSink: LogSink {
    static let address = "/run/systemd/journal/socket"

    private let address: String
    private let socket: FileDescriptor
    private let lines = StandardErrorSink(isJournal: true)

    /// Nil if no socket can be created.
    init?(address: String = JournalSink.address) {
        guard let socket = try? UnixSocket.makeForDatagrams() else { return nil }
        self.address = address
        self.socket = socket
    }

    func write(_ record: LogRecord) {
        let bytes = JournalEntry.bytes(record)
        let descriptor = socket.raw
        // Address and bytes live through the call, which only reads them.
        let result = try? unsafe UnixSocket.withAddress(address) {
            unsafe platform_send_datagram(descriptor, $0, $1, bytes, bytes.count)
        }
        // With a full queue the line is lost; without a journal socket, standard error may still be read.
        if result != 0, platform_errno() != EAGAIN { lines.write(record) }
    }
}

extension LogSink where Self == StandardErrorSink {
    /// Returns the journal if standard error is connected to it, else standard error.
    static func chosen(_ surroundings: ProcessEnvironment) -> any LogSink {
        guard let stream = surroundings.variable("JOURNAL_STREAM") else { return StandardErrorSink() }
        var status = stat()
        // The kernel fills the local, which outlives the call.
        let isStream = unsafe fstat(STDERR_FILENO, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
        guard isStream else { return StandardErrorSink() }
        return JournalSink() ?? StandardErrorSink(isJournal: true)
    }
}
