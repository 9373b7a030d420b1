package import EventLoop
package import SearchModel

/// The `fleet` of a configuration.
package struct FleetSettings: Equatable, Sendable {
    package var address: EngineAddress
    package var user: String?
    package var password: Secret?
    /// The beginning of all keys and channels.
    package var prefix: String
    /// The part of each shared quota that this host may use alone while the engine is unavailable.
    package var offlineShare: Double
    /// How long a command may take: a search must not wait longer for an engine that has problems.
    var answerMax = Duration.milliseconds(20)

    package init(
        address: EngineAddress,
        user: String? = nil,
        password: Secret? = nil,
        prefix: String = "searchd",
        offlineShare: Double = 0
    ) {
        (self.address, self.user, self.password) = (address, user, password)
        (self.prefix, self.offlineShare) = (prefix, offlineShare)
    }
}

/// Where the engine listens.
package typealias EngineAddress = OutgoingSocket.Address
