/// Where on a command line the cursor stands, and what may stand there; pure.
///
/// The words need not be right, nor complete: people complete what they have not finished.
package struct CompletionPosition {
    /// The socket that the words name, where the daemon is to be asked.
    package private(set) var socket: String?
    /// What stands before the part to be completed, and in front of every candidate: `--sort=`, `kakao.blog,`.
    package private(set) var kept = ""
    /// The part to be completed.
    package private(set) var prefix: String
    /// What may stand there.
    package private(set) var suggestions: [Suggestion] = []

    private let commands: [Command]
    private var command: Command?
    /// `help`, which is no command of its own, stands where a command would.
    private var isHelp = false
    private var words: [String] = []
    private var given: Set<String> = []
    /// The option whose value comes next.
    private var pending: CommandOption?
    private var optionsEnded = false

    /// Reads the words behind the program's name; the last one, which may be empty, is the one to be completed.
    package init(_ line: [String], commands: [Command]) {
        self.commands = commands
        prefix = line.last ?? ""
        for word in line.dropLast() { read(word) }
        finish()
    }

    private var options: [CommandOption] {
        (command?.options ?? []) + CommandOption.common
    }

    /// Those that go with the words so far.
    private var fittingOptions: [CommandOption] {
        (command?.optionsBehind?(words) ?? command?.options ?? []) + CommandOption.common
    }

    // MARK: What stands before

    private mutating func read(_ word: String) {
        if let option = pending {
            pending = nil
            note(option, value: word)
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
        if let value { note(option, value: value) } else if !option.value.standsAlone { pending = option }
    }

    private mutating func note(_ option: CommandOption, value: String) {
        if option.name == CommandOption.socket.name { socket = value }
    }

    // MARK: What may stand here

    private mutating func finish() {
        if let option = pending {
            take(valueOf: option)
        } else if !optionsEnded, prefix.hasPrefix("-") {
            if case let (option, value?)? = CommandOption.read(prefix, among: options) {
                kept = String(prefix.dropLast(value.count))
                prefix = value
                take(valueOf: option)
            } else {
                suggestions = [.words(optionWords)]
            }
        } else if isHelp {
            suggestions = words.isEmpty ? [.commands] : []
        } else if let command {
            let takesMore = words.count < command.wordCount.upperBound
            suggestions = takesMore ? command.suggestions(words) : []
            // Nothing but options may follow, so they need no dash to be asked for.
            if !takesMore, prefix.isEmpty, !optionsEnded { suggestions = [.words(optionWords)] }
        } else {
            suggestions = [.commands, .words([Candidate("help", "the help of a command")])]
        }
    }

    /// Options that may still be given, with their dashes; a letter alone when it is there already.
    private var optionWords: [Candidate] {
        let open = fittingOptions.filter { $0.isRepeatable || !given.contains($0.name) }
        let letters = open.compactMap { option in
            option.letter.flatMap { prefix == "-\($0)" ? Candidate(prefix, option.help) : nil }
        }
        return letters + open.map { Candidate("--\($0.name)", $0.help) }
    }

    private mutating func take(valueOf option: CommandOption) {
        let fitting = fittingOptions.first { $0.name == option.name } ?? option
        switch fitting.value {
        case .choice(_, of: let words):
            suggestions = [.words(words.map { Candidate($0, "") })]
        case .text: suggestions = fitting.suggestion.map { [$0] } ?? []
        case .nothing, .number, .duration: break
        }
        // Several names may stand in one value.
        guard suggestions == [.sources] || suggestions == [.kinds], let comma = prefix.lastIndex(of: ",") else {
            return
        }
        kept += prefix[...comma]
        prefix = String(prefix[prefix.index(after: comma)...])
    }
}
