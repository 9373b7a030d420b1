import Hangul

@testable import Terminal

/// A terminal as its manual describes it, as far as the painter uses it; what it does not know it traps on.
struct ModelTerminal {
    private(set) var screen: Screen
    private(set) var isCursorShown = true
    private(set) var row = 0
    private(set) var column = 0
    private var look = Look.plain
    private var region: Range<Int>

    init(columns: Int, rows: Int) {
        screen = Screen(columns: columns, rows: rows)
        region = 0..<screen.rows
    }

    /// Fills it with what a shell may have left.
    mutating func spoil() {
        for row in 0..<screen.rows {
            screen.write(String(repeating: "#", count: screen.columns), row: row, column: 0, .bad)
        }
    }

    mutating func show(_ bytes: [UInt8]) {
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        while let first = rest.first {
            if rest.unicodeScalars.first == "\u{1B}" {
                rest = rest.dropFirst()
                precondition(rest.first == "[", "only CSI")
                let parameters = rest.dropFirst().prefix { !$0.isLetter }
                rest = rest.dropFirst(1 + parameters.count)
                guard let final = rest.popFirst() else { return }
                obey(final, String(parameters))
            } else if first == "\r\n" {
                rest = rest.dropFirst()
                column = 0
                row = min(row + 1, screen.rows - 1)
            } else {
                rest = rest.dropFirst()
                column = min(column, screen.columns - 1)
                column = screen.write(String(first), row: row, column: column, look)
            }
        }
    }

    private mutating func obey(_ final: Character, _ parameters: String) {
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch final {
        case "H":
            row = (numbers.first ?? 1) - 1
            column = (numbers.count > 1 ? numbers[1] : 1) - 1
        case "C": column += numbers.first ?? 1
        case "K": for column in column..<screen.columns { screen.write(" ", row: row, column: column, look) }
        case "J": screen = Screen(columns: screen.columns, rows: screen.rows)
        case "r":
            region = numbers.isEmpty ? 0..<screen.rows : numbers[0] - 1..<numbers[1]
            (row, column) = (0, 0)
        case "S": screen.scroll(region, by: numbers[0])
        case "T": screen.scroll(region, by: -numbers[0])
        case "m": restyle(numbers)
        case "h", "l": if parameters == "?25" { isCursorShown = final == "h" }
        default: preconditionFailure("unknown: \(final)")
        }
    }

    private mutating func restyle(_ numbers: [Int]) {
        if numbers.isEmpty { look = .plain }
        for number in numbers {
            switch number {
            case 0: look = .plain
            case 1: look.isBold = true
            case 2: look.isDim = true
            case 4: look.isUnderlined = true
            case 7: look.isReversed = true
            default: look.ink = Look.Ink(rawValue: UInt8(number - 30))
            }
        }
    }
}
