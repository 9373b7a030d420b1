import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// Stores and removes keys where the daemon reads them, has it read them, and tries them.
///
/// Keys are in no output and no error.
struct KeyKeeper {
    let context: Context
    let arguments: Arguments
    /// Whether the keys of the system's service are meant.
    let isSystem: Bool

    init(_ arguments: Arguments, _ context: Context) {
        (self.context, self.arguments) = (context, arguments)
        isSystem = arguments.has(.system)
    }

    var store: KeyStore {
        get throws(ClientError) { try KeyStore(environment: context.environment, isSystem: isSystem) }
    }

    var line: KeyCommandLine { KeyCommandLine(isSystem: isSystem) }

    func withExchange<Result>(
        _ body: (inout DaemonConnection) throws(ClientError) -> Result
    ) throws(ClientError) -> Result {
        // The system's service is started by its manager, with the credentials that this hands over.
        let connector =
            isSystem
            ? try Connector(arguments, context, socket: SocketPlan.systemPath, starting: .nothing)
            : try Connector(arguments, context)
        return try connector.withExchange(body)
    }

    func snapshot() throws(ClientError) -> DaemonSnapshot {
        try withExchange { exchange throws(ClientError) in
            try DaemonSnapshot(of: &exchange, [.hello, .sourceList], clock: context.clock)
        }
    }

    /// Refuses what this user can't change; the hint is the command for root.
    func requireAccess(_ snapshot: DaemonSnapshot, _ verb: String, _ account: String, _ way: String) throws(ClientError)
    {
        let command = possibleLine(snapshot.userID).text(verb, account, way)
        try line.requireAccess(daemonUser: snapshot.userID, userID: geteuid(), orRun: command)
    }

    /// How commands for the keys of a daemon's user are written.
    func possibleLine(_ user: UInt32?) -> KeyCommandLine {
        KeyCommandLine(isSystem: isSystem || user.map { $0 != geteuid() } ?? false)
    }

    // MARK: Changing

    /// Asks for the secrets of a way, stores them, and tries them; what the source refuses does not replace what was
    /// stored before.
    func set(_ account: KeyAccount, _ way: KeyAccount.Way) throws(ClientError) -> KeyOutcome {
        let store = try store
        var input = KeyInput(context.console)
        var keys: [(name: String, text: KeyText)] = []
        for secret in way.secrets {
            let about = secret.about.isEmpty ? "" : " (\(secret.about))"
            guard let key = try input.key("\(account.name) \(secret.name)\(about)") else {
                throw Self.missing(secret, of: way, account)
            }
            keys.append((secret.name, key))
        }
        var previous: [KeyText?] = []
        for key in keys { previous.append(try store.key(account.name, key.name)) }
        // Only when all are there, so that no half of a pair is stored.
        for key in keys { try store.save(key.text, account.name, key.name) }
        var outcome = KeyOutcome(account: account.name, verb: "stored", secrets: keys.map(\.name), store.directory)
        outcome.again = line.text("set", account.name, way.name)
        outcome.trial = line.text("list", account.name)
        try takeEffect(&outcome, account)
        if outcome.isRefused, previous.map({ $0?.bytes }) != keys.map({ $0.text.bytes }) {
            for (key, old) in zip(keys, previous) {
                if let old {
                    try store.save(old, account.name, key.name)
                } else {
                    _ = try store.remove(account.name, key.name)
                }
            }
            try apply(&outcome)
            outcome.kept = previous.contains { $0 != nil } ? .previous : .nothing
        }
        return outcome
    }

    func remove(_ account: KeyAccount, _ way: KeyAccount.Way?) throws(ClientError) -> KeyOutcome {
        let store = try store
        var removed: [String] = []
        for secret in way?.secrets.map(\.name) ?? account.secretNames where try store.remove(account.name, secret) {
            removed.append(secret)
        }
        guard !removed.isEmpty else {
            throw ClientError(
                .init(.notFound),
                "no key of \(account.name) is stored in \(store.directory)",
                hint: "If the configuration names a key, remove it there."
            )
        }
        var outcome = KeyOutcome(account: account.name, verb: "removed", secrets: removed, store.directory)
        try takeEffect(&outcome, account)
        return outcome
    }

    /// The input has ended before the last secret.
    private static func missing(
        _ secret: KeyAccount.Secret,
        of way: KeyAccount.Way,
        _ account: KeyAccount
    ) -> ClientError {
        let names = way.secrets.map(\.name)
        let lines =
            names.count == 1 ? "one line" : "\(names.count) lines, in this order: \(names.joined(separator: ", "))"
        return ClientError(
            .usage,
            "the input ended before \(account.name) \(secret.name)",
            hint: "Type it, or pass \(lines). Nothing was stored."
        )
    }

    /// Makes the daemon use what is stored now, and finds out what that has changed.
    private func takeEffect(_ outcome: inout KeyOutcome, _ before: KeyAccount) throws(ClientError) {
        try apply(&outcome)
        guard outcome.isInEffect else { return }
        let after = try KeyAccount.named(before.name, in: try snapshot().accounts)
        outcome.unlocked = after.enabledSources.filter { !before.enabledSources.contains($0) }
        outcome.locked = before.enabledSources.filter { !after.enabledSources.contains($0) }
        guard outcome.verb == "stored" else { return }
        guard let source = after.representative else { return outcome.isUseless = true }
        guard !arguments.has(.noTry) else { return }
        outcome.trouble = try withExchange { exchange throws(ClientError) in
            try SourceProbe.troubles(with: [source], firstID: 1, over: &exchange)[source]
        }
        outcome.tried = source
    }

    /// Has the daemon read its keys again, if it can.
    private func apply(_ outcome: inout KeyOutcome) throws(ClientError) {
        // A service's credentials are handed over when it starts.
        outcome.hasRestarted = isSystem && ServiceManager(context).restart()
        outcome.isInEffect = outcome.hasRestarted
        if outcome.hasRestarted { return }
        do throws(ClientError) {
            try withExchange { exchange throws(ClientError) in
                _ = try ReloadCommand.reload(&exchange, within: ReloadCommand.timeoutSeconds)
            }
            outcome.isInEffect = true
        } catch  where error.code == .init(.methodNotFound) {
            // An older daemon has to be restarted.
        }
    }
}

/// The outcome of storing or removing keys; pure, and without any key.
struct KeyOutcome {
    /// What stays when the source refuses the new keys.
    enum Kept {
        case previous
        case nothing
    }

    let account: String
    /// `stored` or `removed`.
    let verb: String
    let secrets: [String]
    let directory: String
    /// The commands that store the keys again, and that try them again.
    var again = ""
    var trial = ""
    /// Whether the daemon works with it already, and whether the service was restarted for that.
    var isInEffect = false
    var hasRestarted = false
    /// Whether no source is enabled although the daemon has read them.
    var isUseless = false
    /// Sources that can be searched now and could not before, and the other way round.
    var unlocked: [String] = []
    var locked: [String] = []
    /// The source that was asked for the whole account, and its failure.
    var tried: String?
    var trouble: ClientError?
    var kept: Kept?

    init(account: String, verb: String, secrets: [String], _ directory: String) {
        (self.account, self.verb, self.secrets, self.directory) = (account, verb, secrets, directory)
    }

    var isRefused: Bool { trouble?.code == .init(.unauthorized) }
    /// A key that is refused opens none, whatever the daemon is ready to ask.
    private var opened: [String] { isRefused ? [] : unlocked }

    var lines: [String] {
        switch kept {
        case .previous: return ["not stored: the previous key is kept"]
        case .nothing: return ["not stored"]
        case nil: break
        }
        let names = secrets.map { "\(account).\($0)" }.joined(separator: " and ")
        var lines = ["\(verb) \(names) in \(directory)"]
        if hasRestarted { lines.append("restarted the system's searchd, which reads its keys when it starts") }
        if !isInEffect { lines.append("restart searchd to apply it") }
        if let tried, trouble == nil { lines.append("it works: \(tried) answers") }
        if !opened.isEmpty { lines.append("unlocked \(opened.joined(separator: ", "))") }
        if !locked.isEmpty { lines.append("now off: \(locked.joined(separator: ", "))") }
        return lines.map(VisibleText.visible)
    }

    /// What is still wrong, which decides the exit status.
    var error: ClientError? {
        if isUseless {
            return ClientError(
                .init(.notConfigured),
                "searchd has the key, but no source of \(account) is enabled",
                hint: "“searchctl sources” shows why; the configuration may disable them."
            )
        }
        guard var trouble, let tried else { return nil }
        let cause = trouble.message(without: tried)
        trouble.source = nil
        if isRefused {
            trouble.message = "\(tried) refuses the key: \(cause)"
            trouble.hint = kept == .previous ? "The previous one is still used." : "Set it again with “\(again)”."
        } else {
            trouble.message = "the key is stored, but could not be verified: \(tried): \(cause)"
            // For a failure that may pass by itself, the retry is all there is to say.
            let reason = trouble.isRetryable == false ? trouble.hint.map { $0.hasSuffix(".") ? $0 : $0 + "." } : nil
            trouble.hint = [reason, "“\(trial)” tries it again."].compactMap(\.self).joined(separator: " ")
        }
        return trouble
    }

    var json: [UInt8] {
        JSONWriter.bytes { writer in
            writer.member("account", account)
            writer.name(verb)
            writer.array { writer in for secret in kept == nil ? secrets : [] { writer.string(secret) } }
            if kept != nil { writer.member(Member("kept"), secrets) }
            writer.member("directory", directory)
            writer.member("inEffect", isInEffect)
            if tried != nil, trouble == nil || isRefused { writer.member("works", trouble == nil) }
            writer.member("error", trouble?.message)
            writer.member(Member("unlocked"), opened)
            writer.member(Member("locked"), locked)
        }
    }
}

/// Asks sources once each, as cheaply as possible: one hit of a common word, past the cache, and nothing of it is kept.
enum SourceProbe {
    static let query = "seoul"
    static let timeoutSeconds = 8
    /// How much longer than that the daemon may take to say so.
    static let graceSeconds = 3

    /// Asks all of them at once.
    ///
    /// - Parameters:
    ///   - sources: Their names; each costs one call of its quota.
    ///   - firstID: The id of the first request; the others follow it.
    ///   - exchange: The daemon.
    /// - Returns: The failures, by source; one that answered is not in it.
    /// - Throws: When the daemon does not answer; not when a source fails.
    static func troubles(
        with sources: [String],
        firstID: Int,
        over exchange: inout DaemonConnection
    ) throws(ClientError) -> [String: ClientError] {
        for (index, source) in sources.enumerated() {
            try exchange.send(line: RequestLine.request(firstID + index, .search, params: params(source)))
        }
        let deadline = Instant.now.advanced(by: .seconds(timeoutSeconds + graceSeconds))
        var troubles: [String: ClientError] = [:]
        var answered = 0
        while answered < sources.count, let line = try exchange.nextLine(until: deadline) {
            switch try Message.read(line) {
            case .result(let id, let result) where sources.indices.contains(id - firstID):
                troubles[sources[id - firstID]] = SearchReport(result).sources.first?.trouble
                answered += 1
            case .failure(let id?, let error) where sources.indices.contains(id - firstID):
                troubles[sources[id - firstID]] = error
                answered += 1
            case .failure(id: nil, let error): throw error
            case .result, .failure, .notification: continue
            }
        }
        guard answered == sources.count else { throw Connector.lost }
        return troubles
    }

    private static func params(_ source: String) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.query, query)
            writer.array(.sources) { $0.string(source) }
            writer.member(.limit, 1)
            writer.member(.maxAge, 0)
            writer.member(.timeout, timeoutSeconds * 1000)
            writer.member(.private, true)
        }
    }
}
