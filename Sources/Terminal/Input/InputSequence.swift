/// Reads one whole escape sequence of a terminal (CSI and SS3); pure.
enum InputSequence {
    /// Nil for what means nothing here, such as a terminal's answer.
    static func event(_ bytes: [UInt8]) -> InputEvent? {
        guard let final = bytes.last else { return nil }
        let parameters = bytes.dropFirst(2).dropLast()
        if parameters.first == UInt8(ascii: "<") { return mouse(parameters.dropFirst(), final) }
        let numbers = numbers(parameters)
        guard let numbers, let name = name(final, numbers.first ?? 1) else { return nil }
        // The bits of the second number, less one: shift, alt, control.
        let bits = numbers.count > 1 ? max(0, numbers[1] - 1) : 0
        let isBackTab = final == UInt8(ascii: "Z")
        return .key(
            Key(name, hasShift: isBackTab || bits & 1 != 0, hasAlt: bits & 2 != 0, hasControl: bits & 4 != 0)
        )
    }

    private static func name(_ final: UInt8, _ number: Int) -> Key.Name? {
        switch UnicodeScalar(final) {
        case "A": .up
        case "B": .down
        case "C": .right
        case "D": .left
        case "H": .home
        case "F": .end
        case "Z": .tab
        case "M": .enter
        case "P", "Q", "R", "S": .function(Int(final - UInt8(ascii: "P")) + 1)
        case "~": tilde(number)
        default: nil
        }
    }

    private static func tilde(_ number: Int) -> Key.Name? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }

    /// SGR: button, column, row; `M` when it is pressed.
    private static func mouse(_ parameters: ArraySlice<UInt8>, _ final: UInt8) -> InputEvent? {
        guard final == UInt8(ascii: "M"), let numbers = numbers(parameters), numbers.count == 3, numbers[1] > 0,
            numbers[2] > 0
        else { return nil }
        let action: Mouse.Action
        // Modifiers make no difference; a movement is no click.
        switch numbers[0] & ~0b1_1100 {
        case 0: action = .click
        case 64: action = .wheelUp
        case 65: action = .wheelDown
        default: return nil
        }
        return .mouse(Mouse(action, row: numbers[2] - 1, column: numbers[1] - 1))
    }

    /// Decimal numbers between semicolons, an absent one as 1; nil for anything else.
    private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int]? {
        guard !bytes.isEmpty else { return [] }
        var numbers: [Int] = []
        for part in bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            guard part.count < 6 else { return nil }
            guard !part.isEmpty else {
                numbers.append(1)
                continue
            }
            guard let text = String(validating: part, as: UTF8.self), let number = Int(text), number >= 0 else {
                return nil
            }
            numbers.append(number)
        }
        return numbers
    }
}
