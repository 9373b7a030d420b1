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
