/// A key, text, paste or mouse event from a terminal.
package enum InputEvent: Equatable, Sendable {
    /// One Unicode scalar.
    case text(String)
    case key(Key)
    case paste(String)
    case mouse(Mouse)
}

package struct Key: Hashable, Sendable {
    package enum Name: Hashable, Sendable {
        case up, down, left, right
        case home, end, pageUp, pageDown
        case backspace, delete, insert
        case tab, enter, escape
        case function(Int)
        /// A lower-case letter that was pressed with Control or Alt.
        case letter(Character)
    }

    package var name: Name
    package var hasShift: Bool
    package var hasAlt: Bool
    package var hasControl: Bool

    package init(_ name: Name, hasShift: Bool = false, hasAlt: Bool = false, hasControl: Bool = false) {
        self.name = name
        self.hasShift = hasShift
        self.hasAlt = hasAlt
        self.hasControl = hasControl
    }

    package static func control(_ letter: Character) -> Key { Key(.letter(letter), hasControl: true) }
    package static func alt(_ letter: Character) -> Key { Key(.letter(letter), hasAlt: true) }
}

/// A mouse event at a cell.
///
/// Rows and columns begin at 0.
package struct Mouse: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
        case click
        case wheelUp
        case wheelDown
    }

    package let action: Action
    package let row: Int
    package let column: Int

    package init(_ action: Action, row: Int, column: Int) {
        self.action = action
        self.row = row
        self.column = column
    }
}

/// Decodes the bytes from a terminal into events.
///
/// The bytes of one sequence may be split over several calls.
package struct InputDecoder {
    static let sequenceBytesMax = 64
    package static let pasteBytesMax = 64 << 10
    static let answerBytesMax = 128
    static let answersMax = 8

    private enum State {
        case plain
        case escape([UInt8])
        /// A control string (OSC, DCS, APC), which is skipped unless it answers a query.
        case string(introducer: UInt8, [UInt8], hasEscape: Bool)
        /// How many received bytes match the sequence at the end of a paste.
        case paste(matched: Int)
        case scalar([UInt8], missing: Int)
    }

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private var state = State.plain
    private var pasted: [UInt8] = []
    /// Whether an escape byte was reported as the Escape key.
    ///
    /// The rest of a slow sequence may still arrive.
    private var hasEscaped = false
    private var answers: [TerminalAnswer] = []

    package init() {}

    /// The milliseconds until the caller must call `timedOut`, or nil to wait without limit.
    package var patience: Int? {
        switch state {
        case .plain, .paste: nil
        case .escape(let bytes): bytes.count > 1 ? 1000 : 100
        case .string, .scalar: 1000
        }
    }

    package mutating func takeAnswers() -> [TerminalAnswer] {
        defer { answers = [] }
        return answers
    }

    package mutating func received(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        var bytes = Array(bytes)
        if hasEscaped, case .plain = state, Self.mayContinue(bytes) { bytes.insert(0x1B, at: 0) }
        hasEscaped = false
        var events: [InputEvent] = []
        for byte in bytes { process(byte, &events) }
        return events
    }

    /// Returns the Escape key if the incomplete input is only an escape byte.
    package mutating func timedOut() -> [InputEvent] {
        defer { state = .plain }
        guard case .escape(let bytes) = state else { return [] }
        hasEscaped = bytes.count == 1
        return hasEscaped ? [.key(Key(.escape))] : []
    }

    /// Typed keys arrive one by one, so two bytes that arrive together are a sequence.
    private static func mayContinue(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 1, bytes[0] == UInt8(ascii: "[") || bytes[0] == UInt8(ascii: "O") else { return false }
        return bytes[1] < 0x7F && bytes[1] > 0x20
    }

    private mutating func process(_ byte: UInt8, _ events: inout [InputEvent]) {
        switch state {
        case .plain: begin(byte, &events)
        case .escape(let bytes): extend(bytes, byte, &events)
        case .string(let introducer, let text, let hasEscape): extend(introducer, text, byte, hasEscape)
        case .paste(let matched): paste(matched, byte, &events)
        case .scalar(let bytes, let missing):
            guard byte & 0xC0 == 0x80 else {
                state = .plain
                return begin(byte, &events)
            }
            state = missing > 1 ? .scalar(bytes + [byte], missing: missing - 1) : .plain
            if missing == 1, let text = String(validating: bytes + [byte], as: UTF8.self) { add(text, &events) }
        }
    }

    private mutating func begin(_ byte: UInt8, _ events: inout [InputEvent]) {
        switch byte {
        case 0x1B: state = .escape([byte])
        case 0x20..<0x7F: events.append(.text(String(UnicodeScalar(byte))))
        case 0xC2...0xDF: state = .scalar([byte], missing: 1)
        case 0xE0...0xEF: state = .scalar([byte], missing: 2)
        case 0xF0...0xF4: state = .scalar([byte], missing: 3)
        default: if let key = Self.control(byte) { events.append(.key(key)) }
        }
    }

    private func add(_ text: String, _ events: inout [InputEvent]) {
        if text.unicodeScalars.allSatisfy({ $0.value >= 0xA0 }) { events.append(.text(text)) }
    }

    private static func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x09: Key(.tab)
        case 0x0A, 0x0D: Key(.enter)
        case 0x08, 0x7F: Key(.backspace)
        case 0x01...0x1A: .control(Character(UnicodeScalar(byte + 0x60)))
        default: nil
        }
    }

    private mutating func extend(_ bytes: [UInt8], _ byte: UInt8, _ events: inout [InputEvent]) {
        let bytes = bytes + [byte]
        guard bytes.count > 2 || ![UInt8(ascii: "["), UInt8(ascii: "O")].contains(byte) else {
            state = .escape(bytes)
            return
        }
        state = .plain
        if bytes.count == 2 { return begin(afterEscape: byte, &events) }
        if byte == 0x1B { return state = .escape([byte]) }
        let isFinal = (0x40...0x7E).contains(byte)
        guard isFinal || bytes.count >= Self.sequenceBytesMax || byte < 0x20 else {
            state = .escape(bytes)
            return
        }
        guard isFinal else { return }
        if bytes.elementsEqual("\u{1B}[200~".utf8) {
            state = .paste(matched: 0)
        } else if let answer = TerminalAnswer(sequence: bytes) {
            add(answer)
        } else if let event = InputSequence.event(bytes) {
            events.append(event)
        }
    }

    private mutating func extend(_ introducer: UInt8, _ text: [UInt8], _ byte: UInt8, _ hasEscape: Bool) {
        guard byte == 0x07 || hasEscape && byte == UInt8(ascii: "\\") else {
            let isText = byte != 0x1B && text.count < Self.answerBytesMax
            return state = .string(introducer: introducer, text + (isText ? [byte] : []), hasEscape: byte == 0x1B)
        }
        state = .plain
        if let answer = TerminalAnswer(introducer: introducer, text) { add(answer) }
    }

    private mutating func add(_ answer: TerminalAnswer) {
        if answers.count < Self.answersMax { answers.append(answer) }
    }

    private mutating func begin(afterEscape byte: UInt8, _ events: inout [InputEvent]) {
        switch byte {
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            state = .string(introducer: byte, [], hasEscape: false)
        case 0x1B:
            events.append(.key(Key(.escape)))
            state = .escape([byte])
        case 0x21..<0x7F: events.append(.key(.alt(Character(UnicodeScalar(byte)))))
        case 0x80...:
            events.append(.key(Key(.escape)))
            begin(byte, &events)
        default:
            if var key = Self.control(byte) {
                key.hasAlt = true
                events.append(.key(key))
            }
        }
    }

    private mutating func paste(_ matched: Int, _ byte: UInt8, _ events: inout [InputEvent]) {
        if byte == Self.pasteEnd[matched] {
            guard matched + 1 == Self.pasteEnd.count else { return state = .paste(matched: matched + 1) }
            state = .plain
            events.append(.paste(String(decoding: pasted, as: UTF8.self)))
            pasted = []
        } else {
            // After a mismatch, only the first byte of the end sequence can start a new match.
            let isStart = byte == Self.pasteEnd[0]
            let bytes = Self.pasteEnd.prefix(matched) + (isStart ? [] : [byte])
            if pasted.count + bytes.count <= Self.pasteBytesMax { pasted += bytes }
            state = .paste(matched: isStart ? 1 : 0)
        }
    }
}

/// Decodes one complete escape sequence of a terminal (CSI or SS3).
enum InputSequence {
    static func event(_ bytes: [UInt8]) -> InputEvent? {
        guard let final = bytes.last else { return nil }
        let parameters = bytes.dropFirst(2).dropLast()
        if parameters.first == UInt8(ascii: "<") { return mouse(parameters.dropFirst(), final) }
        let numbers = numbers(parameters)
        guard let numbers, let name = name(final, numbers.first ?? 1) else { return nil }
        // The second number, minus one, has bits for Shift, Alt and Control.
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

    /// Decodes an SGR mouse report: button, column, row, and `M` for a press.
    private static func mouse(_ parameters: ArraySlice<UInt8>, _ final: UInt8) -> InputEvent? {
        guard final == UInt8(ascii: "M"), let numbers = numbers(parameters), numbers.count == 3, numbers[1] > 0,
            numbers[2] > 0
        else { return nil }
        let action: Mouse.Action
        // Ignore the bits of Shift, Alt and Control. A movement has the bit 32, so it matches no case.
        switch numbers[0] & ~0b1_1100 {
        case 0: action = .click
        case 64: action = .wheelUp
        case 65: action = .wheelDown
        default: return nil
        }
        return .mouse(Mouse(action, row: numbers[2] - 1, column: numbers[1] - 1))
    }

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
