import SearchModel

/// A manual page in the making, in the macros of man(7).
///
/// Every text is escaped here and nowhere else, so that none can be taken for a request of roff.
struct Roff {
    private(set) var text: String

    /// - Parameters:
    ///   - name: Of the page, without its section.
    ///   - section: Of the manual.
    ///   - summary: One line, for whatis(1).
    init(_ name: String, section: Int, summary: String) {
        let title = Self.argument(name.uppercased())
        text = ".TH \(title) \(section) \"\" \"searchd \(Version.program)\" \"searchd\"\n"
        heading("NAME")
        text += "\(Self.escaped(name)) \\- \(Self.escaped(summary))\n"
    }

    mutating func heading(_ title: String) {
        text += ".SH \(Self.argument(title))\n"
    }

    mutating func subheading(_ title: String) {
        text += ".SS \(Self.argument(title))\n"
    }

    mutating func paragraph(_ sentence: String) {
        text += ".PP\n\(Self.line(sentence))\n"
    }

    /// How something is written: its name in bold, the rest as it stands.
    mutating func synopsis(_ name: String, _ rest: String) {
        text += ".PP\n\\fB\(Self.escaped(name))\\fR \(Self.escaped(rest))\n"
    }

    /// A term, and below it what it means.
    mutating func entry(_ term: String, _ meaning: String) {
        text += ".TP\n\\fB\(Self.escaped(term))\\fR\n\(Self.line(meaning))\n"
    }

    /// A further paragraph of the entry before.
    mutating func more(_ sentence: String) {
        text += ".IP\n\(Self.line(sentence))\n"
    }

    /// Lines that stay as they are.
    mutating func example(_ lines: [String]) {
        text += ".PP\n.RS 4\n.nf\n"
        for line in lines { text += (line.isEmpty ? "\\&" : Self.line(line)) + "\n" }
        text += ".fi\n.RE\n"
    }

    /// A text at the start of a line, where a dot or an apostrophe would begin a request.
    private static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    /// A text as one argument of a macro.
    private static func argument(_ text: String) -> String {
        "\"\(escaped(text))\""
    }

    /// A text that prints as it stands: what can be copied from a page must be what was meant.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "'": escaped += "\\(aq"
            case "\"": escaped += "\\(dq"
            case "`": escaped += "\\(ga"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "“": escaped += "\\(lq"
            case "”": escaped += "\\(rq"
            case "—": escaped += "\\(em"
            case "…": escaped += "..."
            case "\n", "\t": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

/// The manual pages that are written from tables of the program; the others are files in `systemd/man`.
enum ManualPage: String, CaseIterable, Sendable {
    case searchctl = "searchctl.1"
    case wire = "searchd-protocol.7"

    /// The page as man(1) reads it, with the commands of the program.
    func text(_ commands: [Command] = CommandTable.commands) -> String {
        switch self {
        case .searchctl: SearchctlManual.page(of: commands)
        case .wire: ProtocolManual.page
        }
    }
}

/// Something with a name that a manual page explains.
struct ManualEntry: Sendable {
    let name: String
    /// What goes with the name, as the word for an option's value.
    let form: String
    let meaning: String

    init(_ name: String, _ form: String = "", _ meaning: String) {
        self.name = name
        self.form = form
        self.meaning = meaning
    }
}

extension Roff {
    mutating func entries(_ entries: [ManualEntry]) {
        for item in entries {
            entry(item.form.isEmpty ? item.name : "\(item.name) \(item.form)", item.meaning)
        }
    }
}

/// `searchctl manual PAGE`: a manual page, for packages and installations.
enum ManualCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let name = arguments.words.first ?? ""
        guard let page = ManualPage(rawValue: name) else {
            let names = ManualPage.allCases.map(\.rawValue)
            throw ClientError(
                .usage,
                "there is no manual page “\(name)”",
                hint: "The pages are \(names.joined(separator: ", "))"
            )
        }
        try Printer(context.console).print(page.text(context.commands))
        return .found
    }
}
