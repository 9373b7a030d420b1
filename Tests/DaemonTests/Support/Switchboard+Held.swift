import RPC

@testable import Daemon

/// What the connections hold of which kind.
extension Switchboard {
    var unsentBytes: Int { connections.values.reduce(0) { $0 + $1.outbox.unsentBytes } }
    var inputBytes: Int { connections.values.reduce(0) { $0 + $1.framer.pendingBytes } }
    var heldBytes: Int { memory.bytesUsed }
}
