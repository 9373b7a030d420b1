import RPC

@testable import Daemon

/// What the sessions hold of which kind.
extension Switchboard {
    var unsentBytes: Int { shared.table.all.reduce(0) { $0 + $1.output.unsentBytes } }
    var inputBytes: Int { shared.table.all.reduce(0) { $0 + $1.input.pendingBytes } }
    var heldBytes: Int { memory.bytesUsed }
    var memory: MemoryBudget { shared.memory.budget }
    var isDraining: Bool { shared.isDraining }
}
