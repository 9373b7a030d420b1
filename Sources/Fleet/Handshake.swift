import SearchModel

/// What the shared server reports about itself.
package struct SharedServerFacts: Equatable, Sendable {
    package let name: String
    /// The server's `run_id`, which changes at every start of the server.
    let run: String
}

/// The commands that sign in to the shared server, check it, and load the scripts.
struct Handshake {
    /// The value of the key `PREFIX:format`: this program, and the version of its record format.
    static let format = "searchd 1"

    let settings: FleetSettings

    var signIn: [RedisCommand] {
        guard let password = settings.password else { return [] }
        let words = ["AUTH"] + (settings.user.map { [$0] } ?? []) + [password.reveal()]
        return [RedisCommand(words: words.map { Array($0.utf8) })]
    }

    var commands: [RedisCommand] {
        signIn + [RedisCommand("INFO", "server"), RedisCommand("INFO", "replication")]
            + Script.allCases.map { RedisCommand("SCRIPT", "LOAD", $0.text) }
    }

    func facts(_ replies: [Reply]) -> Result<(SharedServerFacts, [Script: [UInt8]]), SharedServerError> {
        if let error = replies.lazy.compactMap({ if case .error(let text) = $0 { text } else { nil } }).first {
            return .failure(trouble(error))
        }
        let described = replies.dropFirst(signIn.count).prefix(2).compactMap(\.text).joined(separator: "\n")
        let info = Self.fields(described)
        guard let run = info["run_id"], let version = info["redis_version"], replies.count == commands.count else {
            return .failure(SharedServerError("the server is neither Valkey nor Redis", hint: "Check fleet.url."))
        }
        let name = info["valkey_version"].map { "Valkey \($0)" } ?? "Redis \(version)"
        let numbers = version.split(separator: ".").prefix(2).compactMap { Int($0) }
        guard numbers.count == 2, (numbers[0], numbers[1]) >= (6, 2) else {
            return .failure(
                SharedServerError("\(name) is too old", hint: "Install Redis 6.2, Valkey 7.2, or a newer version.")
            )
        }
        guard info["role"] != "slave" else { return .failure(Self.readOnly) }
        let loaded = zip(Script.allCases, replies.suffix(Script.allCases.count)).compactMap { script, reply in
            if case .bytes(let digest) = reply { (script, digest) } else { nil }
        }
        return .success((SharedServerFacts(name: name, run: run), Dictionary(uniqueKeysWithValues: loaded)))
    }

    private static func fields(_ text: String) -> [String: String] {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.split(separator: ":", maxSplits: 1) }
        return Dictionary(lines.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) }) { $1 }
    }

    static let readOnly = SharedServerError(
        "the shared server is a read-only replica",
        hint: "Set fleet.url to the address of the primary server."
    )

    func trouble(_ error: String) -> SharedServerError {
        let code = error.contains("AUTH <password>") ? "WRONGPASS" : error.prefix { $0 != " " }
        switch code {
        case "NOAUTH":
            return SharedServerError(
                "the shared server needs a password",
                hint: "Set fleet.password, and fleet.user if the server has users."
            )
        case "WRONGPASS":
            return SharedServerError(
                "the shared server refuses the user or the password",
                hint: "Check fleet.user and fleet.password."
            )
        case "NOPERM":
            let user = settings.user ?? "default"
            let rules = "+@all -@dangerous +info ~\(settings.prefix):* &\(settings.prefix):*"
            let hint = "Run this on the shared server: ACL SETUSER \(user) \(rules)"
            return SharedServerError("the shared server does not permit this user to run scripts", hint: hint)
        case "READONLY": return Self.readOnly
        case "OOM":
            return SharedServerError(
                "the shared server is full",
                hint: "Increase its maxmemory, or set maxmemory-policy volatile-lru."
            )
        case "LOADING":
            return SharedServerError("the shared server is loading its data", hint: "Wait until it is done.")
        case "FOREIGN", "WRONGTYPE":
            let hint = "Set another fleet.prefix, the same on all hosts."
            return SharedServerError("another program has records that begin with “\(settings.prefix):”", hint: hint)
        default:
            let known = code == "MISCONF" || code == "CLUSTERDOWN" || code == "MASTERDOWN" || code == "NOREPLICAS"
            return SharedServerError(
                "the shared server refuses a command: \(error.prefix(120))",
                hint: known ? "The log of the server says why." : "Permit scripts, as searchd-fleet(7) explains."
            )
        }
    }
}
