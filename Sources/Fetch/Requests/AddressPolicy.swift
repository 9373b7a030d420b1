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
