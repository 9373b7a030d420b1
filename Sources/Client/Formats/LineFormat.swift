import JSON

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
    /// One document of script filter items, with the address as the argument.
    case alfred
    /// One member alone, of a hit that has it; `extra.price` is one of a member.
    case field(String)

    /// Those that have a name on the command line.
    static let named: KeyValuePairs<String, LineFormat> = [
        "tsv": .tsv, "markdown": .markdown, "fzf": .fzf, "rofi": .rofi, "alfred": .alfred,
    ]
    static let names = named.map(\.key)

    /// What stands before the first hit.
    var opening: String { self == .alfred ? "{\"items\":[" : "" }
    /// What stands behind the last one.
    var closing: String { self == .alfred ? "]}\n" : "" }

    /// A hit, with its line end.
    func text(_ hit: JSONCursor, number: Int, isFirst: Bool) -> String {
        let found = FoundHit(hit)
        switch self {
        case .tsv: return Self.tsv(found)
        case .markdown: return Self.markdown(found, number: number)
        case .fzf: return "\(Self.plain(found.url ?? ""))\t\(Self.shown(found))\n"
        case .rofi: return Self.rofi(found)
        case .alfred: return (isFirst ? "" : ",") + Self.alfred(found)
        case .field(let path): return Self.member(path, of: hit).map { "\(Self.plain($0))\n" } ?? ""
        }
    }

    private static func tsv(_ hit: FoundHit) -> String {
        let fields = [
            hit.title, hit.url, hit.source, hit.author, hit.published, hit.snippet, hit.id,
        ]
        return fields.map { plain($0 ?? "") }.joined(separator: "\t") + "\n"
    }

    private static func markdown(_ hit: FoundHit, number: Int) -> String {
        let title = escaped(plain(hit.title.isEmpty ? "(untitled)" : hit.title))
        let link = hit.url.flatMap(Style.linkTarget).map { "[\(title)](<\($0)>)" } ?? title
        let origin = [hit.source, hit.author ?? "", hit.published ?? ""].filter { !$0.isEmpty }
        let snippet = hit.snippet.map { "  \n   \(escaped(plain($0)))" } ?? ""
        return "\(number). \(link) — \(escaped(plain(origin.joined(separator: " · "))))\(snippet)\n"
    }

    private static func rofi(_ hit: FoundHit) -> String {
        let meta = plain([hit.source, hit.author ?? ""].joined(separator: " "))
        return "\(shown(hit))\0info\u{1f}\(plain(hit.url ?? ""))\u{1f}meta\u{1f}\(meta)\n"
    }

    private static func alfred(_ hit: FoundHit) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("uid", hit.id)
            writer.member("title", plain(hit.title))
            let origin = [hit.source, hit.author ?? "", hit.published ?? ""].filter { !$0.isEmpty }
            writer.member("subtitle", plain(origin.joined(separator: " · ")))
            writer.member("arg", hit.url)
            writer.member("valid", hit.url != nil)
            writer.member("quicklookurl", hit.url)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Title and origin on one line.
    private static func shown(_ hit: FoundHit) -> String {
        let title = hit.title.isEmpty ? "(untitled)" : hit.title
        return plain(([title, hit.source] + [hit.published].compactMap(\.self)).joined(separator: "  ·  "))
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

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if "\\`*_[]<>#|~".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }
}

/// What to tell of a member that none of the hits has, since its name may be mistyped; pure.
enum MissingField {
    /// What is looked at to learn which members hits have.
    private static let hitsMax = 100

    /// Nil when some hit has the member, or there are no hits.
    static func warning(_ format: HitFormat, _ hits: [JSONCursor]) -> ClientError? {
        guard case .lines(.field(let path)) = format, !hits.isEmpty,
            hits.allSatisfy({ LineFormat.member(path, of: $0) == nil })
        else { return nil }
        let names = names(of: hits.prefix(hitsMax))
        return ClientError(
            .usage,
            "no hit has “\(path)”",
            hint: ClientError.guess(path, among: names)
                ?? "What they have: \(names.joined(separator: ", "))"
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
