import JSON

/// Results in rows and columns: people read a median, programs get the figure of every round.
struct ResultTable: Sendable {
    /// One figure of a row.
    struct Cell: Sendable {
        let text: String
        /// In the unit of the column, of every round.
        let json: JSONValue

        static func text(_ text: String) -> Cell { Cell(text: text, json: .string(text)) }

        static func one(_ value: Double, _ unit: Unit = .count) -> Cell {
            Cell(text: unit.text(value), json: unit.json(value))
        }

        static func one(_ value: Int) -> Cell { one(Double(value)) }

        /// The median of the rounds, with the extremes in brackets where these matter.
        static func rounds(_ spread: Spread?, _ unit: Unit = .count, withExtremes: Bool = false) -> Cell {
            guard let spread else { return Cell(text: "–", json: .null) }
            return Cell(
                text: withExtremes ? unit.text(spread) : unit.text(spread.median),
                json: .array(spread.values.map(unit.json))
            )
        }
    }

    let header: [String]
    private(set) var rows: [[Cell]] = []

    init(_ header: [String]) {
        self.header = header
    }

    /// Adds a row; one shorter than the header ends in empty cells.
    mutating func add(_ name: String, _ cells: [Cell]) {
        let row = [.text(name)] + cells
        precondition(row.count <= header.count, "a row of \(row.count) cells under \(header.count) headings")
        rows.append(row)
    }

    /// For people: the first column is aligned to the left, the figures in the others to the right.
    var lines: [String] {
        let everything = [header] + rows.map { row in header.indices.map { $0 < row.count ? row[$0].text : "" } }
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

    /// For programs: one object per row, by the headings.
    var json: JSONValue {
        .array(rows.map { row in .object(zip(header, row).map { JSONMember($0, $1.json) }) })
    }
}

/// What the figures of a column are counted in, and with how many decimals people read them.
struct Unit: Sendable {
    private let scale: Double
    private let places: Int

    static let count = Unit(scale: 1, places: 0)
    static let ratio = Unit(scale: 1, places: 2)
    /// Of one.
    static let share = Unit(scale: 1, places: 3)
    static let percent = Unit(scale: 100, places: 1)
    /// Of nanoseconds.
    static let microseconds = Unit(scale: 1e-3, places: 1)
    /// Of nanoseconds, and precisely.
    static let finerMicroseconds = Unit(scale: 1e-3, places: 2)
    /// Of nanoseconds.
    static let milliseconds = Unit(scale: 1e-6, places: 2)
    /// Of bytes.
    static let kibibytes = Unit(scale: 1 / 1_024, places: 1)
    /// Of bytes.
    static let mebibytes = Unit(scale: 1 / 1_048_576, places: 1)

    func text(_ value: Double) -> String { Numbers.decimal(value * scale, places: places) }

    /// A median and its extremes: `1.08 (1.02–1.11)`.
    func text(_ spread: Spread) -> String {
        "\(text(spread.median)) (\(text(spread.lowest))–\(text(spread.highest)))"
    }

    func json(_ value: Double) -> JSONValue { .decimal(value * scale) }
}
