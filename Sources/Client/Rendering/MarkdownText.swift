/// Texts and links that stand in Markdown; pure.
enum MarkdownText {
    /// A text of one line that means nothing to Markdown or HTML.
    static func escaped(_ text: String) -> String {
        text.replacingScalars { "\\`*_[]<>#|~&".unicodeScalars.contains($0) ? "\\\($0)" : nil }
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
