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

    /// Whether a text can begin the names of keys: they have no braces, blanks or wildcards.
    package static func isPrefix(_ text: String) -> Bool {
        let others = Set("-_.:".utf8)
        return (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || others.contains(byte)
            }
    }
}

/// Where the engine listens.
package typealias EngineAddress = OutgoingSocket.Address
