/// A text some of whose pieces are the words that were searched for.
struct MarkedText: Equatable, Sendable {
    private var pieces: [(text: String, isMatch: Bool)] = []

    init() {}

    /// A text in which control characters begin and end the matches.
    init(raw: String) {
        for (index, part) in raw.split(separator: "\u{2}", omittingEmptySubsequences: false).enumerated() {
            append(String(part), isMatch: index % 2 == 1)
        }
    }

    /// The text with control characters around the matches.
    var raw: String {
        pieces.reduce(into: "") { $0 += $1.isMatch ? "\u{2}\($1.text)\u{2}" : $1.text }
    }

    mutating func append(_ text: String, isMatch: Bool = false) {
        pieces.append((text, isMatch))
    }

    mutating func append(_ other: MarkedText) {
        pieces += other.pieces
    }

    /// The text alone.
    var plain: String {
        pieces.reduce(into: "") { $0 += $1.text }
    }

    /// The text with the matches marked, escaped as the source does.
    func rendered(_ style: TextStyle) -> String {
        pieces.reduce(into: "") { text, piece in
            let written = style.escape.apply(piece.text)
            text += piece.isMatch ? style.open + written + style.close : written
        }
    }

    static func == (left: MarkedText, right: MarkedText) -> Bool {
        left.pieces.elementsEqual(right.pieces) { $0 == $1 }
    }

    /// What a source does to characters that mean something in HTML.
    enum Escape {
        /// `&amp;` `&lt;` `&gt;` `&quot;` `&#39;`
        case html
        /// As `html`, but with `&#x27;` and `&#x2F;`.
        case hexadecimal

        func apply(_ text: String) -> String {
            guard text.utf8.contains(where: { "&<>\"'/".utf8.contains($0) }) else { return text }
            return text.unicodeScalars.reduce(into: "") { escaped, scalar in
                switch scalar {
                case "&": escaped += "&amp;"
                case "<": escaped += "&lt;"
                case ">": escaped += "&gt;"
                case "\"": escaped += "&quot;"
                case "'": escaped += self == .hexadecimal ? "&#x27;" : "&#39;"
                case "/" where self == .hexadecimal: escaped += "&#x2F;"
                default: escaped.unicodeScalars.append(scalar)
                }
            }
        }
    }
}
