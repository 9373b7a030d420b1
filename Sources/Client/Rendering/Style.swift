import Hangul
import JSON

/// Adds escape sequences for colours and links, if `isOn` is true.
package struct Style: Sendable {
    package static let linkBytesMax = 2000

    package let isOn: Bool

    package init(isOn: Bool) { self.isOn = isOn }

    package func bold(_ text: String) -> String { styled(text, "1") }
    package func boldUnderlined(_ text: String) -> String { styled(text, "1;4") }
    package func dim(_ text: String) -> String { styled(text, "2") }
    package func cyan(_ text: String) -> String { styled(text, "36") }
    package func green(_ text: String) -> String { styled(text, "32") }
    package func yellow(_ text: String) -> String { styled(text, "33") }
    package func red(_ text: String) -> String { styled(text, "31") }

    /// Returns a hyperlink (OSC 8).
    ///
    /// Pieces with the same `id` and target are one link.
    package func link(_ text: String, to target: String?, id: Int) -> String {
        guard isOn, let target = target.flatMap(Self.linkTarget) else { return text }
        return "\u{1B}]8;id=\(id);\(target)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
    }

    static func linkTarget(_ target: String) -> String? {
        let scheme = target.prefix { $0 != ":" }.lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let encoded = PercentEncoding.encode(target) { $0 > 0x20 && $0 < 0x7F }
        return encoded.utf8.count <= linkBytesMax ? encoded : nil
    }

    private func styled(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// A grapheme of a line, with its width in columns.
package struct Cell: Equatable, Sendable {
    package var text: String
    package var columns: Int
    package var isMarked: Bool

    package var isBlank: Bool { text == " " }

    /// Whether a line may break next to this cell.
    ///
    /// False for Hangul, because Korean has spaces between words.
    var isIdeographic: Bool {
        guard columns == 2, let scalar = text.unicodeScalars.first else { return false }
        return switch scalar.value {
        case 0x3041...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFD: true
        default: false
        }
    }

    var isClosing: Bool {
        guard let scalar = text.unicodeScalars.first else { return false }
        return switch scalar.properties.generalCategory {
        case .closePunctuation, .finalPunctuation, .otherPunctuation: true
        default: columns == 0 || scalar.value == 0x30FC
        }
    }

    package static func cells(_ text: String, marks: [Range<Int>] = []) -> [Cell] {
        var cells: [Cell] = []
        var scalar = 0
        var mark = 0
        for piece in VisibleText.graphemes(text) {
            while mark < marks.count, marks[mark].upperBound <= scalar { mark += 1 }
            let isMarked = mark < marks.count && marks[mark].lowerBound < scalar + piece.scalars
            cells.append(Cell(text: piece.text, columns: DisplayWidth.columns(of: piece.text), isMarked: isMarked))
            scalar += piece.scalars
        }
        return cells
    }
}

extension DisplayWidth {
    package static func padded(_ text: String, _ columns: Int, toRight: Bool = false) -> String {
        let missing = columns - self.columns(of: text)
        guard missing > 0 else { return text }
        let blanks = String(repeating: " ", count: missing)
        return toRight ? blanks + text : text + blanks
    }
}
