/// A section of the report.
struct Section {
    let title: String
    var notes: [String] = []
    var tables: [ResultTable] = []
    var verdicts: [Verdict] = []
    /// Descriptions of wrong answers.
    ///
    /// If there are any, the numbers of the section are not valid.
    var failures: [String] = []

    var text: String {
        var lines = ["", title, String(repeating: "=", count: title.count)] + notes
        for table in tables { lines += [""] + table.lines }
        if !verdicts.isEmpty { lines += [""] + verdicts.map(\.line) }
        return (lines + failures.map { "FAILURE  \($0)" }).joined(separator: "\n")
    }
}

/// Whether a measurement meets its target.
struct Verdict {
    let target: String
    let measured: String
    let passed: Bool

    init(_ target: String, measured: String, passed: Bool) {
        (self.target, self.measured, self.passed) = (target, measured, passed)
    }

    init(_ target: String, _ spread: Spread?, _ unit: Unit, atLeast: Double? = nil, atMost: Double? = nil) {
        let median = spread?.median ?? .nan
        self.init(
            target,
            measured: spread.map(unit.text) ?? "not measured",
            passed: median >= atLeast ?? -.infinity && median <= atMost ?? .infinity
        )
    }

    var line: String { "\(passed ? "pass" : "MISS")  \(target): \(measured)" }
}

struct ResultTable {
    private var rows: [[String]]

    init(_ header: [String]) { rows = [header] }

    mutating func add(_ name: String, _ cells: [String]) {
        let row = [name] + cells
        rows.append(row + Array(repeating: "", count: max(0, rows[0].count - row.count)))
    }

    var lines: [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }
            return cells.joined(separator: "  ")
        }
    }
}
