import JSON
import RPC
import SearchModel

/// The outcome of storing or removing keys; pure, and without any key.
struct KeyOutcome {
    let account: String
    /// `stored` or `removed`.
    let verb: String
    let secrets: [String]
    let directory: String
    /// Stores the keys again.
    let command: String
    /// Tries them again.
    let trial: String
    /// Whether the daemon works with it already.
    var isInEffect = false
    /// Whether the service was restarted for that.
    var hasRestarted = false
    /// Whether no source is enabled although the daemon has read them.
    var isUseless = false
    /// Sources that can be asked now and could not before.
    var unlocked: [String] = []
    /// Sources that could be searched before and can't any more.
    var locked: [String] = []
    /// The source that was asked for the whole account.
    var tried: String?
    var trouble: ClientError?
    /// Whether all is as it was before, since the source refuses the keys.
    var isKept = false
    /// Whether other keys were stored before.
    var hadOther = false

    /// Whether the source does not take the key.
    var isRefused: Bool { trouble?.code == .init(.unauthorized) }
    /// The sources that answer now: a key that is refused opens none, whatever the daemon is ready to ask.
    private var opened: [String] { isRefused ? [] : unlocked }

    var lines: [String] {
        guard !isKept else { return [hadOther ? "not stored: the previous key is kept" : "not stored"] }
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
            let again = "Set it again with “\(command)”."
            trouble.hint = isKept && hadOther ? "The previous one is still used." : again
        } else {
            let isNamed = !trouble.message.hasSameBytes(as: cause)
            let named = isNamed ? trouble.message : "\(tried): \(cause)"
            trouble.message = "the key is stored, but could not be verified: \(named)"
            // Of what may pass by itself there is no more to say than that.
            let reason = trouble.isRetryable == false ? trouble.hint.map { $0.hasSuffix(".") ? $0 : $0 + "." } : nil
            trouble.hint = [reason, "“\(trial)” tries it again."].compactMap(\.self).joined(separator: " ")
        }
        return trouble
    }

    var json: [UInt8] {
        JSONWriter.bytes { writer in
            writer.member("account", account)
            writer.name(verb)
            writer.array { writer in for secret in isKept ? [] : secrets { writer.string(secret) } }
            if isKept { writer.member(Member("kept"), secrets) }
            writer.member("directory", directory)
            writer.member("inEffect", isInEffect)
            if tried != nil, trouble == nil || isRefused { writer.member("works", trouble == nil) }
            writer.member("error", trouble?.message)
            writer.member(Member("unlocked"), opened)
            writer.member(Member("locked"), locked)
        }
    }
}

/// Whether the keys of an account are there and work; pure, and without any key.
struct KeyStanding {
    private let account: KeyAccount
    /// The names of the secrets that lie in the store.
    private let stored: Set<String>
    private let isTried: Bool
    private let trouble: ClientError?
    private let line: KeyCommandLine

    init(
        _ account: KeyAccount,
        _ store: KeyStore,
        isTried: Bool,
        trouble: ClientError?,
        line: KeyCommandLine = KeyCommandLine(isSystem: false)
    ) {
        self.account = account
        self.line = line
        stored = Set(account.secretNames.filter { store.has(account.name, $0) })
        self.isTried = isTried
        self.trouble = trouble
    }

    /// Whether the source does not take the key.
    var isRefused: Bool { trouble?.code == .init(.unauthorized) }

    /// Whether it was tried and yet it is not known whether the key works.
    var isOpen: Bool { trouble != nil && !isRefused }

    /// The account, and whether its key works, else what to do.
    var row: (name: String, text: String) {
        let text = [word, detail].compactMap(\.self).joined(separator: ", ")
        return (VisibleText.visible(account.name), VisibleText.visible(text))
    }

    private var word: String {
        guard account.ways.contains(where: \.isComplete) else { return stored.isEmpty ? "no key" : "incomplete" }
        guard isTried else { return account.enabledNames.isEmpty ? "switched off" : "not tried" }
        guard let trouble else { return "works" }
        return "\(isRefused ? "refused" : "unverified"): \(trouble.message)"
    }

    /// Which of several ways is in use, or what is missing.
    private var detail: String? {
        let command = account.setCommands(in: line)
        if let way = account.ways.first(where: \.isComplete) { return way.name.isEmpty ? nil : "with “\(way.name)”" }
        guard let begun = account.ways.first(where: { $0.secrets.contains(where: \.isPresent) }) else {
            return stored.isEmpty ? "set it with \(command)" : "set it again with \(command)"
        }
        let missing = begun.secrets.filter { !$0.isPresent }.map(\.name).joined(separator: ", ")
        return "\(missing) is missing: set it with \(command)"
    }

    var json: [UInt8] {
        JSONWriter.bytes { writer in
            writer.member("account", account.name)
            if isTried, trouble == nil || isRefused { writer.member("works", trouble == nil) }
            writer.member("error", trouble?.message)
            writer.array(Member("ways")) { writer in
                for way in account.ways { write(way, to: &writer) }
            }
            writer.member(.sources, account.enabledNames)
        }
    }

    private func write(_ way: KeyWay, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("way", way.name)
            writer.array(.secrets) { writer in
                for secret in way.secrets {
                    writer.object { writer in
                        writer.member("name", secret.name)
                        writer.member("present", secret.isPresent)
                        writer.member("stored", stored.contains(secret.name))
                    }
                }
            }
        }
    }
}
