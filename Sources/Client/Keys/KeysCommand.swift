import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// `searchctl keys`: which keys are there and work; storing and removing them.
///
/// Keys are read from the terminal or from standard input only, and are in no output and no error.
struct KeysCommand {
    static let timeoutSeconds = 10

    private let arguments: Arguments
    private let context: Context
    private let format: OutputFormat
    private let isSystem: Bool

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let command = try KeysCommand(arguments, context)
        let words = arguments.words
        switch (words.first ?? "list", words.count) {
        case ("list", 0...2): return try command.list(words.dropFirst().first)
        case ("set", 2...3): return try command.set(words[1], way: words.dropFirst(2).first)
        case ("remove", 2...3): return try command.remove(words[1], way: words.dropFirst(2).first)
        case ("set", 4...): throw refusal("“keys set” takes an ACCOUNT and one WAY")
        case ("set", _), ("remove", _): throw refusal("“keys \(words[0])” needs an ACCOUNT, and takes one WAY")
        case ("list", _): throw refusal("“keys list” takes one ACCOUNT")
        case (let word, _): throw refusal("“keys” does not know “\(word)”")
        }
    }

    private static func refusal(_ message: String) -> ClientError {
        ClientError(
            .usage,
            message,
            hint: "It is used as “searchctl keys”, “keys set ACCOUNT [WAY]” or “keys remove ACCOUNT [WAY]”; "
                + KeyAccount.keysElsewhere
        )
    }

    private init(_ arguments: Arguments, _ context: Context) throws(ClientError) {
        self.arguments = arguments
        self.context = context
        format = try OutputFormat.chosen(arguments)
        isSystem = arguments.has(.system)
    }

    private var connector: Connector {
        get throws(ClientError) {
            // The system's service is started by its manager, with the credentials that this hands over.
            try Connector(arguments, context, socket: isSystem ? SocketPlan.systemPath : nil, mayStart: !isSystem)
        }
    }

    // MARK: What it does

    private func list(_ name: String?) throws(ClientError) -> ExitStatus {
        let store = try KeyStore(environment: context.environment, isSystem: isSystem)
        let standings = try connector.withExchange { exchange throws(ClientError) in
            let accounts = try accounts(&exchange)
            let chosen = try name.map { name throws(ClientError) in [try Self.account(name, in: accounts)] } ?? accounts
            // One source speaks for its account.
            let asked = arguments.has(.noTry) ? [] : chosen.compactMap(Self.representative)
            let troubles = try SourceProbe.troubles(with: asked, firstID: 2, over: &exchange)
            return chosen.map { account in
                let source = Self.representative(account).flatMap { asked.contains($0) ? $0 : nil }
                return KeyStanding(account, store, isTried: source != nil, trouble: source.flatMap { troubles[$0] })
            }
        }
        switch format {
        case .json: for standing in standings { try show(json: standing.json, lines: []) }
        case .text: try show(json: [], lines: Layout(columns: context.console.columns).table(standings.map(\.row)))
        }
        if standings.contains(where: \.isRefused) { return .notAllowed }
        return standings.contains(where: \.isOpen) ? .tryLater : .found
    }

    private func set(_ name: String, way word: String?) throws(ClientError) -> ExitStatus {
        let before = try account(name)
        let way = try before.way(word, to: "set")
        let store = try KeyStore(environment: context.environment, isSystem: isSystem)
        var input = KeyInput(context.console)
        var keys: [(name: String, text: KeyText)] = []
        for secret in way.secrets {
            let about = secret.about.isEmpty ? "" : " (\(secret.about))"
            guard let key = try input.key("\(name) \(secret.name)\(about)") else {
                throw Self.missing(secret, of: way, name)
            }
            keys.append((secret.name, key))
        }
        // Only when all are there, so that no half of a pair is stored.
        for key in keys { try store.save(key.text, name, key.name) }
        var outcome = KeyOutcome(account: name, verb: "stored", secrets: keys.map(\.name), directory: store.directory)
        try takeEffect(&outcome, before: before)
        return try tell(outcome)
    }

    /// The input has ended before the last secret.
    private static func missing(_ secret: KeyWay.Secret, of way: KeyWay, _ account: String) -> ClientError {
        let names = way.secrets.map(\.name)
        let lines =
            names.count == 1 ? "one line" : "\(names.count) lines, in this order: \(names.joined(separator: ", "))"
        return ClientError(
            .usage,
            "the input ended before \(account) \(secret.name)",
            hint: "Type it, or pass \(lines). Nothing was stored."
        )
    }

    private func remove(_ name: String, way word: String?) throws(ClientError) -> ExitStatus {
        let before = try account(name)
        let store = try KeyStore(environment: context.environment, isSystem: isSystem)
        let names = try word.map { word throws(ClientError) in try before.way(word, to: "remove").secrets.map(\.name) }
        var removed: [String] = []
        for secret in names ?? before.secretNames where try store.remove(name, secret) { removed.append(secret) }
        guard !removed.isEmpty else {
            throw ClientError(
                .init(.notFound),
                "no key of \(name) is stored in \(store.directory)",
                hint: "If the configuration names a key, remove it there."
            )
        }
        var outcome = KeyOutcome(account: name, verb: "removed", secrets: removed, directory: store.directory)
        try takeEffect(&outcome, before: before)
        return try tell(outcome)
    }

    /// Makes the daemon use what is stored now, and looks at what that has changed.
    private func takeEffect(_ outcome: inout KeyOutcome, before: KeyAccount) throws(ClientError) {
        // A service's credentials are handed over when it starts.
        outcome.isInEffect = isSystem && ServiceManager(context).restart()
        if !outcome.isInEffect { try reload(&outcome) }
        guard outcome.isInEffect else { return }
        let after = try account(before.name)
        outcome.unlocked = after.enabledNames.filter { !before.enabledNames.contains($0) }
        outcome.locked = before.enabledNames.filter { !after.enabledNames.contains($0) }
        guard outcome.verb == "stored" else { return }
        guard let source = Self.representative(after) else { return outcome.isUseless = true }
        guard !arguments.has(.noTry) else { return }
        let trouble = try connector.withExchange { exchange throws(ClientError) in
            try SourceProbe.troubles(with: [source], firstID: 1, over: &exchange)[source]
        }
        outcome.tried = source
        outcome.trouble = trouble
    }

    /// Reloads the daemon's keys, if it supports that.
    private func reload(_ outcome: inout KeyOutcome) throws(ClientError) {
        do throws(ClientError) {
            outcome.isInEffect = try connector.withExchange { exchange throws(ClientError) in
                _ = try ReloadCommand.reload(&exchange, within: Self.timeoutSeconds)
                return true
            }
        } catch {
            guard error.code == .init(.methodNotFound) else { throw error }
        }
    }

    // MARK: Accounts

    /// The account of a name, told by a daemon that reads the keys which we store.
    private func account(_ name: String) throws(ClientError) -> KeyAccount {
        try connector.withExchange { exchange throws(ClientError) in
            let hello = try exchange.ask(.hello, id: 9, within: Self.timeoutSeconds)
            if !isSystem, let user = hello[.uid]?.int, user != Int(geteuid()) {
                throw ClientError(
                    .init(.forbidden),
                    "the searchd that answers is that of user \(user), and does not read your keys",
                    hint: "For the system's, run “sudo searchctl keys … --system”."
                )
            }
            return try Self.account(name, in: try accounts(&exchange))
        }
    }

    private func accounts(_ exchange: inout DaemonConnection) throws(ClientError) -> [KeyAccount] {
        let result = try exchange.ask(.sourceList, within: Self.timeoutSeconds)
        return KeyAccount.all(in: result[.sources]?.elements ?? [])
    }

    private static func account(_ name: String, in accounts: [KeyAccount]) throws(ClientError) -> KeyAccount {
        if let account = accounts.first(where: { $0.name == name }) { return account }
        let names = accounts.map(\.name)
        guard let hint = ClientError.guess(name, among: names) else {
            // What is like no account may be a key.
            let known = names.joined(separator: ", ")
            throw ClientError(.usage, "no account of that name needs a key", hint: "Those that do: \(known)")
        }
        throw ClientError(.usage, "no account “\(name)” needs a key", hint: hint)
    }

    /// The source that is tried on behalf of the whole account.
    private static func representative(_ account: KeyAccount) -> String? {
        account.ways.contains(where: \.isComplete) ? account.enabledNames.first : nil
    }

    // MARK: Telling

    private func tell(_ outcome: KeyOutcome) throws(ClientError) -> ExitStatus {
        try show(json: outcome.json, lines: outcome.lines)
        if let error = outcome.error { throw error }
        return .found
    }

    private func show(json: [UInt8], lines: [String]) throws(ClientError) {
        let printer = Printer(context.console)
        switch format {
        case .json: try printer.print(json: json[...])
        case .text:
            let layout = Layout(columns: context.console.columns)
            try printer.print(lines.flatMap(layout.fitted).map { $0 + "\n" }.joined())
        }
    }
}

/// The options of `keys`.
extension CommandOption {
    static let system = CommandOption("system", help: "for the system's service instead of your own; as root")
    static let noTry = CommandOption("no-try", help: "do not try the keys, which costs a search each")

    static let ofKeys = [system, noTry] + ofReport
}
