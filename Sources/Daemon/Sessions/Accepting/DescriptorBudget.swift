import CPlatform

/// What the process's limit of open descriptors is spent on.
///
/// Pure, but for `raisingLimit`.
struct DescriptorBudget: Equatable, Sendable {
    /// For standard streams, loops, listeners, the databases and files that are read now and then.
    static let own = 32
    /// What one exchange with a source may need at a time: two tries to connect, and the look-up of its name.
    static let perExchange = 4
    static let exchangesMax = 512
    static let connectionsMin = 4
    static let exchangesMin = 1
    private static let limitPromised: Int64 = 20

    /// How many clients may be connected.
    let connections: Int
    /// How many exchanges with sources may run at a time.
    let exchanges: Int

    /// Upstream gets half of what is left, as far as it can use it; the rest is the clients'.
    ///
    /// - Parameter limit: The descriptors that the process may have open.
    init(limit: Int64) {
        let free = max(0, Int(clamping: limit) - Self.own)
        let upstream = min(free / 2, Self.exchangesMax * Self.perExchange)
        exchanges = max(Self.exchangesMin, upstream / Self.perExchange)
        connections = min(ConnectionLimits.totalMax, max(Self.connectionsMin, free - upstream))
    }

    /// What the limit of this process allows, once its soft limit is raised to the hard one.
    static func raisingLimit() -> DescriptorBudget {
        let limit = platform_raise_descriptor_limit()
        // Every system has one that can be read; should it not be told, POSIX promises so many.
        return DescriptorBudget(limit: limit > 0 ? limit : Self.limitPromised)
    }
}
