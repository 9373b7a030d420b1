/// The capabilities of a terminal, from environment variables.
package struct Capabilities: Equatable, Sendable {
    package let canDraw: Bool
    package let hasColours: Bool
    package let colours: Colours
    package let isUTF8: Bool

    package init(_ variable: (String) -> String?) {
        let terminal = variable("TERM")
        canDraw = terminal.map { $0 != "dumb" && $0 != "unknown" } ?? false
        hasColours =
            variable("NO_COLOR") == nil && terminal.map { !$0.hasSuffix("-m") && !$0.hasPrefix("vt1") } ?? false
        let names = [terminal ?? "", variable("COLORTERM") ?? ""]
        colours =
            names.contains { $0 == "truecolor" || $0 == "24bit" || $0.hasSuffix("-direct") }
            ? .exact : names[0].hasSuffix("256color") ? .palette : .sixteen
        isUTF8 = Self.isUTF8(variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG"))
    }

    package enum Colours: Equatable, Sendable {
        case sixteen
        case palette
        case exact
    }

    package init(hasColours: Bool, colours: Colours = .sixteen, isUTF8: Bool = true) {
        canDraw = true
        self.hasColours = hasColours
        self.colours = colours
        self.isUTF8 = isUTF8
    }

    /// True without a locale, because almost all terminals show UTF-8.
    private static func isUTF8(_ locale: String?) -> Bool {
        guard let locale else { return true }
        if locale == "C" || locale == "POSIX" { return false }
        guard let dot = locale.firstIndex(of: ".") else { return true }
        let charset = locale[locale.index(after: dot)...].prefix { $0 != "@" }.lowercased()
        return charset == "utf-8" || charset == "utf8"
    }
}

/// Replaces graphemes for terminals without UTF-8.
enum ASCIIText {
    private static let signs: [String: String] = [
        "·": "-", "…": "~", "›": ">", "▌": ">", "★": "*", "☆": ".", "✓": "+", "✗": "x", "→": ">", "↑": "^", "↓": "v",
        "─": "-", "│": "|", "“": "\"", "”": "\"", "’": "'", "█": "#", "░": ".", "▁": "_", "◌": "o", "×": "x",
        "↵": "|",
    ]

    static func text(of grapheme: String, columns: Int) -> String {
        if grapheme.utf8.allSatisfy({ $0 < 0x80 }) { return grapheme }
        return signs[grapheme] ?? String(repeating: "?", count: columns)
    }
}
