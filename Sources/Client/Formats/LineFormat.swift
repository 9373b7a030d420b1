import JSON
import RPC
import SearchModel

/// The formats with one line per hit.
package enum LineFormat: Equatable, Sendable {
    case tsv
    case markdown
    case fzf
    case rofi
    /// Hits that have none of these members are omitted.
    case fields([String])

    static let named: KeyValuePairs<String, LineFormat> = [
        "tsv": .tsv, "markdown": .markdown, "fzf": .fzf, "rofi": .rofi,
    ]
    static let names = named.map(\.key)

    func text(_ hit: JSONCursor, number: Int, zone: LocalZone) -> String {
        let found = FoundHit(hit)
        let date = found.published?.text(in: zone)
        switch self {
        case .tsv: return Self.tsv(found)
        case .markdown: return Self.markdown(found, date, number: number)
        case .fzf: return "\(Self.plain(found.url ?? ""))\t\(Self.shown(found, date))\n"
        case .rofi: return Self.rofi(found, date)
        case .fields(let paths):
            let members = paths.map { Self.member($0, of: hit) }
            guard members.contains(where: { $0 != nil }) else { return "" }
            return members.map { Self.plain($0 ?? "") }.joined(separator: "\t") + "\n"
        }
    }

    private static func tsv(_ hit: FoundHit) -> String {
        let fields = [
            hit.title, hit.url, hit.source, hit.author, hit.published?.exact, hit.snippet, hit.id,
        ]
        return fields.map { plain($0 ?? "") }.joined(separator: "\t") + "\n"
    }

    private static func markdown(_ hit: FoundHit, _ date: String?, number: Int) -> String {
        let title = MarkdownText.escaped(plain(hit.title.isEmpty ? HitText.untitled : hit.title))
        let link = MarkdownText.link(title, to: hit.url)
        let origin = [hit.source, hit.author ?? "", date ?? ""].filter { !$0.isEmpty }
        let snippet = hit.snippet.map { "  \n   \(MarkdownText.escaped(plain($0)))" } ?? ""
        return "\(number). \(link) — \(MarkdownText.escaped(plain(origin.joined(separator: " · "))))\(snippet)\n"
    }

    private static func rofi(_ hit: FoundHit, _ date: String?) -> String {
        let meta = plain([hit.source, hit.author ?? ""].joined(separator: " "))
        return "\(shown(hit, date))\0info\u{1f}\(plain(hit.url ?? ""))\u{1f}meta\u{1f}\(meta)\n"
    }

    private static func shown(_ hit: FoundHit, _ date: String?) -> String {
        let title = hit.title.isEmpty ? HitText.untitled : hit.title
        return plain(([title, hit.source] + [date].compactMap(\.self)).joined(separator: "  ·  "))
    }

    private static func member(_ path: String, of hit: JSONCursor) -> String? {
        var value: JSONCursor? = hit
        for name in path.split(separator: ".") { value = value?[String(name)] }
        guard let value, value.kind != .null else { return nil }
        return value.string ?? String(decoding: value.text, as: UTF8.self)
    }

    private static func plain(_ text: String) -> String {
        let blanks = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            "\t\n\r\u{B}\u{C}\u{85}\u{2028}\u{2029}".unicodeScalars.contains(scalar) ? " " : scalar
        }
        var line = String.UnicodeScalarView()
        line.append(contentsOf: blanks)
        return VisibleText.visible(String(line))
    }
}
