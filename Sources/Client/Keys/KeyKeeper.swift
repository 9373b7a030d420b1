import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// Stores, removes and tests the keys that the daemon reads.
///
/// It never prints a key.
struct KeyKeeper {
    let context: Context
    let isSystem: Bool

    init(_ context: Context) {
        self.context = context
        isSystem = context.arguments.has(.system)
    }

    var store: KeyStore {
        get throws(ClientError) { try KeyStore(environment: context.environment, isSystem: isSystem) }
    }

    private var line: KeyCommandLine { KeyCommandLine(isSystem: isSystem) }

    private var connector: Connector {
        get throws(ClientError) {
            // The service gets its keys from systemd, so only systemd may start it.
            isSystem
                ? try Connector(context, socket: SocketPlan.systemPath, starting: .nothing)
                : try Connector(context)
        }
    }

    func withExchange<Result>(
        _ body: (inout DaemonConnection) throws(ClientError) -> Result
    ) throws(ClientError) -> Result {
        do throws(ClientError) {
            return try connector.withExchange(body)
        } catch  where isSystem && error.code == .noDaemon {
            let start = "sudo systemctl start \(ServiceManager.socketUnit)"
            let hint = "Start it with “\(start)”, or omit --system to use your own searchd."
            throw ClientError(.noDaemon, "the system's searchd is not running", hint: hint)
        }
    }

    func snapshot() throws(ClientError) -> DaemonSnapshot {
        try withExchange { exchange throws(ClientError) in
            try DaemonSnapshot(of: &exchange, [.hello, .sourceList], clock: context.clock)
        }
    }

    func requireAccess(_ snapshot: DaemonSnapshot, _ verb: String, _ account: String, _ way: String) throws(ClientError)
    {
        let command = possibleLine(snapshot.userID).text(verb, account, way)
        try line.requireAccess(daemonUser: snapshot.userID, userID: geteuid(), orRun: command)
    }

    func possibleLine(_ user: UInt32?) -> KeyCommandLine {
        KeyCommandLine(isSystem: isSystem || user.map { $0 != geteuid() } ?? false)
    }

    // MARK: Changing

    /// Asks for the secrets of one way to authenticate, stores the secrets and tests them.
    ///
    /// If the source refuses the new secrets, restores the old secrets. With a `place`, such as `1 of 3`, the user
    /// may skip the secrets, and the result is then nil. Only `searchctl setup` passes a `place`.
    func set(
        _ account: KeyAccount,
        _ way: KeyAccount.Way,
        place: String? = nil
    ) throws(ClientError) -> KeyOutcome? {
        let store = try store
        guard !way.secrets.contains(where: { $0.isPresent && !store.has(account.name, $0.name) }) else {
            throw configured(account, way)
        }
        guard let keys = try read(account, way, place) else { return nil }
        var previous: [KeyText?] = []
        for key in keys { previous.append(try store.key(account.name, key.name)) }
        for key in keys { try store.save(key.text, account.name, key.name) }
        let kept = keys.map(\.name)
        var outcome = KeyOutcome(account: account.name, verb: "stored", secrets: kept, directory: store.directory)
        outcome.again = line.text("set", account.name, way.name)
        outcome.trial = line.text("list", account.name)
        let isNew = previous.map { $0?.bytes } != keys.map { $0.text.bytes }
        let isInUse = try apply(&outcome) || !isNew
        if isInUse { try compare(&outcome, account) }
        guard isNew, !isInUse || outcome.isRefused else { return outcome }
        for (key, old) in zip(keys, previous) {
            if let old {
                try store.save(old, account.name, key.name)
            } else {
                _ = try store.remove(account.name, key.name)
            }
        }
        _ = try apply(&outcome)
        guard isInUse else { throw configured(account, way) }
        outcome.isKept = false
        outcome.hadPrevious = previous.contains { $0 != nil }
        return outcome
    }

    private func configured(_ account: KeyAccount, _ way: KeyAccount.Way) -> ClientError {
        let again = line.text("set", account.name, way.name)
        return ClientError(
            .init(.notConfigured),
            "searchd uses the \(account.name) key in its configuration; no key was stored",
            hint: "Change accounts.\(account.name) there. Or remove the key there, and run “\(again)” again."
        )
    }

    /// Reads all secrets.
    ///
    /// With a `place`, returns nil if the first secret is empty.
    private func read(
        _ account: KeyAccount,
        _ way: KeyAccount.Way,
        _ place: String?
    ) throws(ClientError) -> [(name: String, text: KeyText)]? {
        var input = KeyInput(context.console)
        var keys: [(name: String, text: KeyText)] = []
        let names = way.secrets.map(\.name)
        for secret in way.secrets {
            let mayBeSkipped = place != nil && keys.isEmpty
            let isLast = way == account.ways.last
            let skipped = isLast ? "Enter skips it" : "Enter asks for the other kind of key"
            let notes = [secret.about, mayBeSkipped ? skipped : ""].filter { !$0.isEmpty }
            let about = notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
            let prompt = (place.map { "\($0): " } ?? "") + "\(account.name) \(secret.name)" + about
            guard let key = try input.key(prompt, mayBeEmpty: place != nil) else {
                if mayBeSkipped { return nil }
                let lines = names.count == 1 ? "one line" : "\(names.count) lines: \(names.joined(separator: ", "))"
                let pipe = "Type the key, or pass \(lines) on standard input. Nothing was stored."
                let hint = place == nil ? pipe : "Nothing was stored. To skip \(account.name), leave \(names[0]) empty."
                throw ClientError(.usage, "\(account.name) \(secret.name) is missing", hint: hint)
            }
            keys.append((secret.name, key))
        }
        return keys
    }

    /// Returns nil if the user does not confirm the removal.
    func remove(_ account: KeyAccount, _ way: KeyAccount.Way?) throws(ClientError) -> KeyOutcome? {
        let store = try store
        let names = (way?.secrets.map(\.name) ?? account.secretNames).filter { store.has(account.name, $0) }
        guard !names.isEmpty else {
            throw ClientError(
                .init(.notFound),
                "no key of \(account.name) is stored in \(store.directory)",
                hint: "If the key is in the configuration, remove it from the configuration."
            )
        }
        let files = names.map { "\(account.name).\($0)" }.joined(separator: " and ")
        guard try context.isConfirmed("Delete \(files) in \(store.directory)?", orRun: nil) else { return nil }
        var removed: [String] = []
        for name in names where try store.remove(account.name, name) { removed.append(name) }
        var outcome = KeyOutcome(account: account.name, verb: "removed", secrets: removed, directory: store.directory)
        _ = try apply(&outcome)
        try compare(&outcome, account)
        return outcome
    }

    private func compare(_ outcome: inout KeyOutcome, _ before: KeyAccount) throws(ClientError) {
        let after = try snapshot().keyAccount(before.name)
        outcome.unlocked = after.enabledSources.filter { !before.enabledSources.contains($0) }
        outcome.locked = before.enabledSources.filter { !after.enabledSources.contains($0) }
        guard outcome.verb == "stored" else { return }
        guard let source = after.representative else { return outcome.isUseless = true }
        guard !context.arguments.has(.noTry) else { return }
        outcome.trouble = try withExchange { exchange throws(ClientError) in
            try SourceProbe.troubles(with: [source], over: &exchange)[source]
        }
        outcome.tried = source
    }

    private func apply(_ outcome: inout KeyOutcome) throws(ClientError) -> Bool {
        outcome.hasRestarted = isSystem && ServiceManager(context).restart()
        if outcome.hasRestarted { return true }
        let changed = try ReloadCommand.reload(connector)[.changed]?.elements ?? []
        return changed.contains { $0.string?.hasSameBytes(as: "accounts.\(outcome.account)") == true }
    }
}

/// What setting or removing a key has changed, and the result of the test of the key.
struct KeyOutcome {
    let account: String
    let verb: String
    let secrets: [String]
    let directory: String
    var again = ""
    var trial = ""
    var hasRestarted = false
    var isUseless = false
    var unlocked: [String] = []
    var locked: [String] = []
    var tried: String?
    var trouble: ClientError?
    /// False if the source refused the keys and the previous keys were restored.
    var isKept = true
    var hadPrevious = false

    var isRefused: Bool { trouble?.code == .init(.unauthorized) }
    private var opened: [String] { isRefused ? [] : unlocked }

    var lines: [String] {
        if !isKept { return ["not stored" + (hadPrevious ? "; the previous key is kept" : "")] }
        let names = secrets.map { "\(account).\($0)" }.joined(separator: " and ")
        var lines = ["\(verb) \(names) in \(directory)"]
        if hasRestarted { lines.append("restarted the system's searchd, which reads its keys when it starts") }
        if let tried, trouble == nil { lines.append("tested the typed key: it works, \(tried) answers") }
        if !opened.isEmpty { lines.append("unlocked \(opened.joined(separator: ", "))") }
        if !locked.isEmpty { lines.append("switched off \(locked.joined(separator: ", "))") }
        return lines.map(VisibleText.visible)
    }

    var error: ClientError? {
        if isUseless {
            return ClientError(
                .init(.notConfigured),
                "searchd has the key, but no source of \(account) is enabled",
                hint: "“searchctl sources” shows why. The configuration may disable the sources."
            )
        }
        guard var trouble, let tried else { return nil }
        let cause = trouble.message(without: tried)
        trouble.source = nil
        if isRefused {
            trouble.message = "\(tried) refuses the key: \(cause)"
            trouble.hint = hadPrevious ? "The previous key is still used." : "Set the key again with “\(again)”."
        } else {
            let text = trouble.isOffline ? Finding.offline.message : "\(tried): \(cause)"
            trouble.message = "the key is stored, but could not be tested: \(text)"
            trouble.hint = "“\(trial)” tests the key again."
        }
        return trouble
    }

    var json: [UInt8] {
        JSONWriter.bytes { writer in
            writer.member("account", account)
            writer.name(verb)
            writer.array { writer in for secret in isKept ? secrets : [] { writer.string(secret) } }
            if !isKept { writer.member(.kept, secrets) }
            writer.member("directory", directory)
            writer.member("inEffect", true)
            if tried != nil, trouble == nil || isRefused { writer.member("works", trouble == nil) }
            writer.member("error", trouble?.message)
            writer.member(.unlocked, opened)
            writer.member(.locked, locked)
        }
    }
}

/// Tests each source with one search that ignores the cache.
enum SourceProbe {
    static let query = "seoul"
    static let timeoutSeconds = 8
    static let graceSeconds = 3

    /// The calls use quota of the sources.
    static func troubles(
        with sources: [String],
        over exchange: inout DaemonConnection
    ) throws(ClientError) -> [String: ClientError] {
        for (index, source) in sources.enumerated() {
            let params = JSONWriter.bytes { writer in
                writer.member(.query, query)
                writer.array(.sources) { $0.string(source) }
                writer.member(.limit, 1)
                writer.member(.maxAge, 0)
                writer.member(.timeout, timeoutSeconds * 1000)
                writer.member(.private, true)
            }
            try exchange.send(line: RequestLine.request(index, .search, params: params))
        }
        let deadline = Instant.now.advanced(by: .seconds(timeoutSeconds + graceSeconds))
        var troubles: [String: ClientError] = [:]
        var answered = 0
        while answered < sources.count, let line = try exchange.nextLine(until: deadline) {
            switch try Message.read(line) {
            case .result(let id, let result) where sources.indices.contains(id):
                troubles[sources[id]] = SearchReport(result).sources.first?.trouble
                answered += 1
            case .failure(let id?, let error) where sources.indices.contains(id):
                troubles[sources[id]] = error
                answered += 1
            case .failure(id: nil, let error): throw error
            case .result, .failure, .notification: continue
            }
        }
        guard answered == sources.count else { throw Connector.lost }
        return troubles
    }
}
