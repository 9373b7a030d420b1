import JSON
import RPC
import SearchModel

extension ClientError {
    func forRoot(_ command: String) -> ClientError {
        var error = self
        if code == .init(.forbidden) { error.hint = "Run “\(command)”." }
        return error
    }
}

/// The command `searchctl reload`, which makes the daemon read its configuration, sources and keys again.
enum ReloadCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        // Do not start a daemon, because a new daemon reads all files anyway.
        let result = try reload(Connector(context, starting: .nothing))
        let lines = lines(result).flatMap(context.layout.fitted)
        try context.report(json: [result.text], or: lines)
        return .found
    }

    static func reload(_ connector: Connector) throws(ClientError) -> JSONCursor {
        do throws(ClientError) {
            return try connector.ask(.reload)
        } catch {
            var failure = error.forRoot("sudo searchctl reload")
            if error.code == .init(.invalidParams) { failure.code = .init(.notConfigured) }
            throw failure
        }
    }

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
