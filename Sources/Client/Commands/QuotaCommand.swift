import EventLoop
import JSON
import RPC
import SearchModel

/// `searchctl quota`: corrects the used count of a quota.
enum QuotaCommand {
    static let timeoutSeconds = 10

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        guard let name = arguments.words.first, let used = Int(arguments.words.last ?? ""), used >= 0 else {
            throw ClientError(
                .usage,
                "USED is a number of calls, 0 or more",
                hint: "Usage: searchctl quota NAME USED. “searchctl status” lists the quotas."
            )
        }
        let params = JSONWriter.bytes { writer in
            writer.member(.name, name)
            writer.member(.used, used)
        }
        return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            do throws(ClientError) {
                let result = try exchange.ask(.quotaSet, params: params, within: timeoutSeconds)
                try exchange.print(json: result.text, or: lines(result), as: format)
                return .found
            } catch  where error.code == .init(.forbidden) {
                var failure = error
                failure.hint = "Run “sudo searchctl quota \(name) \(used)”."
                throw failure
            }
        }
    }

    private static func lines(_ result: JSONCursor) -> [String] {
        (result[.quota]?.elements ?? []).map { quota in
            let (used, limit) = (quota[.used]?.int ?? 0, quota[.limit]?.int ?? 0)
            let name = quota[.name]?.string ?? "?"
            return VisibleText.visible("\(name): \(FigureText.grouped(used)) of \(FigureText.grouped(limit)) used")
        }
    }
}
