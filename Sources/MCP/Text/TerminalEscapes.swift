/// Finds the control sequences of a terminal in a text, whole: what they leave without their first character is noise.
struct TerminalEscapes {
    private enum State {
        case text
        /// Behind an escape.
        case escape
        /// In a control sequence, which a letter ends.
        case sequence
        /// In a string that BEL or an escape ends, as the title of a window.
        case string(left: Int)
    }

    /// A longer string was none: what follows is text again.
    private static let stringScalarsMax = 2048

    private var state = State.text

    /// Whether the next scalar is of a sequence.
    mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
        switch (state, scalar) {
        case (.text, "\u{1B}"), (.sequence, "\u{1B}"), (.escape, "\u{1B}"): state = .escape
        case (.text, "\u{9B}"): state = .sequence
        case (.text, "\u{9D}"), (.text, "\u{90}"), (.text, "\u{98}"), (.text, "\u{9E}"), (.text, "\u{9F}"),
            (.escape, "]"), (.escape, "P"), (.escape, "X"), (.escape, "^"), (.escape, "_"):
            state = .string(left: Self.stringScalarsMax)
        case (.text, _): return false
        case (.escape, "["): state = .sequence
        case (.escape, " "..."/"): break
        case (.escape, "0"..."~"): state = .text
        case (.escape, _): return endsSequence(scalar)
        case (.sequence, " "..."?"): break
        case (.sequence, "@"..."~"): state = .text
        case (.sequence, _): return endsSequence(scalar)
        case (.string, "\u{7}"), (.string, "\u{9C}"): state = .text
        case (.string, "\u{1B}"): state = .escape
        case (.string, "\n"): return endsSequence(scalar)
        case (.string(let left), _): state = left > 1 ? .string(left: left - 1) : .text
        }
        return true
    }

    /// A scalar that no sequence holds is text again.
    private mutating func endsSequence(_ scalar: Unicode.Scalar) -> Bool {
        state = .text
        return false
    }
}
