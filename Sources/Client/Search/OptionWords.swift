import RPC
import SearchModel

/// What the daemon says of a parameter, said of the option that it came from; pure.
enum OptionWords {
    /// How each parameter was given on the command line; the text is empty when it has no option.
    typealias Names = [(parameter: Member, option: String)]

    /// The words of a search's command line.
    static func names(of arguments: Arguments) -> Names {
        [
            (.query, ""), (.site, "--site"), (.since, "--since"), (.until, "--until"), (.has, "--has"),
            (.sources, "--source"), (.kinds, "--kind"), (.options, "--option"), (.cursor, "--all"),
            (.sort, "--sort"), (.limit, "--limit"), (.timeout, "--timeout"), (.maxAge, "--max-age"),
            (.offline, "--offline"), (.raw, "--raw"), (.explain, "--explain"), (.private, "--private"),
            (.offset, arguments.number(.page).map { "--page \($0)" } ?? "--offset"),
        ]
    }

    /// A sentence of the daemon behind what it is about: `rating: a rating is a number from 1 to 5.`.
    static func sentence(_ text: String, about subject: String) -> String {
        "\(subject): \(text.prefix(1).lowercased())\(text.dropFirst())"
    }

    /// An error as it is, but for `params.NAME: ` or `params.filter.NAME: ` in front.
    static func translate(_ error: ClientError, _ names: Names) -> ClientError {
        let prefix = error.message.hasPrefix("params.filter.") ? "params.filter." : "params."
        guard error.message.hasPrefix(prefix), let colon = error.message.firstIndex(of: ":") else { return error }
        let path = error.message[..<colon].dropFirst(prefix.count)
        let name = path.prefix { $0.isLetter }
        guard let (parameter, said) = names.first(where: { $0.parameter.description == name }) else { return error }
        // Which of several words is behind the dot; the number of a list's element says nothing to a person.
        let rest = path[name.endIndex...].drop { $0 == "[" || $0 == "]" || $0.isNumber }
        var translated = error
        let detail = rest.isEmpty ? "" : " \(rest.drop { $0 == "." })"
        let text = error.message[colon...].dropFirst(2).replacing("\"\(name)\" is not", with: "it is not")
        let subject = said.isEmpty ? String(detail.dropFirst()) : said + detail
        translated.message = subject.isEmpty ? String(text) : sentence(String(text), about: subject)
        // A hint that only repeats what is expected is not worth a second sentence.
        if let hint = error.hint, hint.hasPrefix("Give "), text.hasSuffix(hint.dropFirst(5).dropLast()) {
            translated.hint = nil
        }
        if parameter == .offset, error.message.contains("filter") {
            translated.hint = "Take every page from the first with --all."
        } else if parameter == .offset {
            translated.hint = "Take every page from the first with --all, or name a single source."
        }
        return translated
    }
}
