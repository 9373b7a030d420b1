/// Reads a command line against a table of commands; pure.
package struct CommandLineParser {
    package enum Request: Sendable {
        case run(Command, Arguments)
        /// The help of a command, or of the program if there is no command. If `all` is true, with all options.
        case help(Command?, all: Bool)
        case version
    }

    private let commands: [Command]
    private var rest: ArraySlice<String>
    private var command: Command?
    private var arguments = Arguments()
    /// Whether `--` was read: all later words are arguments.
    private var optionsEnded = false

    /// Reads `words`, the command line without the program's name.
    ///
    /// - Throws: A `ClientError` of code `usage`, with the most similar valid word as its hint.
    package static func parse(_ words: [String], commands: [Command]) throws(ClientError) -> Request {
        var parser = CommandLineParser(commands: commands, rest: words[...])
        return try parser.parse()
    }

    private mutating func parse() throws(ClientError) -> Request {
        while let word = rest.popFirst() {
            if !optionsEnded, word.hasPrefix("-"), word != "-" {
                if word == "--" {
                    optionsEnded = true
                } else if let request = try readOption(word) {
                    return request
                }
            } else if command == nil {
                // `help` is not a command, but many people type it.
                if word == "help" {
                    return .help(try rest.first.map(findCommand), all: rest.dropFirst().first == "all")
                }
                command = try findCommand(word)
            } else {
                arguments.append(word: word)
            }
        }
        guard let command else {
            throw ClientError(.usage, "a command is missing", hint: "“searchctl --help” lists them.")
        }
        try checkWords(of: command)
        return .run(command, arguments)
    }

    private func findCommand(_ word: String) throws(ClientError) -> Command {
        if let command = commands.first(where: { $0.name == word }) { return command }
        let hint =
            (word == CommandOption.version.name ? "Run “searchctl --\(word)”." : nil)
            ?? (word == "start" ? "Run “searchctl restart”. If searchd was not stopped, any search starts it." : nil)
            ?? ClientError.guess(word, among: commands.filter { !$0.isHidden }.map(\.name))
            ?? "To search for it, run “searchctl search \(word)”. “searchctl --help” lists the commands."
        throw ClientError(.usage, "unknown command “\(word)”", hint: hint)
    }

    private func checkWords(of command: Command) throws(ClientError) {
        guard !command.wordCount.contains(arguments.words.count) else { return }
        let usage = Help.usage(of: command)
        let hint = "Usage: \(usage)" + (usage.hasSuffix("…") ? "" : ".")
        if arguments.words.count < command.wordCount.lowerBound {
            throw ClientError(.usage, "“\(command.name)” needs \(command.arguments)", hint: hint)
        }
        let surplus = arguments.words[command.wordCount.upperBound]
        throw ClientError(.usage, "“\(command.name)” does not take “\(surplus)”", hint: hint)
    }

    private var options: [CommandOption] {
        (command?.options ?? []) + CommandOption.common
    }

    /// Reads one option and its value, and returns a request if the option is --help or --version.
    private mutating func readOption(_ word: String) throws(ClientError) -> Request? {
        let isLong = word.hasPrefix("--")
        guard let (option, attached) = CommandOption.read(word, among: options) else { throw unknown(word) }
        let typed = isLong ? "--\(option.name)" : String(word.prefix(2))
        if option.value.takesNoValue {
            if let attached {
                let tail = isLong ? "a value" : "“\(attached)” after it"
                let hint = RemovedWord.replacement(of: word, in: command?.name)
                throw ClientError(.usage, "the option \(typed) does not take \(tail)", hint: hint)
            }
            if option.name == CommandOption.help.name { return .help(command, all: rest.first == "all") }
            if option.name == CommandOption.version.name { return .version }
            arguments.append(.present, of: option)
            return nil
        }
        guard let text = attached ?? rest.popFirst() else {
            let value = option.value.placeholder ?? "a value"
            throw ClientError(.usage, "the option \(typed) needs \(value)", hint: "It means: \(option.help).")
        }
        arguments.append(try OptionReader.value(text, of: option, typed: typed), of: option)
        return nil
    }

    private func unknown(_ word: String) -> ClientError {
        let name = word.hasPrefix("--") ? String(word.dropFirst(2).prefix { $0 != "=" }) : nil
        // The option is valid, but only after its command.
        if command == nil, commands.contains(where: { $0.options.contains { $0.name == name } }) {
            return ClientError(.usage, "the option \(word) must follow its command", hint: "Put it after the command.")
        }
        let help = ["searchctl", command?.name, "--help"].compactMap(\.self).joined(separator: " ")
        let hint =
            RemovedWord.replacement(of: name.map { "--\($0)" } ?? word, in: command?.name)
            ?? name.flatMap { ClientError.guess($0, among: options.map(\.name), as: { "--" + $0 }) }
            ?? "“\(help)” lists them. Put “--” before words that begin with a dash."
        // The value may be secret.
        return ClientError(.usage, "unknown option \(name.map { "--\($0)" } ?? word)", hint: hint)
    }
}
