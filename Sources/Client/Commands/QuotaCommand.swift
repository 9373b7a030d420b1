import JSON
import RPC
import SearchModel

/// The command `searchctl quota`, which lists the quotas, or sets how much of a quota is used.
enum QuotaCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let words = context.arguments.words
        guard words.count == 2 else { return try list(words.first, context) }
        let used = (try? JSONDocument(Array(words[1].utf8)))?.root
        guard let name = words.first, let used, let amount = used.double, amount >= 0 else {
            throw ClientError(.usage, "USED must be a number of calls, or an amount of money such as 1.25")
        }
        let params = JSONWriter.bytes { writer in
            writer.member(.name, name)
            writer.name(.used)
            writer.raw(used.text)
        }
        // The report contains the usage before the change, so that a mistake can be corrected.
        let before = try Connector(context).withExchange { exchange throws(ClientError) in
            try DaemonSnapshot(of: &exchange, [.sourceList], clock: context.clock).quotas
        }
        let result: JSONCursor
        do throws(ClientError) {
            result = try Connector(context).ask(.quotaSet, params)
        } catch  where error.path == "params.name" {
            throw unknown(name, hint: error.hint)
        } catch {
            throw error.forRoot("sudo searchctl quota \(name) \(words[1])")
        }
        let lines = (result[.quota]?.elements ?? []).map { quota in
            let entry = QuotaEntry(quota, of: "", clock: context.clock)
            let old = before.first { $0.name == entry.name }.map { ". Before: \($0.text)" } ?? ""
            return "\(entry.name): \(entry.text)\(old)"
        }
        try context.report(json: [result.text], or: lines)
        return .found
    }

    private static func list(_ name: String?, _ context: Context) throws(ClientError) -> ExitStatus {
        try Connector(context).withExchange { exchange throws(ClientError) in
            let all = try DaemonSnapshot(of: &exchange, [.sourceList], clock: context.clock).quotas
            let quotas = all.filter { name == nil || $0.name == name }
            if let name, quotas.isEmpty { throw unknown(name, hint: ClientError.guess(name, among: all.map(\.name))) }
            let lines = context.layout.table(quotas.map { ($0.name, $0.text) })
            try context.report(json: quotas.map(\.json.text), or: lines)
            return .found
        }
    }

    private static func unknown(_ name: String, hint: String?) -> ClientError {
        ClientError(.usage, "no quota is called “\(name)”", hint: hint ?? "“searchctl quota” lists them.")
    }
}
