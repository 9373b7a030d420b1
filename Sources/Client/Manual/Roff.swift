import SearchModel

/// Writes a manual page with the macros of man(7), and escapes all text.
struct Roff {
    private(set) var text: String

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

    mutating func synopsis(_ name: String, _ rest: String) {
        text += ".PP\n\\fB\(Self.escaped(name))\\fR \(Self.escaped(rest))\n"
    }

    mutating func entry(_ term: String, _ meaning: String) {
        text += ".TP\n\\fB\(Self.escaped(term))\\fR\n\(Self.line(meaning))\n"
    }

    mutating func more(_ sentence: String) {
        text += ".IP\n\(Self.line(sentence))\n"
    }

    mutating func entries(_ entries: [(term: String, meaning: String)]) {
        for (term, meaning) in entries { entry(term, meaning) }
    }

    mutating func example(_ lines: [String]) {
        text += ".PP\n.RS 4\n.nf\n"
        for line in lines { text += (line.isEmpty ? "\\&" : Self.line(line)) + "\n" }
        text += ".fi\n.RE\n"
    }

    /// At the start of a line, a dot would begin a roff request.
    private static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    private static func argument(_ text: String) -> String {
        "\"\(escaped(text))\""
    }

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

enum ManualPage: String, CaseIterable, Sendable {
    case searchctl = "searchctl.1"
    case wire = "searchd-protocol.7"

    func text(_ commands: [Command] = CommandTable.commands) -> String {
        switch self {
        case .searchctl: SearchctlManual.page(of: commands)
        case .wire: ProtocolManual.page
        }
    }
}

/// The command `searchctl manual`, which prints a manual page.
enum ManualCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let name = context.arguments.words.first ?? ""
        guard let page = ManualPage(rawValue: name) else {
            let names = ManualPage.allCases.map(\.rawValue)
            let hint = "The pages are \(names.joined(separator: ", "))."
            throw ClientError(.usage, "unknown manual page “\(name)”", hint: hint)
        }
        try context.console.print(page.text(context.commands))
        return .found
    }
}
