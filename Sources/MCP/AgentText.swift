/// Text of the web, made fit to be read by a model: one line of plain text in which nothing renders, hides or ends
/// anything.
///
/// What stays is readable. Pure.
///
/// Invariant: the result holds no control, format, private or unassigned scalar, no line separator, none of
/// `` < > [ ] ` * ~ \ `` nor what normalises to them, no scheme of a link that runs or holds something, and no word of
/// `wordScalarsMax` letters without a break.
package enum AgentText {
    /// More letters and digits without a break are no word, but something encoded.
    static let wordScalarsMax = 64
    /// More marks on one letter than any script needs; what stands beyond them is dropped.
    static let marksMax = 4
    /// A longer text is cut.
    package static let scalarsMax = 8000

    package static func cleaned(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var length = 0
        for word in words(of: text) {
            let clean = self.word(word)
            if clean.isEmpty { continue }
            if length + clean.count > scalarsMax {
                result.append(contentsOf: " (the rest is left out)".unicodeScalars)
                break
            }
            if length > 0 { result.append(" ") }
            result.append(contentsOf: clean)
            length += clean.count + 1
        }
        return String(result)
    }

    /// The words between blanks, without what may not stand in a text, and each scalar as it may.
    private static func words(of text: String) -> [String.UnicodeScalarView] {
        var words: [String.UnicodeScalarView] = []
        var word = String.UnicodeScalarView()
        var marks = 0
        var escapes = TerminalEscapes()
        for scalar in text.unicodeScalars where !escapes.takes(scalar) {
            switch ScalarFate(scalar) {
            case .stays(let scalar):
                marks = 0
                word.append(scalar)
            case .mark:
                marks += 1
                // Without a letter before it, it would sit on what is not of the text.
                if marks <= marksMax, !word.isEmpty { word.append(scalar) }
            case .blank:
                words.append(word)
                word = String.UnicodeScalarView()
            case .removed: break
            }
        }
        words.append(word)
        return words
    }

    /// A word as it may stand.
    private static func word(_ word: String.UnicodeScalarView) -> String.UnicodeScalarView {
        if LinkText.runsSomething(word) { return "(link left out)".unicodeScalars }
        let plain = withoutEmphasis(withoutEntities(word))
        return isEncoded(plain) ? "(\(plain.count) characters left out)".unicodeScalars : plain
    }

    /// Underscores stay within a name, as in `snake_case`; elsewhere they would render.
    private static func withoutEmphasis(_ word: String.UnicodeScalarView) -> String.UnicodeScalarView {
        guard word.contains("_") else { return word }
        let scalars = Array(word)
        var result = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let isWithin =
                index > 0 && index + 1 < scalars.count && isWordPart(scalars[index - 1])
                && isWordPart(scalars[index + 1])
            if scalar != "_" || isWithin { result.append(scalar) }
        }
        return result
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// An ampersand that would begin a character reference is set apart from it.
    private static func withoutEntities(_ word: String.UnicodeScalarView) -> String.UnicodeScalarView {
        guard word.contains("&") else { return word }
        var result = String.UnicodeScalarView()
        for index in word.indices {
            result.append(word[index])
            guard word[index] == "&" else { continue }
            let name = word[word.index(after: index)...].prefix { $0 == "#" || ($0.isASCII && isWordPart($0)) }
            if !name.isEmpty, name.endIndex < word.endIndex, word[name.endIndex] == ";" { result.append(" ") }
        }
        return result
    }

    /// Whether a word holds so long a run of the characters of base64 or hexadecimal digits, and is no address.
    private static func isEncoded(_ word: String.UnicodeScalarView) -> Bool {
        guard word.count >= wordScalarsMax, !LinkText.isWeb(word) else { return false }
        var run = 0
        for scalar in word {
            let isCode = scalar.isASCII && (isWordPart(scalar) || "+/=_-".unicodeScalars.contains(scalar))
            run = isCode ? run + 1 : 0
            if run >= wordScalarsMax { return true }
        }
        return false
    }
}
