import EventLoop
import JSON
import RPC

/// `searchctl complete -- WORDS…`, which the shells' scripts ask: what the last word could become, a line each.
///
/// Errors are not reported, since the shell would not show them; what is known without a daemon is still offered.
enum CompleteCommand {
    /// How long the daemon may take in all: a person waits with a finger on the key.
    static let daemonMax = Duration.milliseconds(200)

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let commands = context.commands
        let position = CompletionPosition(arguments.words, commands: commands)
        let completion = Completion(position, commands: commands, facts: facts(position, context))
        try Printer(context.console).print(completion.lines.map { $0 + "\n" }.joined())
        return .found
    }

    private static func facts(_ position: CompletionPosition, _ context: Context) -> CompletionFacts {
        var facts = CompletionFacts()
        if position.suggestions.contains(.hits), let search = try? LastSearchStore.load(context) { facts.take(search) }
        if let suggestion = position.suggestions.first(where: { $0.method != nil }),
            let result = try? result(for: suggestion, position, context)
        {
            facts.take(result)
        }
        return facts
    }

    private static func result(
        for suggestion: Suggestion,
        _ position: CompletionPosition,
        _ context: Context
    ) throws(ClientError) -> JSONCursor? {
        guard let method = suggestion.method else { return nil }
        var asking = Arguments()
        asking.append(.present, of: .noStart)
        if let socket = position.socket { asking.append(.text(socket), of: .socket) }
        let deadline = Instant.now.advanced(by: daemonMax)
        var exchange = try Connector(asking, context).connect(until: deadline)
        try exchange.send(line: RequestLine.request(1, method, params: suggestion.params(position.prefix)))
        return try exchange.result(of: 1, until: deadline)
    }
}

/// `searchctl completion SHELL`: the script that a shell reads to complete our command lines.
enum CompletionCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let shell = arguments.words.first ?? ""
        guard let text = CompletionScript.text(for: shell) else {
            let hint = ClientError.guess(shell, among: CompletionScript.shells)
            throw ClientError(
                .usage,
                "there is no completion for “\(shell)”",
                hint: hint ?? "There is one for \(CompletionScript.shells.joined(separator: ", "))"
            )
        }
        try Printer(context.console).print(text)
        return .found
    }
}

/// The scripts that let a shell ask `searchctl complete`; they hold as little as their shell lets them.
enum CompletionScript {
    static let shells = ["bash", "zsh", "fish"]

    static func text(for shell: String) -> String? {
        let script: [UInt8]? =
            switch shell {
            case "bash": PackageResources.completion_bash
            case "zsh": PackageResources.completion_zsh
            case "fish": PackageResources.completion_fish
            default: nil
            }
        return script.map { String(decoding: $0, as: UTF8.self) }
    }
}
