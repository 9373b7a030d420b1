package import JSON
import RPC
import SearchModel

/// Formats a hit as a title and one or two lines with source, author, date and excerpt.
package struct HitText {
    package static let untitled = "(untitled)"

    let linesBelow: Int
    let columns: Int
    let numberMax: Int
    /// Whether `show` accepts the numbers of this list.
    var hasNumbers = true
    var query = ""
    let style: Style
    /// In seconds since 1970.
    let now: Int64
    let zone: LocalZone

    private var marks: QueryMarks { QueryMarks(query: query) }
    private var numberColumns: Int { max(2, String(numberMax).count) }

    func text(_ hit: FoundHit, number: Int) -> String {
        let label = hasNumbers ? String(number) + "." : "-"
        let padding = String(repeating: " ", count: max(0, numberColumns + 1 - label.count))
        let below = HitLines(columns: textColumns, now: now, zone: zone, marks: marks).lines(hit, count: linesBelow)
        let lines = below.map { line in margin + line.map { styled($0, hit, number) }.joined() }
        let first = padding + style.dim(label) + " " + title(hit, number)
        return ([first] + lines).map { $0 + "\n" }.joined()
    }

    private func title(_ hit: FoundHit, _ number: Int) -> String {
        let marks = QueryMarks.joined(hit.titleMarks + marks.ranges(in: hit.title))
        let cells = LineWrap.lines(Cell.cells(hit.title, marks: marks), columns: textColumns, linesMax: 1).first
        let text = cells.map { runs($0, marked: style.boldUnderlined, plain: style.bold) } ?? Self.untitled
        return style.link(text, to: hit.url, id: number)
    }

    private func styled(_ piece: HitLines.Piece, _ hit: FoundHit, _ number: Int) -> String {
        let text = piece.cells.map(\.text).joined()
        return switch piece.role {
        case .own: style.yellow(text)
        case .origin: style.cyan(text)
        case .address: style.link(style.dim(text), to: hit.url, id: number)
        case .text: runs(piece.cells, marked: style.bold, plain: { $0 })
        case .separator: style.dim(text)
        }
    }

    var margin: String { String(repeating: " ", count: numberColumns + 2) }
    var textColumns: Int { columns - numberColumns - 2 }

    private func runs(_ line: [Cell], marked: (String) -> String, plain: (String) -> String) -> String {
        var text = ""
        var rest = line[...]
        while let first = rest.first {
            let run = rest.prefix { $0.isMarked == first.isMarked }
            let joined = run.map(\.text).joined()
            text += first.isMarked ? marked(joined) : plain(joined)
            rest = rest.dropFirst(run.count)
        }
        return text
    }
}

/// The members of a hit that a list shows.
package struct FoundHit {
    package let id: String
    package let source: String
    package let title: String
    package let titleMarks: [Range<Int>]
    let snippet: String?
    let snippetMarks: [Range<Int>]
    package let url: String?
    let author: String?
    package let published: PublishedTime?
    /// Sources of the user's own data, which do not count as further sources of a hit.
    static let ownSources: Set = ["library", "seen"]

    let alsoFrom: [String]
    package let isSaved: Bool
    package let age: Double?
    /// Facts that help to choose a hit, such as a price.
    let choosing: [String]

    package init(_ hit: JSONCursor) {
        isSaved = hit[.saved]?.bool ?? false
        age = hit[.age]?.double
        alsoFrom = (hit[.alsoFrom]?.elements ?? []).compactMap(\.string).filter { !Self.ownSources.contains($0) }
        id = hit[.id]?.string ?? ""
        source = hit[.source]?.string ?? ""
        title = hit[.title]?.string ?? ""
        snippet = hit[.snippet]?.string
        let marks = hit[.marks]
        titleMarks = Self.ranges(marks?[.title])
        snippetMarks = Self.ranges(marks?[.snippet])
        url = hit[.url]?.string
        choosing = Self.choosing(hit[.kind]?.string ?? "", hit[.extra])
        author = hit[.author]?.string
        published = hit[.published]?.string.flatMap {
            PublishedTime($0, precision: hit[.publishedPrecision]?.string)
        }
    }

    private static func choosing(_ kind: String, _ extra: JSONCursor?) -> [String] {
        guard let extra else { return [] }
        let figures = ItemFacts.figures(extra)
        return switch kind {
        case "place": [extra["roadAddress"]?.string ?? extra["address"]?.string ?? ""]
        case "book": figures.filter { $0.name == "price" }.map(\.value)
        case "app": figures.map(\.value)
        default: []
        }
    }

    private static func ranges(_ marks: JSONCursor?) -> [Range<Int>] {
        (marks?.elements ?? []).compactMap { pair in
            guard let from = pair[0]?.int, let to = pair[1]?.int, 0 <= from, from < to else { return nil }
            return from..<to
        }
    }
}
