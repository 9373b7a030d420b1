package import JSON
import SearchModel

/// A result as the revision of its request has it.
package struct AgentResult: Sendable {
    /// For how long a client may keep a result, and for whom.
    package enum Caching: Sendable {
        /// The protocol has no caching of it.
        case none
        /// The same for every user.
        case anyone(milliseconds: Int)
        case user(milliseconds: Int)
    }

    private let members: [JSONMember]
    private let caching: Caching

    package init(_ members: [JSONMember], caching: Caching = .none) {
        self.members = members
        self.caching = caching
    }

    package func bytes(in revision: Revision) -> [UInt8] {
        var all = members
        if revision.isStateless {
            all.insert(JSONMember("resultType", "complete"), at: 0)
            switch caching {
            case .none: break
            case .anyone(let milliseconds): all += Self.caching(milliseconds, "public")
            case .user(let milliseconds): all += Self.caching(milliseconds, "private")
            }
            all.append(JSONMember(MetaKey.meta, .object([JSONMember(MetaKey.serverInfo, Self.serverInfo)])))
        }
        return JSONValue.object(all).bytes
    }

    private static func caching(_ milliseconds: Int, _ scope: String) -> [JSONMember] {
        [JSONMember("ttlMs", .number(JSONNumber(milliseconds))), JSONMember("cacheScope", .string(scope))]
    }

    static let serverInfo: JSONValue = [
        "name": "searchd", "title": "searchd", "version": .string(Version.program),
    ]
}
