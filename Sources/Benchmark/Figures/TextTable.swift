/// Rows and columns as plain text: the first column to the left, the others, which are figures, to the right.
struct TextTable: Equatable, Sendable {
    let header: [String]
    private(set) var rows: [[String]] = []

    init(_ header: [String]) {
        self.header = header
    }

    /// Adds a row; one shorter than the header ends in empty cells.
    mutating func add(_ row: [String]) {
        precondition(row.count <= header.count, "a row of \(row.count) cells under \(header.count) headings")
        rows.append(row + Array(repeating: "", count: header.count - row.count))
    }

    /// The lines of the table, without spaces at their ends.
    var lines: [String] {
        let everything = [header] + rows
        let widths = header.indices.map { column in everything.map { $0[column].count }.max() ?? 0 }
        return everything.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                line += column == 0 ? cell + padding : "  " + padding + cell
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
