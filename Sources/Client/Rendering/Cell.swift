import Hangul

/// One grapheme of a text as a terminal shows it.
struct Cell: Equatable, Sendable {
    /// Safe to print.
    var text: String
    var columns: Int
    /// Whether the query matched here.
    var isMarked: Bool

    var isBlank: Bool { text == " " }

    /// Whether a line may break on either side: ideographs and kana, which know no spaces between words.
    ///
    /// Hangul is written with spaces and stays together.
    var isIdeographic: Bool {
        guard columns == 2, let scalar = text.unicodeScalars.first else { return false }
        return switch scalar.value {
        case 0x3041...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFD: true
        default: false
        }
    }

    /// Whether a line may not begin with it.
    var isClosing: Bool {
        guard let scalar = text.unicodeScalars.first else { return false }
        return switch scalar.properties.generalCategory {
        case .closePunctuation, .finalPunctuation, .otherPunctuation: true
        default: columns == 0 || scalar.value == 0x30FC
        }
    }

    /// The cells of a text; `marks` are ranges of its Unicode scalars, ascending.
    static func cells(_ text: String, marks: [Range<Int>] = []) -> [Cell] {
        var cells: [Cell] = []
        var scalar = 0
        var mark = 0
        for piece in VisibleText.graphemes(text) {
            while mark < marks.count, marks[mark].upperBound <= scalar { mark += 1 }
            let isMarked = mark < marks.count && marks[mark].lowerBound < scalar + piece.scalars
            cells.append(
                Cell(text: piece.text, columns: DisplayWidth.columns(of: piece.text), isMarked: isMarked)
            )
            scalar += piece.scalars
        }
        return cells
    }
}
