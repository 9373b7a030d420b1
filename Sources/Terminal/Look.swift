/// How a cell looks besides its text.
///
/// Colours are the sixteen of the terminal, which its user has chosen to be read on the background there is.
package struct Look: Hashable, Sendable {
    /// A colour of the terminal.
    package enum Ink: UInt8, Sendable {
        case red = 1
        case green = 2
        case yellow = 3
        case cyan = 6
    }

    /// Nil is the colour of ordinary text.
    package var ink: Ink?
    package var isBold = false
    package var isDim = false
    package var isUnderlined = false
    package var isReversed = false
    /// Those of a picture's cells, instead of an ink; nil is the terminal's own.
    var front: Colour?
    var back: Colour?
    /// The number of the graphics that lies over the cell; 0 for none.
    var cover: UInt32 = 0

    /// A colour of a picture.
    enum Colour: Hashable, Sendable {
        /// One of the terminal's 256.
        case palette(UInt8)
        case exact(red: UInt8, green: UInt8, blue: UInt8)

        /// As SGR has it behind 38 and 48.
        fileprivate var codes: [UInt8] {
            switch self {
            case .palette(let number): [5, number]
            case .exact(let red, let green, let blue): [2, red, green, blue]
            }
        }
    }

    package init(
        _ ink: Ink? = nil,
        isBold: Bool = false,
        isDim: Bool = false,
        isUnderlined: Bool = false,
        isReversed: Bool = false
    ) {
        self.ink = ink
        self.isBold = isBold
        self.isDim = isDim
        self.isUnderlined = isUnderlined
        self.isReversed = isReversed
    }

    package static let plain = Look()
    package static let bold = Look(isBold: true)
    package static let dim = Look(isDim: true)
    package static let reversed = Look(isReversed: true)
    package static let good = Look(.green)
    package static let bad = Look(.red)
    package static let accent = Look(.cyan)

    /// The same, receding.
    package var dimmed: Look {
        var look = self
        look.isDim = true
        return look
    }

    /// The sequence that turns any look into this one; without colours, only what a terminal of one colour has.
    func sequence(hasColours: Bool) -> String {
        var codes: [UInt8] = []
        if isBold { codes.append(1) }
        if isDim { codes.append(2) }
        if isUnderlined { codes.append(4) }
        if isReversed { codes.append(7) }
        if hasColours, let ink { codes.append(30 + ink.rawValue) }
        if hasColours, let front { codes += [38] + front.codes }
        if hasColours, let back { codes += [48] + back.codes }
        return codes.isEmpty ? "\u{1B}[m" : "\u{1B}[0;" + codes.map(String.init).joined(separator: ";") + "m"
    }
}
