import CPlatform
import EventLoop
import Glibc

/// Where log lines go; from any thread, and never in the way of the program: a line that can't be written is lost.
protocol LogSink: Sendable {
    func write(_ record: LogRecord)
}

/// Lines for a person on standard error.
struct StandardErrorSink: LogSink {
    /// Whether a journal reads them, which adds the time itself.
    var isJournal = false

    func write(_ record: LogRecord) {
        let milliseconds = platform_realtime_ns() / 1_000_000
        var text = isJournal ? LogLine.prefixed(record) : LogLine.text(record, milliseconds: milliseconds)
        // One write a line, so that lines of several threads do not mix.
        _ = text.withUTF8 { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// The system's journal, by its native protocol.
final class JournalSink: LogSink {
    static let address = "/run/systemd/journal/socket"

    private let address: String
    private let socket: FileDescriptor
    private let lines = StandardErrorSink(isJournal: true)

    /// Nil when there can't be a socket.
    init?(address: String = JournalSink.address) {
        guard let socket = try? UnixSocket.make(SOCK_DGRAM) else { return nil }
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
        // A full queue is the journal's trouble; a missing one may still read our standard error.
        if result != 0, platform_errno() != EAGAIN { lines.write(record) }
    }
}

extension LogSink where Self == StandardErrorSink {
    /// The journal when standard error leads there, else standard error.
    static func chosen(_ surroundings: ProcessEnvironment) -> any LogSink {
        guard let stream = surroundings.variable("JOURNAL_STREAM") else { return StandardErrorSink() }
        var status = stat()
        // The local outlives the call that fills it.
        let isStream = unsafe fstat(STDERR_FILENO, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
        guard isStream else { return StandardErrorSink() }
        return JournalSink() ?? StandardErrorSink(isJournal: true)
    }
}
