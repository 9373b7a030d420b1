import JSON
import RPC
import SearchModel

/// The command `searchctl suggest`, which completes a query.
enum SuggestCommand {
    static let command = Command(
        "suggest",
        .find,
        arguments: "PREFIX…",
        wordCount: 1...Command.wordsMax,
        summary: "complete a query from your searches, hits and saved items",
        details: [
            "PREFIX is the beginning of an earlier query or a title, or of a word in it. It may be initials (ㄱㅇㅇ), incomplete (고야) or "
                + "typed in the wrong keyboard layout (rhdid). Frequent, recent and close matches come first.",
            "In a pipe, prints one text per line. --json adds kind, count and time. Asks no source.",
        ],
        options: CommandOption.ofSuggest,
        examples: ["searchctl suggest ㄱㅇㅇ", "searchctl suggest -n 20 ''"],
        suggestions: { [.suggestions(after: $0)] },
        isBrief: true,
        run: run
    )

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let prefix = context.arguments.words.joined(separator: " ")
        let params = Self.params(prefix, limit: context.arguments.number(.limit))
        let result = try Connector(context).ask(.suggest, params)
        let suggestions = Array(result[.suggestions]?.elements ?? [])
        let lines = suggestions.map { line($0, context) }
        try context.report(json: suggestions.map(\.text), or: lines)
        guard suggestions.isEmpty else { return .found }
        context.console.report("No earlier search, hit or saved item matches.")
        return .nothingFound
    }

    static func params(_ prefix: String, limit: Int?) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.prefix, prefix)
            writer.member(.limit, limit)
        }
    }

    private static func line(_ suggestion: JSONCursor, _ context: Context) -> String {
        let text = VisibleText.visible(suggestion[.text]?.string ?? "")
        guard context.console.outputIsTerminal else { return text }
        let at = suggestion[.at]?.string.flatMap { PublishedTime($0, precision: nil) }
        let age = at?.age(at: context.now(), in: context.zone)
        let count = suggestion[.count]?.int ?? 1
        let origin: String? =
            switch suggestion[.kind]?.string {
            case "history": count > 1 ? "searched \(NumberText.grouped(count)) times" : "searched"
            case "saved": "saved"
            case "title": "seen"
            default: nil
            }
        let about = [origin, age].compactMap(\.self).joined(separator: ", ")
        return about.isEmpty ? text : "\(text)  \(context.style.dim("(\(about))"))"
    }
}

extension CommandOption {
    static let ofSuggest = [limit("suggestions", standard: WireBounds.suggestLimitDefault)] + ofReport
}
