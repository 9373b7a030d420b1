package import EventLoop
package import SearchModel

/// The settings under `fleet` in the configuration.
package struct FleetSettings: Equatable, Sendable {
    package var address: SharedServerAddress
    package var user: String?
    package var password: Secret?
    /// The text with which all keys and channels begin.
    package var prefix: String
    /// The share of each quota and rate that this host may use alone while the server is unavailable.
    package var offlineShare: Double
    /// How long a command may take, because a search must not wait longer for a server that has problems.
    var answerMax = Duration.milliseconds(20)

    package init(
        address: SharedServerAddress,
        user: String? = nil,
        password: Secret? = nil,
        prefix: String = "searchd",
        offlineShare: Double = 0
    ) {
        (self.address, self.user, self.password) = (address, user, password)
        (self.prefix, self.offlineShare) = (prefix, offlineShare)
    }
}

/// The address at which the shared server listens.
package typealias SharedServerAddress = OutgoingSocket.Address
