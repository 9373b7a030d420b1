/// Finds out what can complete the last word of a command line; pure.
///
/// The words before the last one need not be valid.
package struct CompletionPosition {
    /// The value of --socket.
    package private(set) var socket: String?
    /// The part of the last word with which every candidate begins, such as `--sort=`.
    package private(set) var kept = ""
    package private(set) var prefix: String
    package private(set) var suggestions: [Suggestion] = []

    private var command: Command?
    private var isHelp = false
    private var words: [String] = []
    private var given: Set<String> = []
    /// The option whose value is the next word.
    private var pending: CommandOption?
    private var optionsEnded = false

    /// Reads the words after the program's name, of which the last is to be completed.
    package init(_ line: [String], commands: [Command]) {
        prefix = line.last ?? ""
        for word in line.dropLast() { read(word, commands) }
        finish()
    }

    private var options: [CommandOption] { (command?.options ?? []) + CommandOption.common }

    private mutating func read(_ word: String, _ commands: [Command]) {
        if let option = pending {
            pending = nil
            if option.name == CommandOption.socket.name { socket = word }
        } else if !optionsEnded, word.hasPrefix("-"), word != "-" {
            if word == "--" { optionsEnded = true } else { readOption(word) }
        } else if command == nil, !isHelp {
            isHelp = word == "help"
            command = commands.first { $0.name == word }
        } else {
            words.append(word)
        }
    }

    private mutating func readOption(_ word: String) {
        guard let (option, value) = CommandOption.read(word, among: options) else { return }
        given.insert(option.name)
        if value != nil, option.name == CommandOption.socket.name { socket = value }
        if value == nil, !option.value.takesNoValue { pending = option }
    }

    private mutating func finish() {
        if let option = pending { return complete(valueOf: option) }
        if !optionsEnded, prefix.hasPrefix("-") {
            if case let (option, value?)? = CommandOption.read(prefix, among: options) {
                kept = String(prefix.dropLast(value.count))
                prefix = value
                return complete(valueOf: option)
            }
            suggestions = [.words(optionWords)]
        } else if isHelp {
            suggestions = words.isEmpty ? [.commands] : []
        } else if let command {
            let takesMore = words.count < command.wordCount.upperBound
            suggestions = takesMore ? command.suggestions(words) : optionsEnded ? [] : [.words(optionWords)]
        } else {
            suggestions = [.commands, .words([Candidate("help", "the help of a command")])]
        }
    }

    private var optionWords: [Candidate] {
        options.filter { $0.isRepeatable || !given.contains($0.name) }.map { Candidate("--\($0.name)", $0.help) }
    }

    private mutating func complete(valueOf option: CommandOption) {
        switch option.value {
        case .choice(_, of: let words): suggestions = [.words(words.map { Candidate($0, "") })]
        case .text: suggestions = option.suggestion.map { [$0] } ?? []
        case .nothing, .number, .duration: break
        }
        // These options take several names, separated by commas.
        guard suggestions == [.sources] || suggestions == [.kinds], let comma = prefix.lastIndex(of: ",") else {
            return
        }
        kept += prefix[...comma]
        prefix = String(prefix[prefix.index(after: comma)...])
    }
}
