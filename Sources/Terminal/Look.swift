/// The style of a cell.
///
/// Text uses only colours of the terminal's own palette.
package struct Look: Hashable, Sendable {
    package enum TextColour: UInt8, Sendable {
        case red = 1
        case green = 2
        case yellow = 3
        case cyan = 6
    }

    package var ink: TextColour?
    package var isBold = false
    package var isDim = false
    package var isUnderlined = false
    package var isReversed = false
    var front: Colour?
    var back: Colour?
    /// The number of the graphics that cover the cell; 0 if there are none.
    var cover: UInt32 = 0

    enum Colour: Hashable, Sendable {
        case palette(UInt8)
        case exact(red: UInt8, green: UInt8, blue: UInt8)

        /// The codes after 38 (foreground) or 48 (background) in an SGR sequence.
        fileprivate var codes: [UInt8] {
            switch self {
            case .palette(let number): [5, number]
            case .exact(let red, let green, let blue): [2, red, green, blue]
            }
        }
    }

    package init(
        _ ink: TextColour? = nil,
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

    /// Returns the escape sequence for a change of style.
    ///
    /// `before` is nil if the terminal's style is unknown.
    func sequence(after before: Look?, hasColours: Bool) -> String {
        var codes: [UInt8] = []
        if isBold { codes.append(1) }
        if isDim { codes.append(2) }
        if isUnderlined { codes.append(4) }
        if isReversed { codes.append(7) }
        if hasColours, let ink { codes.append(30 + ink.rawValue) }
        if hasColours, let front { codes += [38] + front.codes }
        if hasColours, let back { codes += [48] + back.codes }
        if before != .plain, !codes.isEmpty { codes.insert(0, at: 0) }
        return "\u{1B}[" + codes.map(String.init).joined(separator: ";") + "m"
    }
}
