import JSON
import RPC
import SearchModel

/// Hits as a person reads them: in two lines each, or with all of the title, the snippet and the address.
struct HitText {
    enum Layout {
        /// Title; then where it is from, when, its address, and what fits of its snippet.
        case compact
        /// Title, origin, snippet and address, and an empty line.
        case long
    }

    static let titleLinesMax = 3
    static let snippetLinesMax = 3
    static let untitled = "(untitled)"

    let columns: Int
    let style: Style
    /// Seconds since 1970: items have an age.
    let now: Int64
    let zone: LocalZone
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
    init(
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
    func text(_ hit: FoundHit, number: Int) -> String {
        let label = hasNumbers ? String(number) + "." : "-"
        let padding = String(repeating: " ", count: max(0, numberColumns + 1 - label.count))
        let first = padding + style.dim(label) + " "
        return switch layout {
        case .compact: compact(hit, number, first)
        case .long: long(hit, number, first)
        }
    }

    private func compact(_ hit: FoundHit, _ number: Int, _ first: String) -> String {
        let origin = origin(hit, number)
        return first + titleLines(hit, number, linesMax: 1)[0] + "\n" + (origin.isEmpty ? "" : margin + origin + "\n")
    }

    var margin: String { String(repeating: " ", count: numberColumns + 2) }
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

    /// One line of a hit that has come, before it is known where it will stand.
    func preview(_ hit: FoundHit) -> String {
        let title = hit.title.isEmpty ? Self.untitled : hit.title
        let line = LineWrap.cut(Cell.cells("\(hit.source) · \(title)"), columns: columns - 1)
        return style.dim(line.map(\.text).joined()) + "\n"
    }

    /// What the source marks, and the words of the query, in a text.
    func marks(_ given: [Range<Int>], in text: String) -> [Range<Int>] {
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

/// The second line of a hit in the compact list.
extension HitText {
    private static let authorColumnsMax = 20
    /// Beside a snippet, an address is cut to these.
    private static let addressColumnsMax = 40
    /// What is cut shorter says nothing.
    private static let addressColumnsMin = 12
    private static let snippetColumnsMin = 20
    private static let separator = " · "

    /// Source, author, age and address, and the beginning of the snippet where there is room for it.
    func origin(_ hit: FoundHit, _ number: Int) -> String {
        let others = hit.alsoFrom.isEmpty ? "" : " +\(hit.alsoFrom.count)"
        let author = LineWrap.cut(Cell.cells(hit.author ?? ""), columns: Self.authorColumnsMax).map(\.text).joined()
        let facts = [
            hit.source + others, author, hit.published?.age(at: now, in: zone) ?? "", hit.isSaved ? "saved" : "",
            hit.age.map { $0 < 1 ? "fetched just now" : "fetched \(FigureText.age(seconds: $0)) ago" } ?? "",
        ]
        let head = LineWrap.cut(
            Cell.cells(facts.filter { !$0.isEmpty }.joined(separator: Self.separator)),
            columns: textColumns
        )
        var parts = [style.cyan(head.map(\.text).joined())]
        var left = textColumns - width(head)
        let snippet = hit.snippet ?? ""
        if let url = hit.url, !url.isEmpty, case let room = left - Self.separator.count, room >= Self.addressColumnsMin
        {
            let whole = Cell.cells(ReadableAddress.short(url))
            let mayShare = !snippet.isEmpty && room - Self.addressColumnsMax > Self.snippetColumnsMin
            let address = LineWrap.cut(whole, columns: mayShare ? Self.addressColumnsMax : room)
            parts.append(style.link(style.dim(address.map(\.text).joined()), to: url, id: number))
            left = room - width(address)
        }
        if !snippet.isEmpty, case let room = left - Self.separator.count, room >= Self.snippetColumnsMin {
            let cells = Cell.cells(snippet, marks: marks(hit.snippetMarks, in: snippet))
            let line = LineWrap.lines(cells, columns: room, linesMax: 1).first ?? []
            parts.append(runs(line, marked: style.bold, plain: { $0 }))
        }
        return parts.filter { !$0.isEmpty }.joined(separator: style.dim(Self.separator))
    }

    private func width(_ cells: [Cell]) -> Int {
        cells.reduce(0) { $0 + $1.columns }
    }
}

/// What is shown of a hit; read leniently, so that a newer daemon's hits are shown too.
struct FoundHit {
    let id: String
    let source: String
    let title: String
    let titleMarks: [Range<Int>]
    let snippet: String?
    let snippetMarks: [Range<Int>]
    let url: String?
    let author: String?
    let published: PublishedTime?
    /// What a user has here is where a hit was found, not another source of it.
    static let ownSources: Set = ["library", "seen"]

    /// The other sources that have it.
    let alsoFrom: [String]
    /// Whether the user has saved it, as far as the search said.
    let isSaved: Bool
    /// How many seconds ago it was fetched, when it was not fetched for this search.
    let age: Double?

    init(_ hit: JSONCursor) {
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
        author = hit[.author]?.string
        published = hit[.published]?.string.flatMap {
            PublishedTime($0, precision: hit[.publishedPrecision]?.string)
        }
    }

    private static func ranges(_ marks: JSONCursor?) -> [Range<Int>] {
        (marks?.elements ?? []).compactMap { pair in
            guard let from = pair[0]?.int, let to = pair[1]?.int, 0 <= from, from < to else { return nil }
            return from..<to
        }
    }
}
