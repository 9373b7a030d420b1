import JSON

/// JSON as a person reads it: a member a line, long texts and lists cut; safe on a terminal.
struct PrettyJSON {
    static let textCharactersMax = 300
    static let elementsMax = 20

    private(set) var lines: [String] = []

    /// The lines of a value, each behind a margin.
    static func lines(_ value: JSONCursor, margin: String) -> [String] {
        var pretty = PrettyJSON()
        pretty.add(value, begin: margin, margin: margin, end: "")
        return pretty.lines
    }

    /// Adds a value; `begin` and `end` are what stands before and behind it on its first and last line.
    private mutating func add(_ value: JSONCursor, begin: String, margin: String, end: String) {
        switch value.kind {
        case .object where value.count > 0:
            lines.append(begin + "{")
            let members = value.members
            for (index, member) in members.enumerated() {
                let comma = index + 1 < members.count ? "," : ""
                let name = Self.quoted(member.name)
                add(member.value, begin: "\(margin)  \(name): ", margin: margin + "  ", end: comma)
            }
            lines.append(margin + "}" + end)
        case .array where value.count > 0:
            lines.append(begin + "[")
            let shown = value.elements.prefix(Self.elementsMax)
            for (index, element) in shown.enumerated() {
                let comma = index + 1 < value.count ? "," : ""
                add(element, begin: margin + "  ", margin: margin + "  ", end: comma)
            }
            if shown.count < value.count { lines.append("\(margin)  … \(value.count - shown.count) more") }
            lines.append(margin + "]" + end)
        case .string: lines.append(begin + Self.quoted(value.string ?? "") + end)
        default: lines.append(begin + String(decoding: value.text, as: UTF8.self) + end)
        }
    }

    private static func quoted(_ text: String) -> String {
        let isWhole = text.count <= textCharactersMax
        let shown = isWhole ? text : String(text.prefix(textCharactersMax)) + "…"
        return SafeText.line(String(decoding: JSONValue.string(shown).bytes, as: UTF8.self))
    }
}

/// Text from files and from the web on its way to a terminal.
enum SafeText {
    /// The text on one line, with everything that is not seen or could drive a terminal written out as `\u{1b}`.
    static func line(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned:
                safe.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: safe.append(scalar)
            }
        }
        return String(safe)
    }
}
