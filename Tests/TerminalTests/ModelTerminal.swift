import Hangul

@testable import Terminal

/// A simulated terminal.
///
/// The test crashes if the painter sends a sequence that is not allowed.
struct ModelTerminal {
    private(set) var screen: Screen
    private(set) var isCursorShown = true
    private(set) var row = 0
    private(set) var column = 0
    private(set) var stamps: [Stamp] = []
    private var look = Look.plain
    private var kept: Set<String> = []

    struct Stamp: Equatable {
        let row: Int
        let column: Int
        let name: String
        let placement: String
    }

    private var region: Range<Int>

    init(columns: Int, rows: Int) {
        screen = Screen(columns: columns, rows: rows)
        region = 0..<screen.rows
    }

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
                if rest.first != "[" {
                    obeyString(&rest)
                    continue
                }
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
        case "K":
            for column in column..<screen.columns { screen.write(" ", row: row, column: column, look) }
        case "J":
            stamps = []
            screen = Screen(columns: screen.columns, rows: screen.rows)
        case "r":
            region = numbers.isEmpty ? 0..<screen.rows : numbers[0] - 1..<numbers[1]
            (row, column) = (0, 0)
        case "S", "T":
            precondition(stamps.isEmpty, "scrolling graphics differs between terminals")
            screen.scroll(region, by: final == "S" ? numbers[0] : -numbers[0])
        case "m": restyle(numbers)
        case "h", "l": if parameters == "?25" { isCursorShown = final == "h" }
        default: preconditionFailure("unknown: \(final)")
        }
    }

    private mutating func restyle(_ numbers: [Int]) {
        if numbers.isEmpty { look = .plain }
        var rest = numbers[...]
        while let number = rest.popFirst() {
            switch number {
            case 38: look.front = colour(&rest)
            case 48: look.back = colour(&rest)
            case 0: look = .plain
            case 1: look.isBold = true
            case 2: look.isDim = true
            case 4: look.isUnderlined = true
            case 7: look.isReversed = true
            default: look.ink = Look.TextColour(rawValue: UInt8(number - 30))
            }
        }
    }

    private func colour(_ numbers: inout ArraySlice<Int>) -> Look.Colour? {
        let parts = numbers.popFirst() == 5 ? numbers.prefix(1) : numbers.prefix(3)
        numbers = numbers.dropFirst(parts.count)
        let bytes = parts.map { UInt8($0) }
        return bytes.count == 1 ? .palette(bytes[0]) : .exact(red: bytes[0], green: bytes[1], blue: bytes[2])
    }

    private mutating func obeyString(_ rest: inout Substring) {
        let introducer = rest.popFirst()
        let end = introducer == "]" ? "\u{7}" : "\u{1B}\\"
        let bytes = Array(rest.unicodeScalars)
        let ending = Array(end.unicodeScalars)
        guard let index = bytes.indices.first(where: { bytes[$0...].starts(with: ending) }) else {
            preconditionFailure("a string without an end")
        }
        let text = String(String.UnicodeScalarView(bytes[..<index]))
        rest = Substring(String(String.UnicodeScalarView(bytes[(index + ending.count)...])))
        switch introducer {
        case "_": obeyKitty(text)
        default: preconditionFailure("unknown string")
        }
    }

    private mutating func obeyKitty(_ text: String) {
        let head = text.dropFirst().prefix { $0 != ";" }
        let values = Dictionary(
            uniqueKeysWithValues: head.split(separator: ",").map { ($0.prefix(1), String($0.dropFirst(2))) }
        )
        let name = values["i"] ?? ""
        switch (values["a"], values["d"]) {
        case ("t", _): kept.insert(name)
        case ("p", _):
            precondition(kept.contains(name), "placed before its data was sent")
            let placement = values["p"] ?? ""
            stamps.removeAll { $0.name == name && $0.placement == placement }
            stamps.append(Stamp(row: row, column: column, name: name, placement: placement))
        case ("d", "i"): stamps.removeAll { $0.name == name && $0.placement == values["p"] }
        case ("d", "I"):
            kept.remove(name)
            stamps.removeAll { $0.name == name }
        case (nil, _): break
        default: preconditionFailure("unknown: \(text)")
        }
    }
}
