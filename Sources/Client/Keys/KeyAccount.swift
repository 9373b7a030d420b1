import JSON
import RPC
import SearchModel

/// An account that takes keys.
///
/// Its texts have no control characters.
struct KeyAccount: Equatable {
    struct Way: Equatable {
        let name: String
        let secrets: [Secret]

        var isComplete: Bool { secrets.allSatisfy(\.isPresent) }
        var isBegun: Bool { secrets.contains(where: \.isPresent) }

        var description: String {
            let about = secrets.first?.about ?? ""
            return "\(name), with \(about.isEmpty ? secrets.map(\.name).joined(separator: " and ") : about)"
        }
    }

    struct Secret: Equatable {
        let name: String
        let about: String
        let isPresent: Bool
    }

    let name: String
    /// The preferred way to authenticate is first.
    let ways: [Way]
    var sources: [String] = []
    var enabledSources: [String] = []
    var isPaid = false
    var whySpared: String?

    static func all(in sources: [SourceEntry]) -> [KeyAccount] {
        var accounts: [String: KeyAccount] = [:]
        for source in sources {
            guard let keys = source.json[.keys]?.elements, !keys.isEmpty else { continue }
            var account = accounts[source.account] ?? KeyAccount(name: source.account, ways: keys.map(way))
            account.sources.append(source.name)
            account.isPaid = source.isPaid
            account.whySpared = account.whySpared ?? source.whySpared
            if source.isEnabled { account.enabledSources.append(source.name) }
            accounts[source.account] = account
        }
        return accounts.values.sorted { $0.name < $1.name }
    }

    private static func way(_ way: JSONCursor) -> Way {
        let secrets = (way[.secrets]?.elements ?? []).map { secret in
            Secret(
                name: VisibleText.visible(secret[.name]?.string ?? "?"),
                about: VisibleText.visible(secret[.about]?.string ?? ""),
                isPresent: secret[.present]?.bool ?? false
            )
        }
        return Way(name: VisibleText.visible(way[.way]?.string ?? ""), secrets: secrets)
    }

    var wayInUse: Way? { ways.first(where: \.isComplete) }
    var hasKey: Bool { wayInUse != nil }
    var lacksKey: Bool { !hasKey && enabledSources.count < sources.count }
    var representative: String? { hasKey ? enabledSources.first : nil }

    var secretNames: [String] {
        ways.flatMap { $0.secrets.map(\.name) }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    static let keysElsewhere =
        "other users can read keys on the command line, so type the key at the prompt or pass it on standard input"

    static func known(_ accounts: [KeyAccount]) -> String {
        "Accounts that take keys: \(accounts.map(\.name).joined(separator: ", "))."
    }

    /// Errors omit `word`, because it may be a key.
    func way(_ word: String?, to verb: String, in line: KeyCommandLine) throws(ClientError) -> Way {
        let hint = "Run \(commands(ways, to: verb, in: line))."
        if let word {
            if let way = ways.first(where: { $0.name == word }) { return way }
            let what = ways.count > 1 ? "\(name) has no such kind of key" : "\(name) has only one kind of key"
            throw ClientError(.usage, what + (verb == "set" ? "; \(Self.keysElsewhere)" : ""), hint: hint)
        }
        guard ways.count == 1 else {
            let described = ways.map(\.description).joined(separator: ", or ")
            throw ClientError(.usage, "\(name) has \(ways.count) kinds of keys: \(described)", hint: hint)
        }
        return ways[0]
    }

    func setCommands(in line: KeyCommandLine) -> String {
        commands((wayInUse ?? ways.first(where: \.isBegun)).map { [$0] } ?? ways, to: "set", in: line)
    }

    private func commands(_ ways: [Way], to verb: String, in line: KeyCommandLine) -> String {
        ways.map { "“\(line.text(verb, name, $0.name))”" }.joined(separator: " or ")
    }
}

extension DaemonSnapshot {
    /// Returns the account with this name, or throws `usage`.
    ///
    /// The error omits `name` if `name` may be a key.
    func keyAccount(_ name: String) throws(ClientError) -> KeyAccount {
        if let account = accounts.first(where: { $0.name == name }) { return account }
        if let source = sources.first(where: { $0.name == name || $0.account == name }) {
            if source.needsAddress {
                let hint = "Set accounts.\(source.account).baseURL in the configuration, and run “searchctl reload”."
                throw ClientError(.usage, "\(name) needs no key, but the address of your server", hint: hint)
            }
            let isKeyed = accounts.contains { $0.name == source.account }
            let message = isKeyed ? "\(name) is a source of the account \(source.account)" : "\(name) needs no key"
            throw ClientError(.usage, message, hint: isKeyed ? NearestName.question(source.account) : nil)
        }
        let guess = ClientError.guess(name, among: accounts.map(\.name))
        let mayBeKey = guess == nil && name.utf8.count >= SearchModel.Secret.bytesMin
        let message = "no account with keys \(mayBeKey ? "has that name" : "is called “\(name)”")"
        throw ClientError(.usage, message, hint: guess ?? KeyAccount.known(accounts))
    }
}

/// Writes a command line of `searchctl keys`, for hints.
package struct KeyCommandLine: Equatable {
    /// True if the daemon reads the system's keys, false if it reads this user's keys.
    var isSystem = false

    package func text(_ verb: String, _ words: String...) -> String {
        let parts = isSystem ? ["sudo", "searchctl", "keys", verb, "--system"] : ["searchctl", "keys", verb]
        return (parts + words.filter { !$0.isEmpty }).joined(separator: " ")
    }

    func requireAccess(daemonUser: UInt32?, userID: UInt32, orRun command: String) throws(ClientError) {
        if isSystem, userID != 0 {
            throw ClientError(.init(.forbidden), "only root can change the system's keys", hint: "Run “\(command)”.")
        }
        if !isSystem, let daemonUser, daemonUser != userID {
            throw ClientError(
                .init(.forbidden),
                "this searchd runs as user \(UserName.text(daemonUser)) and does not read your keys",
                hint: "Run “\(command)”. Or start your own searchd, which reads your keys: “systemctl --user "
                    + "start \(ServiceManager.socketUnit)”."
            )
        }
    }
}
