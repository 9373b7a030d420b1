import EventLoop

@testable import Daemon

/// Keeps all log lines for a test.
final class RecordingSink: LogSink {
    private let kept = Locked<[LogRecord]>([])

    func write(_ record: LogRecord) { kept.withLock { $0.append(record) } }

    var records: [LogRecord] { kept.withLock { $0 } }
    var messages: [String] { records.map(\.message) }
}

extension LogRecord {
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}
