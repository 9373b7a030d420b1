/// What a user does at a terminal.
package enum InputEvent: Equatable, Sendable {
    /// One scalar that was typed.
    case text(String)
    case key(Key)
    /// A text that was pasted as a whole; may have several lines.
    case paste(String)
    case mouse(Mouse)
}

/// A key that types no text.
package struct Key: Hashable, Sendable {
    package enum Name: Hashable, Sendable {
        case up, down, left, right
        case home, end, pageUp, pageDown
        case backspace, delete, insert
        case tab, enter, escape
        case function(Int)
        /// With Control or Alt; a small letter.
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

/// Something done with a mouse, at a cell counted from 0.
package struct Mouse: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
        /// The left button.
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
