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
        case ("set", 1), ("remove", 1): throw command.missingAccount(words[0])
        case ("remove", _): throw refusal("“keys remove” takes an ACCOUNT and one WAY")
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

    /// Names the accounts, if a daemon does.
    private func missingAccount(_ verb: String) -> ClientError {
        var refusal = Self.refusal("“keys \(verb)” needs an ACCOUNT")
        let known = try? connector.withExchange { exchange throws(ClientError) in try accounts(&exchange) }
        if let known, !known.isEmpty { refusal.hint = Self.known(known) }
        return refusal
    }

    private var connector: Connector {
        get throws(ClientError) {
            // The system's service is started by its manager, with the credentials that this hands over.
            guard isSystem else { return try Connector(arguments, context) }
            return try Connector(arguments, context, socket: SocketPlan.systemPath, starting: .nothing)
        }
    }

    // MARK: What it does

    private func list(_ name: String?) throws(ClientError) -> ExitStatus {
        let store = try KeyStore(environment: context.environment, isSystem: isSystem)
        let (standings, owner) = try connector.withExchange { exchange throws(ClientError) in
            let user = try daemonUser(&exchange)
            let owner = DaemonOwner(daemonUser: user, path: exchange.path, userID: geteuid())
            let line = KeyCommandLine(isSystem: isSystem || user.map { $0 != geteuid() } ?? false)
            let accounts = try accounts(&exchange)
            let chosen = try name.map { name throws(ClientError) in [try Self.account(name, in: accounts)] } ?? accounts
            // One source speaks for its account.
            let asked = arguments.has(.noTry) ? [] : chosen.compactMap(Self.representative)
            let troubles = try SourceProbe.troubles(with: asked, firstID: 2, over: &exchange)
            let standings = chosen.map { account in
                let source = Self.representative(account).flatMap { asked.contains($0) ? $0 : nil }
                let trouble = source.flatMap { troubles[$0] }
                return KeyStanding(account, store, isTried: source != nil, trouble: trouble, line: line)
            }
            return (standings, owner)
        }
        switch format {
        case .json: for standing in standings { try show(json: standing.json, lines: []) }
        case .text:
            try show(
                json: [],
                lines: Layout(columns: context.console.columns).table(standings.map(\.row)) + owner.keysLines
            )
        }
        if standings.contains(where: \.isRefused) { return .notAllowed }
        return standings.contains(where: \.isOpen) ? .tryLater : .found
    }

    private func set(_ name: String, way word: String?) throws(ClientError) -> ExitStatus {
        let (before, chosen) = try chosen(name, word, to: "set")
        guard let way = chosen else { throw Self.refusal("“keys set” needs a WAY") }
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
        var previous: [KeyText?] = []
        for key in keys { previous.append(try store.key(name, key.name)) }
        // Only when all are there, so that no half of a pair is stored.
        for key in keys { try store.save(key.text, name, key.name) }
        var outcome = outcome(name, way, "stored", keys.map(\.name), store)
        try takeEffect(&outcome, before: before)
        let isNew = previous.map { $0?.bytes } != keys.map { $0.text.bytes }
        if outcome.isRefused, isNew {
            for (key, old) in zip(keys, previous) {
                if let old { try store.save(old, name, key.name) } else { _ = try store.remove(name, key.name) }
            }
            try apply(&outcome)
            outcome.isKept = true
            outcome.hadOther = previous.contains { $0 != nil }
        }
        return try tell(outcome)
    }

    private func outcome(
        _ account: String,
        _ way: KeyWay?,
        _ verb: String,
        _ secrets: [String],
        _ store: KeyStore
    ) -> KeyOutcome {
        KeyOutcome(
            account: account,
            verb: verb,
            secrets: secrets,
            directory: store.directory,
            command: line.text("set", account, way?.name ?? ""),
            trial: line.text("list", account)
        )
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
        let (before, way) = try chosen(name, word, to: "remove")
        let store = try KeyStore(environment: context.environment, isSystem: isSystem)
        var removed: [String] = []
        for secret in way?.secrets.map(\.name) ?? before.secretNames where try store.remove(name, secret) {
            removed.append(secret)
        }
        guard !removed.isEmpty else {
            throw ClientError(
                .init(.notFound),
                "no key of \(name) is stored in \(store.directory)",
                hint: "If the configuration names a key, remove it there."
            )
        }
        var outcome = outcome(name, way, "removed", removed, store)
        try takeEffect(&outcome, before: before)
        return try tell(outcome)
    }

    /// Makes the daemon use what is stored now, and looks at what that has changed.
    private func takeEffect(_ outcome: inout KeyOutcome, before: KeyAccount) throws(ClientError) {
        try apply(&outcome)
        guard outcome.isInEffect else { return }
        let after = try connector.withExchange { exchange throws(ClientError) in
            try Self.account(before.name, in: try accounts(&exchange))
        }
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

    /// Has the daemon read its keys again, if it can.
    private func apply(_ outcome: inout KeyOutcome) throws(ClientError) {
        // A service's credentials are handed over when it starts.
        outcome.hasRestarted = isSystem && ServiceManager(context).restart()
        outcome.isInEffect = outcome.hasRestarted
        if outcome.hasRestarted { return }
        do throws(ClientError) {
            try connector.withExchange { exchange throws(ClientError) in
                _ = try ReloadCommand.reload(&exchange, within: Self.timeoutSeconds)
            }
            outcome.isInEffect = true
        } catch {
            guard error.code == .init(.methodNotFound) else { throw error }
        }
    }

    // MARK: Accounts

    /// What the words of a command line mean, if this user can change those keys and the daemon reads them.
    ///
    /// - Returns: The account; the way, unless all of an account's keys are to be removed.
    private func chosen(
        _ name: String,
        _ word: String?,
        to verb: String
    ) throws(ClientError) -> (KeyAccount, KeyWay?) {
        let (account, user) = try connector.withExchange { exchange throws(ClientError) in
            let user = try daemonUser(&exchange)
            return (try Self.account(name, in: try accounts(&exchange)), user)
        }
        let possible = KeyCommandLine(isSystem: isSystem || user.map { $0 != geteuid() } ?? false)
        var way: KeyWay?
        if verb == "set" || word != nil { way = try account.way(word, to: verb, in: possible) }
        let command = possible.text(verb, name, way?.name ?? "")
        try line.requireAccess(daemonUser: user, userID: geteuid(), orRun: command)
        return (account, way)
    }

    /// The commands for the keys that are meant here.
    private var line: KeyCommandLine { KeyCommandLine(isSystem: isSystem) }

    private func daemonUser(_ exchange: inout DaemonConnection) throws(ClientError) -> UInt32? {
        try exchange.ask(.hello, within: Self.timeoutSeconds)[.uid]?.int.flatMap { UInt32(exactly: $0) }
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
            throw ClientError(.usage, "no account of that name takes keys", hint: known(accounts))
        }
        throw ClientError(.usage, "no account that takes keys is called “\(name)”", hint: hint)
    }

    private static func known(_ accounts: [KeyAccount]) -> String {
        "Those that take keys: \(accounts.map(\.name).joined(separator: ", "))."
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
