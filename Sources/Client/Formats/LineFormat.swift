import JSON
import RPC
import SearchModel

/// Hits for other programs: launchers, spreadsheets, notes; pure.
///
/// Every line is safe on a terminal, and no text of a hit can end its field or its line.
package enum LineFormat: Equatable, Sendable {
    /// title, url, source, author, published, snippet, id; tabs between them.
    case tsv
    /// An item of a numbered list.
    case markdown
    /// The address, a tab, and what is to be shown.
    case fzf
    /// A row of rofi's script mode, with the address as its info.
    case rofi
    /// Members alone, tabs between them, of a hit that has any of them; `extra.price` is one of a member.
    case fields([String])

    /// Those that have a name on the command line.
    static let named: KeyValuePairs<String, LineFormat> = [
        "tsv": .tsv, "markdown": .markdown, "fzf": .fzf, "rofi": .rofi,
    ]
    static let names = named.map(\.key)

    /// A hit, with its line end; dates for people are in the zone.
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
        let title = MarkdownText.escaped(plain(hit.title.isEmpty ? "(untitled)" : hit.title))
        let link = MarkdownText.link(title, to: hit.url)
        let origin = [hit.source, hit.author ?? "", date ?? ""].filter { !$0.isEmpty }
        let snippet = hit.snippet.map { "  \n   \(MarkdownText.escaped(plain($0)))" } ?? ""
        return "\(number). \(link) — \(MarkdownText.escaped(plain(origin.joined(separator: " · "))))\(snippet)\n"
    }

    private static func rofi(_ hit: FoundHit, _ date: String?) -> String {
        let meta = plain([hit.source, hit.author ?? ""].joined(separator: " "))
        return "\(shown(hit, date))\0info\u{1f}\(plain(hit.url ?? ""))\u{1f}meta\u{1f}\(meta)\n"
    }

    /// Title and origin on one line.
    private static func shown(_ hit: FoundHit, _ date: String?) -> String {
        let title = hit.title.isEmpty ? "(untitled)" : hit.title
        return plain(([title, hit.source] + [date].compactMap(\.self)).joined(separator: "  ·  "))
    }

    /// The member under a path as text; nil when there is none, or null.
    static func member(_ path: String, of hit: JSONCursor) -> String? {
        var value: JSONCursor? = hit
        for name in path.split(separator: ".") { value = value?[String(name)] }
        guard let value, value.kind != .null else { return nil }
        return value.string ?? String(decoding: value.text, as: UTF8.self)
    }

    /// The text on one line, without tabs and without what drives a terminal.
    private static func plain(_ text: String) -> String {
        let blanks = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            "\t\n\r\u{B}\u{C}\u{85}\u{2028}\u{2029}".unicodeScalars.contains(scalar) ? " " : scalar
        }
        var line = String.UnicodeScalarView()
        line.append(contentsOf: blanks)
        return VisibleText.visible(String(line))
    }
}

/// What is wrong with `--field`; pure.
enum MissingField {
    /// What is looked at to learn which members hits have.
    private static let hitsMax = 100
    /// The members of a hit and of a saved item, as the contract has them.
    private static let members: [Member] = [
        .id, .source, .kind, .title, .snippet, .marks, .url, .author, .published, .publishedPrecision, .thumbnail,
        .rank, .extra, .alsoFrom, .raw, .saved, .savedAt, .updatedAt, .tags, .notes, .changes,
    ]

    /// The error of a member that no hit can have; nil when there is none.
    static func refusal(_ format: HitFormat) -> ClientError? {
        guard case .lines(.fields(let paths)) = format else { return nil }
        let names = members.map(\.description)
        for path in paths {
            let first = String(path.prefix { $0 != "." })
            if !names.contains(first) { return error("hits have no member “\(path)”", path, among: names) }
        }
        return nil
    }

    /// What to tell of a member that none of the hits has: a warning, or an error when it looks mistyped.
    static func finding(_ format: HitFormat, _ hits: [JSONCursor]) -> (error: ClientError, isMistyped: Bool)? {
        guard case .lines(.fields(let paths)) = format, !hits.isEmpty,
            let path = paths.first(where: { path in hits.allSatisfy { LineFormat.member(path, of: $0) == nil } })
        else { return nil }
        let names = names(of: hits.prefix(hitsMax))
        let isMistyped = path.contains(".") && NearestName.of(path, among: names) != nil
        return (error("no hit has “\(path)”", path, among: names), isMistyped)
    }

    /// Reports a member that none of the hits has.
    ///
    /// - Throws: `usage` when it looks mistyped.
    static func tell(_ format: HitFormat, _ hits: [JSONCursor], report: (String) -> Void) throws(ClientError) {
        guard let missing = finding(format, hits) else { return }
        if missing.isMistyped { throw missing.error }
        report(FailureText.line(missing.error))
    }

    private static func error(_ message: String, _ path: String, among names: [String]) -> ClientError {
        ClientError(
            .usage,
            message,
            hint: ClientError.guess(path, among: names) ?? "What hits have: \(names.joined(separator: ", "))"
        )
    }

    /// The members, and the members of members, in the order in which they come.
    private static func names(of hits: ArraySlice<JSONCursor>) -> [String] {
        var names: [String] = []
        for hit in hits {
            for member in hit.members {
                let inner = member.value.members.map { "\(member.name).\($0.name)" }
                for name in [member.name] + inner where !names.contains(name) { names.append(name) }
            }
        }
        return names
    }
}
