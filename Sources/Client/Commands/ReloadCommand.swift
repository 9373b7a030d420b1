import EventLoop
import JSON
import RPC
import SearchModel

/// `searchctl reload`: the daemon reads its configuration, sources and keys again.
enum ReloadCommand {
    static let timeoutSeconds = 10

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        // One that is started now has read everything anyway.
        let connector = try Connector(arguments, context, mayStart: false)
        return try connector.withExchange { exchange throws(ClientError) in
            let result = try reload(&exchange, within: timeoutSeconds)
            try exchange.print(json: result.text, or: lines(result), as: format)
            return .found
        }
    }

    /// Here wrong parameters are a wrong file: the command line is right.
    static func reload(_ exchange: inout DaemonConnection, within seconds: Int) throws(ClientError) -> JSONCursor {
        do throws(ClientError) {
            return try exchange.ask(.reload, within: seconds)
        } catch  where error.code == .init(.invalidParams) {
            var failure = error
            failure.code = .init(.notConfigured)
            throw failure
        } catch  where error.code == .init(.forbidden) {
            var failure = error
            failure.hint = "Run “sudo searchctl reload”."
            throw failure
        }
    }

    /// What has changed, for a person; pure.
    static func lines(_ result: JSONCursor) -> [String] {
        let sources = result[.sources]
        let parts = [
            ("changed", result[.changed]), ("new sources", sources?[.added]),
            ("sources removed", sources?[.removed]), ("sources changed", sources?[.changed]),
            ("takes effect after a restart", result[.needsRestart]),
        ]
        let lines = parts.compactMap { title, list -> String? in
            let names = list?.elements.compactMap(\.string) ?? []
            return names.isEmpty ? nil : VisibleText.visible("\(title): \(names.joined(separator: ", "))")
        }
        return lines.isEmpty ? ["Reloaded; nothing has changed."] : ["Reloaded."] + lines
    }
}
