import SearchModel

/// Whose daemon answers; people may have one of their own beside the system's. Pure.
enum DaemonOwner: Equatable {
    case own
    case system
    case other(UInt32)

    /// - Parameters:
    ///   - daemonUser: The daemon's user; nil when it does not tell.
    ///   - path: Where it answers.
    ///   - userID: Who asks.
    init(daemonUser: UInt32?, path: String, userID: UInt32) {
        switch daemonUser {
        case _ where path == SocketPlan.systemPath: self = .system
        case nil, userID: self = .own
        case let user?: self = .other(user)
        }
    }

    /// What to know of keys that are not the user's own.
    var keysLines: [String] { self == .own ? [] : ["These are the keys of \(text()) searchd."] }

    /// As in “your searchd”; `name` gives a user's name.
    func text(_ name: (UInt32) -> String = UserName.text) -> String {
        switch self {
        case .own: "your"
        case .system: "the system's"
        case .other(let user): "\(name(user))'s"
        }
    }
}
