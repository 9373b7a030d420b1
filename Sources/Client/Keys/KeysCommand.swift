import Glibc
import JSON
import RPC
import SearchModel

/// The command `searchctl keys`, which lists, sets and removes keys.
struct KeysCommand {
    private let keeper: KeyKeeper

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let command = KeysCommand(keeper: KeyKeeper(context))
        let words = context.arguments.words
        if words.first != "remove" { try context.arguments.allow([], of: [.yes], in: "keys \(words.first ?? "list")") }
        switch (words.first ?? "list", words.count) {
        case ("list", 0...2): return try command.list(words.dropFirst().first)
        case ("set", 2...3), ("remove", 2...3):
            return try command.change(words[0], words[1], way: words.dropFirst(2).first)
        case ("set", 1), ("remove", 1):
            let accounts = (try? command.keeper.snapshot().accounts) ?? []
            throw refusal("“keys \(words[0])” needs an ACCOUNT", accounts.isEmpty ? nil : KeyAccount.known(accounts))
        case ("set", _), ("remove", _): throw refusal("“keys \(words[0])” takes an ACCOUNT and at most one KIND")
        case ("list", _): throw refusal("“keys list” takes one ACCOUNT")
        case (let word, _): throw refusal("“keys” has no action “\(word)”")
        }
    }

    private static func refusal(_ message: String, _ hint: String? = nil) -> ClientError {
        let usage = "Usage: searchctl keys, keys set ACCOUNT [KIND], or keys remove ACCOUNT [KIND]; "
        return ClientError(.usage, message, hint: hint ?? usage + KeyAccount.keysElsewhere)
    }

    private func change(_ verb: String, _ name: String, way word: String?) throws(ClientError) -> ExitStatus {
        let snapshot = try keeper.snapshot()
        let account = try snapshot.keyAccount(name)
        let isWhole = verb == "remove" && word == nil
        let way = isWhole ? nil : try account.way(word, to: verb, in: keeper.possibleLine(snapshot.userID))
        try keeper.requireAccess(snapshot, verb, name, way?.name ?? "")
        let outcome =
            if verb == "set", let way { try keeper.set(account, way) } else { try keeper.remove(account, way) }
        guard let outcome else { return .interrupted }
        try print(json: [outcome.json], lines: outcome.lines)
        if let error = outcome.error { throw error }
        return .found
    }

    private func list(_ name: String?) throws(ClientError) -> ExitStatus {
        let store = try keeper.store
        let (rows, addresses, owner) = try keeper.withExchange { exchange throws(ClientError) in
            let snapshot = try DaemonSnapshot(of: &exchange, [.hello, .sourceList], clock: keeper.context.clock)
            let owner = DaemonOwner.text(daemonUser: snapshot.userID, path: exchange.path, userID: geteuid())
            var accounts = snapshot.accounts
            if let name { accounts = [try snapshot.keyAccount(name)] }
            let tried =
                keeper.context.arguments.has(.noTry) ? [] : accounts.filter { name != nil || $0.whySpared == nil }
            let asked = tried.compactMap(\.representative)
            let troubles = try SourceProbe.troubles(with: asked, over: &exchange)
            let line = keeper.possibleLine(snapshot.userID)
            let rows = accounts.map { account in
                KeyRow(
                    account: account,
                    stored: account.secretNames.filter { store.has(account.name, $0) },
                    isTried: account.representative.map(asked.contains) ?? false,
                    trouble: account.representative.flatMap { troubles[$0] },
                    command: account.setCommands(in: line)
                )
            }
            let addresses = name == nil ? snapshot.sources.filter(\.needsAddress) : []
            return (rows, addresses.map { (name: $0.account, text: $0.state) }, owner)
        }
        let lines = keeper.context.layout.table(rows.map { (name: $0.account.name, text: $0.text) } + addresses)
        let whose = owner == "your" ? [] : ["These keys are used by \(owner) searchd."]
        let isSpared = rows.contains { !$0.isTried && $0.account.hasKey && $0.account.whySpared != nil }
        let more = isSpared ? ["“searchctl keys list ACCOUNT” tests the key of ACCOUNT."] : []
        let open = rows.flatMap { row in row.stored.compactMap { store.openFile(row.account.name, $0) } }
        let warnings = open.map { "Other users can read \($0), so searchd will refuse it. Run “chmod 600 \($0)”." }
        try print(json: rows.map(\.json), lines: lines + more + whose + warnings)
        if !open.isEmpty { return .notConfigured }
        if rows.contains(where: \.isRefused) { return .notAllowed }
        return rows.contains { $0.trouble != nil } ? .tryLater : .found
    }

    private func print(json: [[UInt8]], lines: [String]) throws(ClientError) {
        try keeper.context.report(json: json.map { $0[...] }, or: lines.flatMap(keeper.context.layout.fitted))
    }
}

/// A line of `searchctl keys`, about one account.
struct KeyRow {
    let account: KeyAccount
    let stored: [String]
    let isTried: Bool
    let trouble: ClientError?
    let command: String

    var isRefused: Bool { trouble?.code == .init(.unauthorized) }

    var text: String {
        guard let way = account.wayInUse else {
            guard let begun = account.ways.first(where: \.isBegun) else {
                let word = account.lacksKey ? "no key, set it with" : "works without a key; a key raises its limits:"
                return "\(stored.isEmpty ? word : "incomplete, set it again with") \(command)"
            }
            let missing = begun.secrets.filter { !$0.isPresent }.map(\.name).joined(separator: ", ")
            let isConfigured = begun.secrets.contains { $0.isPresent && !stored.contains($0.name) }
            let inFile = "add it to accounts.\(account.name) in the configuration"
            let cure = isConfigured ? inFile : "set it with \(command)"
            return "incomplete, \(missing) is missing: \(cure)"
        }
        let word =
            if !isTried {
                account.enabledSources.isEmpty
                    ? "switched off" : "not tried" + (account.whySpared.map { " (\($0))" } ?? "")
            } else {
                trouble.map { "\(isRefused ? "refused" : "unverified"): \($0.message)" } ?? "works"
            }
        return VisibleText.visible(way.name.isEmpty ? word : "\(word), with “\(way.name)”")
    }

    var json: [UInt8] {
        JSONWriter.bytes { writer in
            writer.member("account", account.name)
            if isTried, trouble == nil || isRefused { writer.member("works", trouble == nil) }
            writer.member("error", trouble?.message)
            let ways: [JSONValue] = account.ways.map { way in
                let secrets: [JSONValue] = way.secrets.map { secret in
                    let isStored = stored.contains(secret.name)
                    return [
                        "name": .string(secret.name), "present": .bool(secret.isPresent), "stored": .bool(isStored),
                    ]
                }
                return ["way": .string(way.name), "secrets": .array(secrets)]
            }
            writer.member("ways", JSONValue.array(ways))
            writer.member(.sources, account.enabledSources)
        }
    }
}

extension CommandOption {
    static let system = CommandOption("system", help: "use the system's keys instead of your own (as root)")
    static let noTry = CommandOption("no-try", help: "do not test the keys; a test costs one call per account")

    static let ofKeys = [system, noTry, yes] + ofReport
}
