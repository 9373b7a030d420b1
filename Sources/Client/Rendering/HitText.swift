package import JSON
import RPC
import SearchModel

/// Hits as a person reads them: in two or three lines each, or with all of the title, the snippet and the address.
package struct HitText {
    package enum Layout {
        /// Title; then, in one or two lines, where it is from, when, its address, and the best part of its snippet.
        case compact(linesBelow: Int)
        /// Title, origin, snippet and address, and an empty line.
        case long
    }

    static let titleLinesMax = 3
    static let snippetLinesMax = 3
    package static let untitled = "(untitled)"

    package let columns: Int
    package let style: Style
    /// Seconds since 1970: items have an age.
    package let now: Int64
    package let zone: LocalZone
    private let layout: Layout
    private let marks: QueryMarks
    /// Columns of the numbers in front of titles.
    private let numberColumns: Int
    private let hasNumbers: Bool

    /// - Parameters:
    ///   - layout: How much of a hit is shown.
    ///   - columns: The width of the text.
    ///   - numberMax: The highest number that will be shown.
    ///   - hasNumbers: False where a number would mean a hit of another list.
    ///   - query: Its words are set off.
    ///   - style: How words are set off.
    ///   - now: Seconds since 1970.
    ///   - zone: Of dates.
    package init(
        _ layout: Layout,
        columns: Int,
        numberMax: Int,
        hasNumbers: Bool = true,
        query: String = "",
        style: Style,
        now: Int64,
        zone: LocalZone
    ) {
        self.layout = layout
        self.columns = columns
        self.style = style
        self.now = now
        self.zone = zone
        marks = QueryMarks(query: query)
        numberColumns = max(2, String(numberMax).count)
        self.hasNumbers = hasNumbers
    }

    /// The lines of one hit.
    package func text(_ hit: FoundHit, number: Int) -> String {
        let label = hasNumbers ? String(number) + "." : "-"
        let padding = String(repeating: " ", count: max(0, numberColumns + 1 - label.count))
        let first = padding + style.dim(label) + " "
        return switch layout {
        case .compact(let count): compact(hit, number, first, linesBelow: count)
        case .long: long(hit, number, first)
        }
    }

    private func compact(_ hit: FoundHit, _ number: Int, _ first: String, linesBelow: Int) -> String {
        let below = HitLines(columns: textColumns, now: now, zone: zone, marks: marks).lines(hit, count: linesBelow)
        let lines = below.map { line in line.map { styled($0, hit, number) }.joined() }
        return ([first + titleLines(hit, number, linesMax: 1)[0]] + lines.map { margin + $0 }).map { $0 + "\n" }
            .joined()
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

    package var margin: String { String(repeating: " ", count: numberColumns + 2) }
    /// The columns beside the numbers.
    var textColumns: Int { columns - numberColumns - 2 }

    private func long(_ hit: FoundHit, _ number: Int, _ first: String) -> String {
        var text = ""
        for (index, line) in titleLines(hit, number, linesMax: Self.titleLinesMax).enumerated() {
            text += (index == 0 ? first : margin) + line + "\n"
        }
        let others = hit.alsoFrom.isEmpty ? "" : "also " + hit.alsoFrom.joined(separator: ", ")
        let age = hit.published?.age(at: now, in: zone) ?? ""
        let origin = [hit.source, hit.author ?? "", age, others, hit.isSaved ? "saved" : ""]
            .filter { !$0.isEmpty }.joined(separator: " · ")
        for line in lines(origin, linesMax: 1) { text += margin + style.cyan(line.map(\.text).joined()) + "\n" }
        let snippet = hit.snippet ?? ""
        for line in lines(snippet, marks: marks(hit.snippetMarks, in: snippet), linesMax: Self.snippetLinesMax) {
            text += margin + runs(line, marked: style.bold, plain: { $0 }) + "\n"
        }
        if let url = hit.url, !url.isEmpty {
            // Never broken into lines: it is there to be copied.
            let address = VisibleText.visible(ReadableAddress.text(url))
            text += margin + style.link(style.dim(address), to: url, id: number) + "\n"
        }
        return text + "\n"
    }

    /// What the source marks, and the words of the query, in a text.
    package func marks(_ given: [Range<Int>], in text: String) -> [Range<Int>] {
        QueryMarks.joined(given + marks.ranges(in: text))
    }

    /// At least one line.
    private func titleLines(_ hit: FoundHit, _ number: Int, linesMax: Int) -> [String] {
        let lines = lines(hit.title, marks: marks(hit.titleMarks, in: hit.title), linesMax: linesMax)
        guard !lines.isEmpty else { return [style.link(Self.untitled, to: hit.url, id: number)] }
        return lines.map { line in
            style.link(runs(line, marked: style.boldUnderlined, plain: style.bold), to: hit.url, id: number)
        }
    }

    private func lines(_ text: String, marks: [Range<Int>] = [], linesMax: Int) -> [[Cell]] {
        LineWrap.lines(Cell.cells(text, marks: marks), columns: textColumns, linesMax: linesMax)
    }

    /// A line with its marked runs set off.
    func runs(_ line: [Cell], marked: (String) -> String, plain: (String) -> String) -> String {
        var text = ""
        for run in line.split(between: { $0.isMarked != $1.isMarked }) {
            let joined = run.map(\.text).joined()
            text += run.first?.isMarked == true ? marked(joined) : plain(joined)
        }
        return text
    }
}

extension Array {
    /// The runs of elements between which the condition does not hold; none of them is empty.
    fileprivate func split(between isBoundary: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var runs: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices.dropFirst() where isBoundary(self[index - 1], self[index]) {
            runs.append(self[start..<index])
            start = index
        }
        if start < endIndex { runs.append(self[start...]) }
        return runs
    }
}

/// What is shown of a hit; read leniently, so that a newer daemon's hits are shown too.
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
    /// What a user has here is where a hit was found, not another source of it.
    static let ownSources: Set = ["library", "seen"]

    /// The other sources that have it.
    let alsoFrom: [String]
    /// Whether the user has saved it, as far as the search said.
    package let isSaved: Bool
    /// How many seconds ago it was fetched, when it was not fetched for this search.
    package let age: Double?
    /// What people choose by: the road address of a place, the price of a book, price and rating of an app.
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
        case "app": figures.map { $0.name == "rating" ? "★ \($0.value)" : $0.value }
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
