/// Finds what can complete the last word of a command line, and ignores errors in the other words.
package struct CompletionPosition {
    /// The part of the last word that stays before each candidate, such as `--sort=`.
    package private(set) var kept = ""
    package private(set) var prefix: String
    package private(set) var suggestions: [Suggestion] = []
    private var parser: CommandLineParser

    package init(_ line: [String], commands: [Command]) {
        prefix = line.last ?? ""
        parser = CommandLineParser(commands: commands)
        for word in line.dropLast() { try? parser.take(word) }
        finish()
    }

    package var socket: String? { parser.arguments.text(.socket) }

    private mutating func finish() {
        let words = parser.arguments.words
        if let (option, _) = parser.pending { return complete(valueOf: option) }
        if !parser.optionsEnded, prefix.hasPrefix("-") {
            if case let (option, value?)? = CommandOption.read(prefix, among: parser.options) {
                kept = String(prefix.dropLast(value.count))
                prefix = value
                return complete(valueOf: option)
            }
            suggestions = [.words(optionWords)]
        } else if parser.isHelp {
            suggestions = parser.command == nil ? [.commands] : []
        } else if let command = parser.command {
            let takesMore = words.count < command.wordCount.upperBound
            suggestions = takesMore ? command.suggestions(words) : parser.optionsEnded ? [] : [.words(optionWords)]
        } else {
            suggestions = [.commands, .words([Candidate("help", "the help of a command")])]
        }
    }

    private var optionWords: [Candidate] {
        parser.options.filter { $0.isRepeatable || !parser.arguments.has($0) }
            .map { Candidate("--\($0.name)", $0.help) }
    }

    private mutating func complete(valueOf option: CommandOption) {
        switch option.value {
        case .choice(_, of: let words): suggestions = [.words(words.map { Candidate($0, "") })]
        case .text: suggestions = option.suggestion.map { [$0] } ?? []
        case .nothing, .number, .duration: break
        }
        guard suggestions == [.sources] || suggestions == [.kinds], let comma = prefix.lastIndex(of: ",") else {
            return
        }
        kept += prefix[...comma]
        prefix = String(prefix[prefix.index(after: comma)...])
    }
}
