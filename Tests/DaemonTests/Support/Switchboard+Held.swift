import RPC

@testable import Daemon

/// What the sessions hold of which kind.
extension Switchboard {
    var unsentBytes: Int { shared.all.reduce(0) { $0 + $1.output.unsentBytes } }
    var heldBytes: Int { shared.usage.total.bytes }
    var isDraining: Bool { shared.isDraining }
}
