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
