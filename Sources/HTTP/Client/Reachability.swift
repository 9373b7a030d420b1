import CPlatform

/// Detects whether the machine is offline.
package struct Reachability: Sendable {
    package enum Lookup: Sendable {
        case found
        case unknown
        /// No name server answers.
        case unanswered
    }

    /// Addresses that are reserved for documentation.
    ///
    /// A lookup of their routes sends no packet.
    private static let addresses = ["192.0.2.1", "2001:db8::1"]
    /// A name that always exists.
    ///
    /// Without a network, some name servers answer that a name does not exist.
    static let knownHost = "example.com"

    private let hasRoute: @Sendable () -> Bool
    private let lookup: @Sendable (_ host: String) -> Lookup

    package init(
        hasRoute: @escaping @Sendable () -> Bool,
        lookup: @escaping @Sendable (_ host: String) -> Lookup
    ) {
        self.hasRoute = hasRoute
        self.lookup = lookup
    }

    package static let ofThisMachine = Reachability {
        addresses.contains(where: hasRoute)
    } lookup: { host in
        lookUp(host)
    }

    static func hasRoute(to address: String) -> Bool {
        // The string is valid during the call.
        unsafe platform_has_route(address) != 0
    }

    static func lookUp(_ host: String) -> Lookup {
        // The string is valid during the call.
        let result = unsafe platform_look_up(host)
        return result > 0 ? .found : result < 0 ? .unanswered : .unknown
    }

    /// Returns whether an error means that the machine is offline.
    ///
    /// If the name is unknown, the machine counts as offline only if no source has responded recently and `knownHost`
    /// is not found either. The method may block while it waits for a name server, so it does not run on the caller's
    /// actor.
    @concurrent
    package func isOffline(after error: FetchError, host: String, hasResponse: Bool) async -> Bool {
        switch error.code {
        case .timeoutResolve: true
        case .dns where hasRoute():
            switch lookup(host) {
            case .found: false
            case .unanswered: true
            case .unknown: !hasResponse && lookup(Self.knownHost) != .found
            }
        case .dns: true
        case .connect, .timeoutConnect: !hasRoute()
        default: false
        }
    }
}
