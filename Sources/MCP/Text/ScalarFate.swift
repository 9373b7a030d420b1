/// What becomes of a scalar in a text for a model.
enum ScalarFate: Equatable {
    /// It stays, or what looks like it and means nothing does.
    case stays(Unicode.Scalar)
    /// It stays on the letter before it, among few.
    case mark
    /// It ends a word.
    case blank
    /// It is dropped: a control, something invisible, or no character.
    case removed

    init(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            self = Self.ascii(scalar)
        } else if (0xAC00...0xD7A3).contains(scalar.value) {
            self = .stays(scalar)
        } else {
            self = Self.other(scalar)
        }
    }

    /// A pattern without dots.
    private static let blankBraille: Unicode.Scalar = "\u{2800}"

    private static func ascii(_ scalar: Unicode.Scalar) -> ScalarFate {
        switch scalar {
        case "\t", "\n", "\u{B}", "\u{C}", "\r", " ": .blank
        case "\0"..<" ", "\u{7F}": .removed
        default: .stays(harmless(scalar))
        }
    }

    private static func other(_ scalar: Unicode.Scalar) -> ScalarFate {
        let properties = scalar.properties
        // Also letters that are drawn as nothing.
        if scalar == blankBraille { return .blank }
        if properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint { return .removed }
        return switch properties.generalCategory {
        case .format, .privateUse, .surrogate, .unassigned: .removed
        // Next line is a control.
        case .control: scalar.value == 0x85 ? .blank : .removed
        case .lineSeparator, .paragraphSeparator, .spaceSeparator: .blank
        case .nonspacingMark, .enclosingMark: .mark
        default: .stays(harmless(scalar))
        }
    }

    /// What stands for a sign that begins markup, and for those that normalise to one.
    private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "<", "＜", "﹤", "\u{226E}": "‹"
        case ">", "＞", "﹥", "\u{226F}": "›"
        case "[", "［", "﹇", "⟦", "〚", "⦋", "⟬": "〔"
        case "]", "］", "﹈", "⟧", "〛", "⦌", "⟭": "〕"
        case "`", "｀", "\u{1FEF}": "'"
        case "*", "＊", "﹡": "∗"
        case "~", "～": "∼"
        case "\\", "＼", "﹨": "⧵"
        // The bars of a chat template.
        case "｜", "￨": "|"
        case "＿", "﹍", "﹎", "﹏": "_"
        case "＆", "﹠": "&"
        case "：", "﹕": ":"
        default: scalar
        }
    }
}
