import JSON
import RPC
import SearchModel

/// An account that takes keys, with its sources; pure, and safe on a terminal.
struct KeyAccount: Equatable {
    /// One way to use the account.
    struct Way: Equatable {
        /// Empty when the account has only this way.
        let name: String
        let secrets: [Secret]

        var isComplete: Bool { secrets.allSatisfy(\.isPresent) }
        var isBegun: Bool { secrets.contains(where: \.isPresent) }

        /// `hub, with the client id of an application at …`.
        var description: String {
            let about = secrets.first?.about ?? ""
            return "\(name), with \(about.isEmpty ? secrets.map(\.name).joined(separator: " and ") : about)"
        }
    }

    struct Secret: Equatable {
        let name: String
        /// Its description, with its console.
        let about: String
        /// Whether the daemon has it.
        let isPresent: Bool
    }

    let name: String
    /// The preferred one first.
    let ways: [Way]
    var sources: [String] = []
    var enabledSources: [String] = []
    /// Whether calls cost money.
    var isPaid = false

    /// The accounts of all sources that list keys, by name.
    static func all(in sources: [SourceEntry]) -> [KeyAccount] {
        var accounts: [String: KeyAccount] = [:]
        for source in sources {
            guard let keys = source.json[.keys]?.elements, !keys.isEmpty else { continue }
            var account = accounts[source.account] ?? KeyAccount(name: source.account, ways: keys.map(way))
            account.sources.append(source.name)
            account.isPaid = source.isPaid
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
    /// The source that is tried for the whole account.
    var representative: String? { hasKey ? enabledSources.first : nil }

    var secretNames: [String] {
        ways.flatMap { $0.secrets.map(\.name) }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    static let keysElsewhere =
        "keys are not taken from the command line, where others can read them, but from a prompt or standard input"

    /// The account of that name.
    ///
    /// - Throws: `usage`, without the word where it may be a key.
    static func named(_ name: String, in accounts: [KeyAccount]) throws(ClientError) -> KeyAccount {
        if let account = accounts.first(where: { $0.name == name }) { return account }
        guard let hint = ClientError.guess(name, among: accounts.map(\.name)) else {
            throw ClientError(.usage, "no account that takes keys has that name", hint: known(accounts))
        }
        throw ClientError(.usage, "no account that takes keys is called “\(name)”", hint: hint)
    }

    static func known(_ accounts: [KeyAccount]) -> String {
        "Accounts that take keys: \(accounts.map(\.name).joined(separator: ", "))."
    }

    /// The way that a word of the command line names, or the only way; the word may be a key and is not repeated.
    func way(_ word: String?, to verb: String, in line: KeyCommandLine) throws(ClientError) -> Way {
        let hint = "Run \(commands(ways, to: verb, in: line))."
        if let word {
            if let way = ways.first(where: { $0.name == word }) { return way }
            let what = ways.count > 1 ? "\(name) has no such way" : "\(name) can be used in one way only"
            throw ClientError(.usage, what + (verb == "set" ? "; \(Self.keysElsewhere)" : ""), hint: hint)
        }
        guard ways.count == 1 else {
            let described = ways.map(\.description).joined(separator: ", or ")
            throw ClientError(.usage, "\(name) can be used in \(ways.count) ways: \(described)", hint: hint)
        }
        return ways[0]
    }

    /// The command that stores its key: for the way in use, or for each way.
    func setCommands(in line: KeyCommandLine) -> String {
        commands((wayInUse ?? ways.first(where: \.isBegun)).map { [$0] } ?? ways, to: "set", in: line)
    }

    private func commands(_ ways: [Way], to verb: String, in line: KeyCommandLine) -> String {
        ways.map { "“\(line.text(verb, name, $0.name))”" }.joined(separator: " or ")
    }
}

/// How commands about keys are written in hints; pure.
package struct KeyCommandLine: Equatable {
    /// Whether the daemon reads the system's keys instead of this user's.
    var isSystem = false

    /// `sudo searchctl keys set --system naver hub`, for the verb `set` and the words `naver`, `hub`.
    package func text(_ verb: String, _ words: String...) -> String {
        let parts = isSystem ? ["sudo", "searchctl", "keys", verb, "--system"] : ["searchctl", "keys", verb]
        return (parts + words.filter { !$0.isEmpty }).joined(separator: " ")
    }

    /// Refuses to change keys that the daemon does not read, or that this user can't change.
    ///
    /// - Throws: `forbidden`, with the command for root.
    func requireAccess(daemonUser: UInt32?, userID: UInt32, orRun command: String) throws(ClientError) {
        if isSystem, userID != 0 {
            throw ClientError(.init(.forbidden), "only root can change the system's keys", hint: "Run “\(command)”.")
        }
        if !isSystem, let daemonUser, daemonUser != userID {
            throw ClientError(
                .init(.forbidden),
                "the searchd that answers runs as user \(UserName.text(daemonUser)) and does not read your keys",
                hint: "Run “\(command)”, or start a searchd of your own, which reads yours: “systemctl --user start "
                    + "\(ServiceManager.socketUnit)”."
            )
        }
    }
}
