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
