import JSON
import SearchModel

/// Books as BibTeX has them, in UTF-8; pure.
enum BibTeX {
    static func text(_ entry: LibraryEntry) -> String {
        let date = entry.publishedTime?.exact ?? ""
        let isbn = entry.extra("isbn13") ?? entry.extra("isbn10")
        let fields: [(String, String)] = [
            // The inner braces keep the capitals.
            ("title", "{\(escaped(entry.title))}"),
            ("author", entry.authors.map(person).joined(separator: " and ")),
            ("publisher", escaped(entry.extra("publisher") ?? "")),
            ("year", String(date.prefix(4))),
            ("date", String(date.prefix(10))),
            ("isbn", escaped(isbn ?? "")),
            ("language", escaped(entry.extra("language") ?? "")),
            ("url", entry.url.flatMap(Style.linkTarget).map(address) ?? ""),
            ("keywords", escaped(entry.tags.joined(separator: ", "))),
            ("annote", escaped(entry.notes.compactMap(note).joined(separator: " · "))),
        ]
        let lines = fields.filter { !$0.1.isEmpty && $0.1 != "{}" }.map { "  \($0.0) = {\($0.1)}" }
        return "@book{\(key(entry.id ?? "")),\n" + lines.joined(separator: ",\n") + "\n}\n\n"
    }

    /// A note on one line.
    private static func note(_ note: LibraryEntry.Note) -> String? {
        let stars = note.rating.map { "\($0)/5" }
        let text = [note.title.map { $0 + (note.text == nil ? "" : ":") }, note.text].compactMap(\.self)
        let parts = [stars].compactMap(\.self) + text
        return parts.isEmpty ? nil : LibraryEntry.line(parts.joined(separator: " "))
    }

    /// A text that TeX prints as it is.
    ///
    /// Braces are written as words: BibTeX counts them even behind a backslash.
    static func escaped(_ text: String) -> String {
        LibraryEntry.line(text).replacingScalars { scalar in
            switch scalar {
            case "\\": "\\textbackslash{}"
            case "{": "\\textbraceleft{}"
            case "}": "\\textbraceright{}"
            case "~": "\\textasciitilde{}"
            case "^": "\\textasciicircum{}"
            case "$", "&", "%", "#", "_": "\\\(scalar)"
            default: nil
            }
        }
    }

    /// A name that would be taken for several, or for one that is turned round, is kept together.
    private static func person(_ name: String) -> String {
        let escaped = escaped(name)
        let words = escaped.utf8.split(separator: UInt8(ascii: " ")).map { Array($0.map(\.lowered)) }
        let isOdd = escaped.utf8.contains(UInt8(ascii: ",")) || words.contains(Array("and".utf8))
        return isOdd ? "{\(escaped)}" : escaped
    }

    /// What BibTeX would read in an address is percent-encoded, as all but ASCII is.
    private static func address(_ target: String) -> String {
        target.replacingScalars { $0 == "{" ? "%7B" : $0 == "}" ? "%7D" : $0 == "\\" ? "%5C" : nil }
    }

    /// The id, with all that a key can't have in hexadecimal: different ids have different keys.
    private static func key(_ id: String) -> String {
        var key = ""
        for byte in id.utf8 {
            if byte.isLetter || byte.isDigit
                || [UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-")].contains(byte)
            {
                key.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                key += "+" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return key
    }
}
