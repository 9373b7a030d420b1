import Glibc
import HTTPMessage

/// The address of the other end of a connection: 4 or 16 bytes, and the port.
package struct PeerAddress: Hashable, Sendable {
    /// In network order.
    package let bytes: [UInt8]
    package let port: UInt16

    package init(bytes: [UInt8], port: UInt16) {
        precondition(bytes.count == 4 || bytes.count == 16, "an address has 4 or 16 bytes")
        self.bytes = bytes
        self.port = port
    }

    /// Reads `127.0.0.1`, `::1` or `fe80::1%eth0`; nil for anything else.
    package init?(text: String, port: UInt16) {
        let address = text.prefix { $0 != "%" }
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            // inet_pton writes 4 bytes for AF_INET and 16 for AF_INET6, which is what the array holds.
            if unsafe inet_pton(family, String(address), &bytes) == 1 {
                self.init(bytes: bytes, port: port)
                return
            }
        }
        return nil
    }

    /// Whether a host on the Internet may have this address: not loopback, private, link-local, multicast or reserved.
    package var isPublic: Bool {
        PublicAddress.objection(to: bytes) == nil
    }
}

/// Which addresses a request may reach; asked before each connection is opened and each time one is used again.
///
/// The name is resolved first, so a public name that points at a private address is refused like the address itself.
package struct AddressPolicy: Sendable {
    /// Nil when every address will do, so that the common case costs nothing.
    let allows: (@Sendable (PeerAddress) -> Bool)?

    /// The closure is called on the loop's thread: it must be quick and must not wait.
    package init(allows: @escaping @Sendable (PeerAddress) -> Bool) {
        self.allows = allows
    }

    private init() {
        allows = nil
    }

    package static let any = AddressPolicy()

    /// Nothing on this machine, in its private networks or in reserved blocks.
    package static let publicOnly = AddressPolicy { $0.isPublic }
}
