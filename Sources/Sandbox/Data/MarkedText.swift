/// A text some of whose pieces are the words that were searched for.
struct MarkedText: Equatable, Sendable {
    struct Piece: Equatable, Sendable {
        var text: String
        var isMatch: Bool
    }

    var pieces: [Piece] = []

    init() {}

    init(_ text: String) {
        pieces = [Piece(text: text, isMatch: false)]
    }

    mutating func append(_ text: String, isMatch: Bool = false) {
        if let last = pieces.indices.last, pieces[last].isMatch == isMatch, !isMatch {
            pieces[last].text += text
        } else {
            pieces.append(Piece(text: text, isMatch: isMatch))
        }
    }

    mutating func append(_ other: MarkedText) {
        for piece in other.pieces { append(piece.text, isMatch: piece.isMatch) }
    }

    /// The text alone.
    var plain: String {
        pieces.reduce(into: "") { $0 += $1.text }
    }

    /// The text with the words between `open` and `close`, written as the source writes text.
    func rendered(open: String, close: String, escape: Escape = .html) -> String {
        pieces.reduce(into: "") { text, piece in
            let written = escape.apply(piece.text)
            text += piece.isMatch ? open + written + close : written
        }
    }

    /// With `<b>` around the words and HTML entities, as Kakao and Naver write it.
    var bold: String {
        rendered(open: "<b>", close: "</b>")
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
                case "'": escaped += isHexadecimal ? "&#x27;" : "&#39;"
                case "/" where isHexadecimal: escaped += "&#x2F;"
                default: escaped.unicodeScalars.append(scalar)
                }
            }
        }

        private var isHexadecimal: Bool {
            if case .hexadecimal = self { true } else { false }
        }
    }
}
