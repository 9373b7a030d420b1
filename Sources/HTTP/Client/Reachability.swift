import CPlatform

/// Whether this machine is cut off from the network, as far as the machine itself can tell.
package struct Reachability: Sendable {
    /// Addresses of the blocks for documentation: only the kernel's routing table is consulted, and no packet is sent.
    private static let addresses = ["192.0.2.1", "2001:db8::1"]

    private let hasRoute: @Sendable () -> Bool
    private let nameServersAnswer: @Sendable (_ host: String) -> Bool

    package init(
        hasRoute: @escaping @Sendable () -> Bool,
        nameServersAnswer: @escaping @Sendable (_ host: String) -> Bool
    ) {
        self.hasRoute = hasRoute
        self.nameServersAnswer = nameServersAnswer
    }

    /// As the kernel and the system's resolver say.
    package static let ofThisMachine = Reachability {
        addresses.contains(where: hasRoute)
    } nameServersAnswer: { host in
        nameServersAnswer(for: host)
    }

    static func hasRoute(to address: String) -> Bool {
        // The address is a string for the length of the call.
        unsafe platform_has_route(address) != 0
    }

    /// Waits for the answer.
    static func nameServersAnswer(for host: String) -> Bool {
        // The host is a string for the length of the call.
        unsafe platform_name_servers_answer(host) != 0
    }

    /// Whether a failure before anything was sent means that no host on the Internet can be reached.
    ///
    /// Silent name servers are as bad as no route, since no source has an address then. It may ask one, away from the
    /// loop.
    @concurrent
    package func isOffline(after error: FetchError, host: String) async -> Bool {
        switch error.code {
        case .timeoutResolve: true
        case .dns: !hasRoute() || !nameServersAnswer(host)
        case .connect, .timeoutConnect: !hasRoute()
        default: false
        }
    }
}
