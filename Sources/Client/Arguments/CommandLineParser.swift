/// Parses a command line with a table of commands.
package struct CommandLineParser {
    package enum Request: Sendable {
        case run(Command, Arguments)
        case help(Command?, all: Bool)
        case version
    }

    private let commands: [Command]
    private(set) var command: Command?
    private(set) var arguments = Arguments()
    private(set) var pending: (option: CommandOption, typed: String)?
    private(set) var optionsEnded = false
    private(set) var isHelp = false
    private var isAll = false
    private var isVersion = false
    private var line: [String] = []

    init(commands: [Command]) { self.commands = commands }

    package static func parse(_ words: [String], commands: [Command]) throws(ClientError) -> Request {
        var parser = CommandLineParser(commands: commands)
        parser.line = words
        for word in words { try parser.take(word) }
        return try parser.request()
    }

    mutating func take(_ word: String) throws(ClientError) {
        if isVersion { return }
        if isHelp, command != nil || word == "all" {
            isAll = isAll || word == "all"
        } else if let (option, typed) = pending {
            pending = nil
            arguments.append(try OptionReader.value(word, of: option, typed: typed), of: option)
        } else if !optionsEnded, word.hasPrefix("-"), word != "-" {
            if word == "--" { optionsEnded = true } else { try takeOption(word) }
        } else if command == nil {
            if word == "help" { isHelp = true } else { command = try findCommand(word) }
        } else {
            arguments.append(word: word)
        }
    }

    private func request() throws(ClientError) -> Request {
        if isVersion { return .version }
        if isHelp { return .help(command, all: isAll) }
        if let (option, typed) = pending {
            let value = option.value.placeholder ?? "a value"
            throw ClientError(.usage, "the option \(typed) needs \(value)", hint: "Meaning: \(option.help).")
        }
        guard let command else {
            throw ClientError(.usage, "a command is missing", hint: "“searchctl --help” lists the commands.")
        }
        try checkWords(of: command)
        try arguments.refuseSeveral(of: .json, .plain)
        return .run(command, arguments)
    }

    private func findCommand(_ word: String) throws(ClientError) -> Command {
        if let command = commands.first(where: { $0.name == word }) { return command }
        let words = line.drop { $0 != word }.prefix { !$0.hasPrefix("-") }
        let search = ["searchctl", "search"] + words.map(ShellWord.quoted)
        let hint =
            (word == CommandOption.version.name ? "Run “searchctl --\(word)”." : nil)
            ?? (word == "start" ? "Any search starts searchd. After “searchctl stop”, run “searchctl restart”." : nil)
            ?? ClientError.guess(word, among: commands.filter { !$0.isHidden }.map(\.name))
            ?? "To search for it, run “\(search.joined(separator: " "))”. “searchctl --help” lists the commands."
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

    var options: [CommandOption] { (command?.options ?? []) + CommandOption.common }

    private mutating func takeOption(_ word: String) throws(ClientError) {
        if let negation = TypedQuery.negation(word) { throw ClientError(.usage, negation) }
        let isLong = word.hasPrefix("--")
        guard let (option, attached) = CommandOption.read(word, among: options) else { throw unknown(word) }
        let typed = isLong ? "--\(option.name)" : String(word.prefix(2))
        if option.value.takesNoValue {
            if let attached {
                let tail = isLong ? "a value" : "“\(attached)” after it"
                let hint = RemovedWord.replacement(of: word, in: command?.name)
                throw ClientError(.usage, "the option \(typed) does not take \(tail)", hint: hint)
            }
            isHelp = isHelp || option.name == CommandOption.help.name
            isVersion = isVersion || option.name == CommandOption.version.name
            arguments.append(.present, of: option)
        } else if let attached {
            arguments.append(try OptionReader.value(attached, of: option, typed: typed), of: option)
        } else {
            pending = (option, typed)
        }
    }

    private func unknown(_ word: String) -> ClientError {
        let name = word.hasPrefix("--") ? String(word.dropFirst(2).prefix { $0 != "=" }) : nil
        if command == nil, commands.contains(where: { $0.options.contains { $0.name == name } }) {
            return ClientError(.usage, "the option \(word) must follow its command", hint: "Put it after the command.")
        }
        let help = ["searchctl", command?.name, "--help"].compactMap(\.self).joined(separator: " ")
        let hint =
            RemovedWord.replacement(of: name.map { "--\($0)" } ?? word, in: command?.name)
            ?? name.flatMap { ClientError.guess($0, among: options.map(\.name), as: { "--" + $0 }) }
            ?? "“\(help)” lists the options. Put “--” before words that begin with a dash."
        // Omit the value, because it may be secret.
        return ClientError(.usage, "unknown option \(name.map { "--\($0)" } ?? word)", hint: hint)
    }
}
