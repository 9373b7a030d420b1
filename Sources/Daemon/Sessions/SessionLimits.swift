import SearchModel

/// The limits of connections, which also bound the memory of all buffers.
struct SessionLimits {
    /// A connection with this many unsent bytes is not read, and its requests do not start.
    static let unsentBytes = 256 << 10
    static let answerBytes = 16 << 20
    /// How long a client may read nothing, or leave a line incomplete.
    static let progress = Duration.seconds(30)
    /// A user with at most this many buffered bytes is always served.
    static let freeBytes = 256 << 10
    private static let ownDescriptors = 32

    var connections = 1024
    var connectionsPerUser = 128
    var requests = 256
    var requestsPerUser = 1024
    var bytes = 128 << 20
    var bytesPerUser = 32 << 20
    var subscriptions = 8
    var subscriptionsPerUser = 64
    var unlimitedUsers: Set<UInt32> = []

    init(_ change: (inout SessionLimits) -> Void = { _ in }) {
        change(&self)
    }

    init(descriptors: Int, daemonUser: UInt32) {
        connections = min(connections, max(4, (descriptors - Self.ownDescriptors) / 2))
        unlimitedUsers = [0, daemonUser]
    }
}

/// How much of the limits is used, by all users together and by each user.
struct SessionUsage {
    struct Amounts: Equatable {
        var connections = 0
        var requests = 0
        var subscriptions = 0
        var bytes = 0

        static func - (left: Amounts, right: Amounts) -> Amounts {
            Amounts(
                connections: left.connections - right.connections,
                requests: left.requests - right.requests,
                subscriptions: left.subscriptions - right.subscriptions,
                bytes: left.bytes - right.bytes
            )
        }

        static func += (left: inout Amounts, right: Amounts) {
            left.connections += right.connections
            left.requests += right.requests
            left.subscriptions += right.subscriptions
            left.bytes += right.bytes
        }
    }

    var limits = SessionLimits()
    private(set) var total = Amounts()
    private var users: [UInt32: Amounts] = [:]

    subscript(user: UInt32) -> Amounts { users[user] ?? Amounts() }

    mutating func change(_ user: UInt32, by difference: Amounts) {
        total += difference
        users[user, default: Amounts()] += difference
        if users[user] == Amounts() { users[user] = nil }
        assert(users.values.reduce(into: Amounts()) { $0 += $1 } == total)
    }

    func admitsConnection(of user: UInt32) -> Bool {
        total.connections < limits.connections
            && (limits.unlimitedUsers.contains(user) || self[user].connections < limits.connectionsPerUser)
    }

    func admitsRequest(of user: UInt32) -> Bool { self[user].requests < limits.requestsPerUser }

    func admitsSubscription(of user: UInt32) -> Bool { self[user].subscriptions < limits.subscriptionsPerUser }

    func admits(bytes: Int = 0, of user: UInt32) -> Bool {
        let after = self[user].bytes + bytes
        return after <= limits.bytesPerUser
            && (after <= SessionLimits.freeBytes || total.bytes + bytes <= limits.bytes)
    }

    func refusal(of user: UInt32) -> SearchError {
        SearchError(
            .overloaded,
            total.connections < limits.connections
                ? "this user has \(limits.connectionsPerUser) connections, and none of them is idle"
                : "the daemon serves \(limits.connections) connections, and this user has no idle connection",
            retryable: true,
            retryAfter: .seconds(1),
            hint: "Close unused connections, or share a connection."
        )
    }
}
