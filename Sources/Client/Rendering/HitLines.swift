import JSON
import SearchModel

/// Formats the lines below the title of a hit, in pieces of different styles.
package struct HitLines {
    package enum Role {
        case own
        case origin
        case address
        case text
        case separator
    }

    package struct Piece {
        package let cells: [Cell]
        package let role: Role
    }

    private static let authorColumnsMax = 20
    private static let addressColumnsMax = 24
    private static let addressColumnsMin = 12
    private static let textColumnsMin = 20
    private static let separator = Cell.cells(" · ")

    package let columns: Int
    /// In seconds since 1970.
    package let now: Int64
    package let zone: LocalZone
    package let marks: QueryMarks

    package init(columns: Int, now: Int64, zone: LocalZone, marks: QueryMarks) {
        (self.columns, self.now, self.zone, self.marks) = (columns, now, zone, marks)
    }

    /// `own` has the user's tags and stars.
    package func lines(_ hit: FoundHit, own: String = "", count: Int) -> [[Piece]] {
        let text = hit.snippet ?? ""
        let isApart = count > 1 && !text.isEmpty
        var line: [Piece] = []
        add(Cell.cells(own), .own, to: &line)
        add(Cell.cells(facts(hit).joined(separator: " · ")), .origin, to: &line)
        if let url = hit.url, !url.isEmpty, room(in: line) >= Self.addressColumnsMin {
            let sharesLine = !isApart && !text.isEmpty
            let address = Cell.cells(sharesLine ? ReadableAddress.host(url) : ReadableAddress.short(url))
            let most = sharesLine ? Self.addressColumnsMax : columns
            add(LineWrap.cut(address, columns: min(most, room(in: line))), .address, to: &line)
        }
        let cells = Cell.cells(text, marks: QueryMarks.joined(hit.snippetMarks + marks.ranges(in: text)))
        if isApart { return [line, [Piece(cells: Self.excerpt(cells, columns: columns), role: .text)]] }
        if !text.isEmpty, room(in: line) >= Self.textColumnsMin {
            add(Self.excerpt(cells, columns: room(in: line)), .text, to: &line)
        }
        return line.isEmpty ? [] : [line]
    }

    private func facts(_ hit: FoundHit) -> [String] {
        let others = hit.alsoFrom.isEmpty ? "" : " +\(hit.alsoFrom.count)"
        let author = (hit.author ?? "").cut(columns: Self.authorColumnsMax)
        let fetched = hit.age.map { $0 < 1 ? "fetched just now" : "fetched \(NumberText.age(seconds: $0)) ago" }
        let facts =
            [hit.source + others, author] + hit.choosing
            + [hit.published?.age(at: now, in: zone) ?? "", hit.isSaved ? "saved" : "", fetched ?? ""]
        return facts.filter { !$0.isEmpty }
    }

    private func room(in line: [Piece]) -> Int { columns - Self.width(line) - Self.width(Self.separator) }

    private func add(_ cells: [Cell], _ role: Role, to line: inout [Piece]) {
        guard !cells.isEmpty, room(in: line) > 0 else { return }
        if !line.isEmpty { line.append(Piece(cells: Self.separator, role: .separator)) }
        line.append(Piece(cells: LineWrap.cut(cells, columns: columns - Self.width(line)), role: role))
    }

    /// If the first match would be cut off, the excerpt begins shortly before the match.
    static func excerpt(_ cells: [Cell], columns: Int) -> [Cell] {
        guard let match = cells.firstIndex(where: \.isMarked), width(Array(cells[...match])) > columns * 2 / 3 else {
            return LineWrap.cut(cells, columns: columns)
        }
        var start = match
        var before = 0
        while start > 0, before + cells[start - 1].columns < columns / 3 {
            start -= 1
            before += cells[start].columns
        }
        let word = cells[start..<match].firstIndex(where: \.isBlank).map { $0 + 1 }
        let dots = Cell(text: "…", columns: 1, isMarked: false)
        return LineWrap.cut([dots] + cells[(word ?? start)...], columns: columns)
    }

    private static func width(_ cells: [Cell]) -> Int { cells.reduce(0) { $0 + $1.columns } }
    private static func width(_ line: [Piece]) -> Int { line.reduce(0) { $0 + width($1.cells) } }
}
