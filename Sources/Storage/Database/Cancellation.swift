import CSQLite
import EventLoop

/// Cancels database work from another thread.
package final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        var connections: Set<Int> = []
    }

    private let state = Locked(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Interrupts the current work and all work that begins before `reset` is called.
    package func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // Every connection in the set is open: its owner removes it under this lock before closing it.
            for address in state.connections { unsafe sqlite3_interrupt(OpaquePointer(bitPattern: address)) }
        }
    }

    package func reset() {
        state.withLock { $0.isCancelled = false }
    }

    func begin(_ connection: Int) {
        state.withLock { _ = $0.connections.insert(connection) }
    }

    func end(_ connection: Int) {
        state.withLock { _ = $0.connections.remove(connection) }
    }
}
