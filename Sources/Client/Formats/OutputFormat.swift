import RPC
import SearchModel

/// The format in which hits are printed.
enum HitFormat: Equatable {
    case json
    case text
    case lines(LineFormat)

    static let names = ["json", "text"] + LineFormat.names
    private static let members =
        (SavedMembers.ofHit + SavedMembers.additions + [.marks, .rank, .raw, .saved, .age]).map(\.description)
        + [LibraryListCommand.group]

    /// The default is text on a terminal and JSON elsewhere.
    static func chosen(_ context: Context) throws(ClientError) -> HitFormat {
        let arguments = context.arguments
        try arguments.refuseSeveral(of: .json, .plain, .format, .field)
        let fields = arguments.texts(.field)
        for field in fields {
            let name = String(field.prefix { $0 != "." })
            guard members.contains(name) else {
                let each = field.split(separator: ",").map { "--field \($0)" }.joined(separator: " ")
                let hint = each.contains(" --") ? "Repeat --field: \(each)." : ClientError.guess(name, among: members)
                let all = "Members are \(members.joined(separator: ", "))."
                throw ClientError(.usage, "hits have no member “\(name)”", hint: hint ?? all)
            }
        }
        if !fields.isEmpty { return .lines(.fields(fields)) }
        switch arguments.text(.format) {
        case "json": return .json
        case "text": return .text
        case let name: if let format = LineFormat.named.first(where: { $0.key == name }) { return .lines(format.value) }
        }
        if arguments.has(.json) { return .json }
        return context.console.outputIsTerminal || arguments.has(.plain) ? .text : .json
    }
}

extension CommandOption {
    static let json = CommandOption(
        "json",
        help: "print JSON, one object per line",
        manual: "The default for hits outside a terminal. New versions may add members, but never remove or "
            + "change members."
    )
    static let plain = CommandOption(
        "plain",
        help: "print text without colours",
        manual: "In a pipe, prints the same text as on a terminal."
    )
    package static let ofReport = [json, plain]
    static let format = CommandOption(
        "format",
        value: .choice("FORMAT", of: HitFormat.names),
        help: "the format of hits: tsv, markdown, fzf, rofi, …",
        manual: "FORMAT is one of json, text, \(LineFormat.names.joined(separator: ", ")). tsv has the title, address, "
            + "source, author, date, snippet and id of each hit, separated by tabs. fzf has the address, a tab and the "
            + "title. rofi has rows for rofi's script mode."
    )
    static let field = CommandOption(
        "field",
        value: .text("NAME"),
        isRepeatable: true,
        help: "print only this member of each hit, such as url",
        manual:
            "Prints one line for each hit that has the member. Tabs separate the values of several members. For the "
            + "price in the member extra, write extra.price. An unknown name is an error.",
        suggestion: .words("url", "title", "snippet", "source", "kind", "author", "published", "thumbnail", "id")
    )
    static let noPager = CommandOption(
        "no-pager",
        help: "do not start a pager",
        manual: "By default, a list that is longer than the terminal is shown by $PAGER, or by “less -FRX”."
    )
    static let quiet = CommandOption(
        "quiet",
        letter: "q",
        help: "print no warnings and no summary",
        manual: "Only errors are printed to standard error."
    )
}

extension Style {
    package init(_ arguments: Arguments, environment: Environment, isTerminal: Bool) {
        switch arguments.text(.color) {
        case "always": self.init(isOn: true)
        case "never": self.init(isOn: false)
        default: self.init(isOn: !arguments.has(.plain) && Self.isWanted(environment, isTerminal: isTerminal))
        }
    }

    private static func isWanted(_ environment: Environment, isTerminal: Bool) -> Bool {
        if environment["NO_COLOR"] != nil { return false }
        if let forced = environment["CLICOLOR_FORCE"], forced != "0" { return true }
        guard isTerminal, let terminal = environment["TERM"] else { return false }
        return terminal != "dumb"
    }
}
