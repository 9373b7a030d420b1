import JSON
import RPC
import SearchModel

/// The command `searchctl quota`, which lists the quotas, or sets how much of a quota is used.
enum QuotaCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let words = context.arguments.words
        let (snapshot, keys) = try Connector(context).withExchange { exchange throws(ClientError) in
            (try DaemonSnapshot(of: &exchange, [.sourceList], clock: context.clock), exchange.keys)
        }
        guard words.count == 2 else { return try list(snapshot, words.first, keys, context) }
        let quotas = snapshot.quotas
        let (name, command) = (words[0], "searchctl quota \(words[0]) \(ShellWord.quoted(words[1]))")
        let used = (try? JSONDocument(Array(words[1].utf8)))?.root
        guard let used, let amount = used.double, amount >= 0 else {
            let forms = "a number of calls, or an amount of money such as 1.25"
            throw ClientError(.usage, "USED is \(forms), not “\(words[1])”")
        }
        let old = quotas.first { $0.name == name }
        if let old, amount < old.json[.used]?.double ?? 0 {
            let question = "\(name): \(old.text). Set the used amount to only \(words[1])?"
            guard try context.isConfirmed(question, orRun: command + " --yes") else { return .interrupted }
        }
        let params = JSONWriter.bytes { writer in
            writer.member(.name, name)
            writer.name(.used)
            writer.raw(used.text)
        }
        let result: JSONCursor
        do throws(ClientError) {
            result = try Connector(context).ask(.quotaSet, params)
        } catch  where error.path == "params.name" {
            let own = snapshot.sources.filter { $0.account == name }.flatMap { $0.quotas.map(\.name) }
            guard !own.isEmpty else { throw unknown(name, hint: error.hint) }
            let hint = "Give one of its quotas: \(Set(own).sorted().joined(separator: ", "))."
            throw ClientError(.usage, "\(name) is an account", hint: hint)
        } catch {
            throw OptionWords.translate(error.forRoot("sudo \(command) --yes"))
        }
        let lines = (result[.quota]?.elements ?? []).flatMap { quota in
            let entry = QuotaEntry(quota, of: "", clock: context.clock)
            let before = quotas.first { $0.name == entry.name }.map { ["Before: \($0.text)"] } ?? []
            return ["\(entry.name): \(entry.text)"] + before
        }
        try context.report(json: [result.text], or: lines)
        return .found
    }

    private static func list(
        _ snapshot: DaemonSnapshot,
        _ name: String?,
        _ keys: KeyCommandLine,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        try context.arguments.allow(CommandOption.ofReport, of: [.yes], in: "quota")
        var quotas = snapshot.quotas
        if let name {
            let sources = snapshot.sources.filter { $0.account == name || $0.quotas.contains { $0.name == name } }
            guard let account = sources.first?.account else {
                let names = snapshot.sources.map(\.account) + quotas.map(\.name)
                throw unknown(name, hint: ClientError.guess(name, among: names))
            }
            let wanted = sources.flatMap(\.quotas).map(\.name).filter { name == account || $0 == name }
            quotas = quotas.filter { wanted.contains($0.name) }
            if quotas.isEmpty {
                let missing = snapshot.accounts.first { $0.name == account && $0.lacksKey }
                let hint = missing.map { "It has no key. Set one with \($0.setCommands(in: keys))." }
                throw ClientError(.init(.notFound), "\(account) has no quota now", hint: hint)
            }
        }
        let lines = context.layout.table(quotas.map { ($0.name, $0.text) })
        try context.report(json: quotas.map(\.json.text), or: lines)
        return .found
    }

    private static func unknown(_ name: String, hint: String?) -> ClientError {
        ClientError(.usage, "no quota or account is called “\(name)”", hint: hint ?? "“searchctl quota” lists them.")
    }
}
