import Dispatch
import Synchronization

/// The lines that a fake daemon was sent; its threads add, the test reads.
final class Seen: Sendable {
    private let kept = Mutex<[String]>([])
    private let added = DispatchSemaphore(value: 0)

    var lines: [String] { kept.withLock { $0 } }

    func add(_ line: String?) {
        guard let line else { return }
        kept.withLock { $0.append(line) }
    }

    /// Adds what came until the end of a connection, and tells those who wait for that.
    func add(contentsOf lines: [String]) {
        kept.withLock { $0.append(contentsOf: lines) }
        added.signal()
    }

    /// The lines, once that many connections have ended.
    func wait(for connections: Int) -> [String] {
        for _ in 0..<connections { added.wait() }
        return lines
    }
}
