/// What the daemon says of a parameter, said of the option that it came from; pure.
enum OptionWords {
    /// How each parameter was said: nothing for what has no option, and one that is missing keeps its name on the wire.
    typealias Names = [String: String]

    /// The words of a search's command line.
    static func names(of arguments: Arguments) -> Names {
        var names: Names = [
            "query": "", "sources": "--source", "kinds": "--kind", "options": "--option", "cursor": "--all",
        ]
        for option in [CommandOption.sort, .limit, .offset, .timeout, .maxAge, .offline, .raw, .explain, .isPrivate] {
            names[parameter(option.name)] = "--\(option.name)"
        }
        if let page = arguments.number(.page) { names["offset"] = "--page \(page)" }
        return names
    }

    /// An error as it is, but for `params.NAME: ` in front.
    static func translate(_ error: ClientError, _ names: Names) -> ClientError {
        let prefix = "params."
        guard error.message.hasPrefix(prefix), let colon = error.message.firstIndex(of: ":") else { return error }
        let path = error.message[..<colon].dropFirst(prefix.count)
        let name = path.prefix { $0.isLetter }
        guard let said = names[String(name)] else { return error }
        // Which of several words is behind the dot; the number of a list's element says nothing to a person.
        let rest = path[name.endIndex...].drop { $0 == "[" || $0 == "]" || $0.isNumber }
        var translated = error
        let detail = rest.isEmpty ? "" : " \(rest.drop { $0 == "." })"
        let quoted = error.message[colon...].replacing("\"\(name)\" is not", with: "it is not")
        translated.message = said.isEmpty ? String(quoted.dropFirst(2)) : said + detail + quoted
        if name == "offset" {
            translated.hint = "Take every page from the first with --all, or name one source, in an order of its own"
        }
        return translated
    }

    /// `maxAge` of `max-age`.
    private static func parameter(_ option: String) -> String {
        let words = option.split(separator: "-")
        return words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }
}
