import CPlatform

package struct Reachability: Sendable {
    /// Addresses for documentation; looking up their routes sends no packet.
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

    package static let ofThisMachine = Reachability {
        addresses.contains(where: hasRoute)
    } nameServersAnswer: { host in
        nameServersAnswer(for: host)
    }

    static func hasRoute(to address: String) -> Bool {
        // The string is valid during the call.
        unsafe platform_has_route(address) != 0
    }

    static func nameServersAnswer(for host: String) -> Bool {
        // The string is valid during the call.
        unsafe platform_name_servers_answer(host) != 0
    }

    /// Does not run on the caller's actor, because waiting for a name server blocks.
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
