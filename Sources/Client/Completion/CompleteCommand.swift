import EventLoop
import JSON
import RPC

/// The command `searchctl complete`, which prints the candidates for the last word, for completion in shells.
enum CompleteCommand {
    static let daemonMax = Duration.milliseconds(200)
    /// After this line, the shell adds file names.
    static let filesLine = "\tfiles"

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let position = CompletionPosition(context.arguments.words, commands: context.commands)
        let lines = candidates(position, context).map(\.line)
        let files = position.suggestions.contains(.files) ? [filesLine] : []
        try context.console.print((lines + files).map { $0 + "\n" }.joined())
        return .found
    }

    private static func candidates(_ position: CompletionPosition, _ context: Context) -> [Candidate] {
        let all = position.suggestions.flatMap { suggestion -> [Candidate] in
            switch suggestion {
            case .words(let words): return words
            case .commands: return context.commands.filter { !$0.isHidden }.map { Candidate($0.name, $0.summary) }
            case .hits: return hits(context)
            default:
                let result = try? result(for: suggestion, position, context)
                return result.map { suggestion.candidates(in: $0, prefix: position.prefix) } ?? []
            }
        }
        let takesAll = position.suggestions.contains { if case .suggestions = $0 { true } else { false } }
        return all.filter { $0.isPlain && (takesAll || $0.word.hasPrefix(position.prefix)) }
            .map { Candidate(position.kept + $0.word, $0.about) }
    }

    private static func hits(_ context: Context) -> [Candidate] {
        guard let search = LastSearchStore.last(context) else { return [] }
        return search.hits.enumerated().map { Candidate(String(search.firstNumber + $0), FoundHit($1).title) }
    }

    private static func result(
        for suggestion: Suggestion,
        _ position: CompletionPosition,
        _ context: Context
    ) throws(ClientError) -> JSONCursor? {
        guard let method = suggestion.method else { return nil }
        var arguments = Arguments()
        arguments.append(.present, of: .noStart)
        if let socket = position.socket { arguments.append(.text(socket), of: .socket) }
        let deadline = Instant.now.advanced(by: daemonMax)
        var exchange = try Connector(context.with(arguments)).connect(until: deadline)
        try exchange.send(line: RequestLine.request(1, method, params: suggestion.params(position.prefix)))
        return try exchange.result(of: 1, until: deadline)
    }
}

/// The command `searchctl completion`, which prints the completion script for a shell.
enum CompletionCommand {
    private static let scripts: KeyValuePairs = [
        "bash": PackageResources.completion_bash, "zsh": PackageResources.completion_zsh,
        "fish": PackageResources.completion_fish,
    ]
    static let shells = scripts.map(\.key)

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let shell = context.arguments.words.first ?? ""
        guard let script = scripts.first(where: { $0.key == shell })?.value else {
            throw ClientError(
                .usage,
                "unknown shell “\(shell)”",
                hint: ClientError.guess(shell, among: shells) ?? "The shells are \(shells.joined(separator: ", "))."
            )
        }
        try context.console.print(String(decoding: script, as: UTF8.self))
        return .found
    }
}
