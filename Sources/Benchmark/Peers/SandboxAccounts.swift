import Catalogue
import JSON
import SearchModel

/// The sandbox's addresses and keys for each account.
struct SandboxAccounts: Sendable {
    private static let names = ["google", "hackernews", "itunes", "kakao", "naver", "openlibrary", "wikipedia"]

    private var accesses: [String: AccountAccess] = [:]

    /// Reads the line that a sandbox prints when it is ready; nil when something is missing in it.
    init?(_ ready: JSONCursor) {
        for name in Self.names {
            guard let base = ready["bases"]?[name]?.string else { return nil }
            // Wikipedia has a host for each language, and the sandbox a path.
            accesses[name] = AccountAccess(baseURL: name == "wikipedia" ? "\(base)/{lang}" : base)
        }
        guard let keys = ready["keys"], let kakao = keys["kakao"]?[0]?.string, let google = keys["google"]?[0]?.string,
            let naver = keys["naver"]?[0], let id = naver["id"]?.string, let secret = naver["secret"]?.string
        else { return nil }
        accesses["kakao"]?.secrets = ["key": Secret(kakao)]
        accesses["google"]?.secrets = ["key": Secret(google)]
        accesses["naver"]?.secrets = ["id": Secret(id), "secret": Secret(secret)]
    }

    /// What a source of this account needs; nil when the sandbox imitates no such company.
    subscript(account: String) -> AccountAccess? { accesses[account] }

    /// A configuration that has searchd ask the sandbox for everything.
    var configuration: JSONValue {
        let accounts = accesses.sorted { $0.key < $1.key }.map { name, access in
            let secrets = access.secrets.sorted { $0.key < $1.key }.map { name, secret in
                JSONMember(name, ["value": .string(secret.reveal())])
            }
            return JSONMember(name, .object(secrets + [JSONMember("baseURL", .string(access.baseURL ?? ""))]))
        }
        // What is measured is the program, not its patience.
        let limits: JSONValue = ["perSecond": 10_000, "perDay": 1_000_000_000, "concurrency": 256]
        return [
            "accounts": .object(accounts),
            "sources": .object([JSONMember(MissPart.sourceName, ["limits": limits])]),
        ]
    }
}
