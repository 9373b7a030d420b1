import RPC
import SearchModel

/// What `doctor` concludes about keys and sources: one finding for each cause; pure.
struct SourceChecks {
    let facts: DoctorFacts

    private var entries: [SourceEntry] { facts.snapshot?.sources.map(SourceEntry.init) ?? [] }

    // MARK: Keys

    var keys: [Finding] {
        let (present, missing) = (accounts.filter(Self.hasKey), accounts.filter { !Self.hasKey($0) })
        var findings: [Finding] = []
        if !present.isEmpty { findings.append(.pass("keys", "set for \(Self.names(present))")) }
        if !missing.isEmpty {
            let count = missing.reduce(0) { $0 + $1.sources.count }
            findings.append(
                .warning(
                    "keys",
                    "none for \(Self.names(missing)), so \(FigureText.count(count, "source")) "
                        + "\(count == 1 ? "is" : "are") off",
                    remedy(missing, count == 1 ? "it" : "them")
                )
            )
        }
        return findings
    }

    private var accounts: [KeyAccount] { KeyAccount.all(in: facts.snapshot?.sources ?? []) }

    private static func hasKey(_ account: KeyAccount) -> Bool {
        account.ways.contains(where: \.isComplete)
    }

    private static func names(_ accounts: [KeyAccount]) -> String {
        accounts.map(\.name).joined(separator: ", ")
    }

    /// How keys are set that are missing: of several accounts, by name only where there is more to say than that.
    private func remedy(_ missing: [KeyAccount], _ them: String) -> String {
        guard missing.count > 1 else { return "Run \(missing[0].setCommands(in: line)) to use \(them)." }
        let others = missing.filter { $0.ways.count > 1 }.map { "; for \($0.name), \($0.setCommands(in: line))" }
        return "Run “\(line.text("set", "ACCOUNT"))” to use \(them)\(others.joined())."
    }

    /// The command that stores an account's key.
    private func keysSet(_ name: String) -> String {
        accounts.first { $0.name == name }?.setCommands(in: line) ?? "“\(line.text("set", name))”"
    }

    /// The commands for the keys of this daemon.
    private var line: KeyCommandLine {
        KeyCommandLine(isSystem: facts.daemonUserID.map { $0 != facts.userID } ?? false)
    }

    // MARK: Answers

    /// How many answered, and each cause for which others did not.
    var answers: [Finding] {
        guard !facts.asked.isEmpty else { return [] }
        let answered = facts.asked.count - facts.troubles.count
        let offline = facts.troubles.values.filter(\.isOffline)
        guard offline.isEmpty else {
            let hint = "Check the network connection; “searchctl search --offline” searches what is cached."
            return [.failure("network", "this machine is offline", hint, .tryLater)]
        }
        let count = "\(answered) of \(FigureText.count(facts.asked.count, "source"))"
        let summary = answered > 0 ? [Finding.pass("sources", "\(count) answer")] : []
        let unresolved = self.unresolved
        guard Set(unresolved.values).count > 1 else { return summary + causes(of: facts.asked).map(finding) }
        // It is hardly each of the names.
        let cause = SourceTroubles.withoutHost(unresolved.values.first ?? "")
        let names = FigureText.count(unresolved.count, "source")
        return summary + [.failure("network", "\(names): \(cause)", SourceTroubles.networkHint, .tryLater)]
            + causes(of: facts.asked.filter { unresolved[$0] == nil }).map(finding)
    }

    /// By the sources whose server's name can't be resolved, what was said.
    private var unresolved: [String: String] {
        let said = facts.troubles.map { ($0.key, $0.value.message(without: $0.key)) }
        return Dictionary(uniqueKeysWithValues: said.filter { SourceTroubles.withoutHost($0.1) != $0.1 })
    }

    private typealias Cause = (trouble: ClientError, names: [String])

    /// The troubles, those of an account that are the same joined.
    private func causes(of names: [String]) -> [Cause] {
        var causes: [(key: [String], cause: Cause)] = []
        for name in names {
            guard var trouble = facts.troubles[name] else { continue }
            trouble.message = trouble.message(without: name)
            let key = [account(of: name), trouble.code.rawValue, trouble.message]
            if let known = causes.firstIndex(where: { $0.key == key }) {
                causes[known].cause.names.append(name)
            } else {
                causes.append((key, (trouble, [name])))
            }
        }
        return causes.map(\.cause)
    }

    private func finding(_ cause: Cause) -> Finding {
        let trouble = cause.trouble
        let asked = entries.filter { cause.names.contains($0.name) }
        let name = asked.isEmpty ? cause.names.joined(separator: ", ") : SourceTrouble.name(of: asked, among: entries)
        let remedy = remedy(trouble, account: account(of: cause.names[0]))
        let status = ExitStatus(of: trouble)
        let isKnown = [.notAllowed, .notConfigured].contains(status)
        // A source that asks for patience, or does not take this very query, is not at fault.
        let isFault = ![.init(.rateLimited), .init(.overloaded), .init(.invalidParams)].contains(trouble.code)
        var finding =
            isFault
            ? Finding.failure(name, trouble.message, remedy, isKnown ? status : .tryLater)
            : .warning(name, trouble.message, remedy)
        finding.sources = cause.names
        return finding
    }

    private func account(of source: String) -> String {
        entries.first { $0.name == source }?.account ?? String(source.prefix { $0 != "." })
    }

    private func remedy(_ trouble: ClientError, account: String) -> String {
        switch trouble.code {
        case .init(.unauthorized): "Set its key again with \(keysSet(account))."
        case .init(.notConfigured): "Set a key with \(keysSet(account))."
        default: trouble.hint ?? "Try again later; if it persists, check the network and the source itself."
        }
    }
}
