package import EventLoop
package import SearchModel

/// The settings under `fleet` in the configuration.
package struct FleetSettings: Equatable, Sendable {
    package var address: SharedServerAddress
    package var user: String?
    package var password: Secret?
    package var prefix: String
    /// The share of each quota and rate that this host may use while the server is unavailable.
    package var offlineShare: Double
    /// The time limit of a command.
    ///
    /// It is short, because a search waits for the command.
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

package typealias SharedServerAddress = OutgoingSocket.Address
