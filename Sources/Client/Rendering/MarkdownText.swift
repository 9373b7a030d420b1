/// Texts and links that stand in Markdown; pure.
enum MarkdownText {
    /// A text of one line that means nothing to Markdown or HTML.
    static func escaped(_ text: String) -> String {
        text.replacingScalars { "\\`*_[]<>#|~&".unicodeScalars.contains($0) ? "\\\($0)" : nil }
    }

    /// The same for a text that begins a line, where it could also begin a list, a heading or a rule.
    static func lineEscaped(_ text: String) -> String {
        let escaped = escaped(text)
        let digits = escaped.utf8.prefix { (0x30...0x39).contains($0) }
        let rest = escaped.utf8.dropFirst(digits.count)
        let isRule = escaped.utf8.allSatisfy { $0 == UInt8(ascii: "=") }
        let signs = digits.isEmpty ? "-+" : ".)"
        guard let sign = rest.first, signs.utf8.contains(sign) || isRule else { return escaped }
        return "\(Substring(digits))\\\(Substring(rest))"
    }

    /// A title, escaped already, as a link; the title alone when the target is no web address.
    static func link(_ title: String, to target: String?) -> String {
        guard let target = target.flatMap(Style.linkTarget) else { return title }
        // An address cannot end the brackets that it stands in.
        let address = target.replacingScalars { scalar in
            switch scalar {
            case "<": "%3C"
            case ">": "%3E"
            case "\\": "%5C"
            default: nil
            }
        }
        return "[\(title)](<\(address)>)"
    }
}
