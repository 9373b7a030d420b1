/// Text of the web for a model: one line, in which nothing is hidden or runs.
///
/// Brackets, quotes and the like stay as they are: `QuotedText` separates a text from what surrounds it. Pure.
enum AgentText {
    /// A longer text is cut.
    static let scalarsMax = 8000
    /// A longer address is removed.
    static let addressBytesMax = 2048

    /// These schemes run something wherever they begin in a word.
    private static let runningSchemes = ["javascript:", "vbscript:"]
    /// These schemes contain or read something; other words may end with their names, such as metadata.
    private static let holdingSchemes = ["data:", "file:", "blob:", "filesystem:"]
    /// Elements of HTML that run, load or send something.
    private static let activeElements = [
        "script", "style", "iframe", "frame", "img", "image", "svg", "object", "embed", "applet", "link", "meta",
        "base",
        "form", "input", "button", "audio", "video", "source", "portal", "math",
    ]

    /// Removes control, bidirectional and invisible characters, links that run something, and active markup.
    static func cleaned(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var length = 0
        for word in words(of: text) where !word.isEmpty {
            let word = runsSomething(word) ? "(link left out)".unicodeScalars : inactive(word)
            if length + word.count > scalarsMax {
                result.append(contentsOf: " (the rest is left out)".unicodeScalars)
                break
            }
            if length > 0 { result.append(" ") }
            result.append(contentsOf: word)
            length += word.count + 1
        }
        return String(result)
    }

    /// Returns an address of the web without characters that are not visible; nil for any other address.
    static func address(_ text: String) -> String? {
        guard text.utf8.count <= addressBytesMax, isAddress(text.unicodeScalars) else { return nil }
        return words(of: text).map(String.init).joined(separator: "%20")
    }

    static func isAddress(_ word: some Collection<Unicode.Scalar>) -> Bool {
        begins(word, with: "https://") || begins(word, with: "http://")
    }

    /// The words of a text, without characters that are not visible.
    private static func words(of text: String) -> [String.UnicodeScalarView] {
        var words = [String.UnicodeScalarView()]
        for scalar in text.unicodeScalars {
            if isBlank(scalar) {
                words.append(String.UnicodeScalarView())
            } else if isVisible(scalar) {
                words[words.count - 1].append(scalar)
            }
        }
        return words
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Line ends, blanks, and a braille pattern without dots.
        case 0x09...0x0D, 0x20, 0x85, 0x2800: true
        case 0x21..<0x7F, 0xAC00...0xD7A3: false
        default: scalar.properties.isWhitespace
        }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .privateUse, .surrogate, .unassigned: false
        default: !scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isNoncharacterCodePoint
        }
    }

    /// Whether a link that is not of the web begins in a word, with something after its scheme.
    private static func runsSomething(_ word: String.UnicodeScalarView) -> Bool {
        guard word.contains(":") else { return false }
        var isInName = false
        for index in word.indices {
            let schemes = isInName ? runningSchemes : runningSchemes + holdingSchemes
            if schemes.contains(where: { begins(word[index...].dropLast(), with: $0) }) { return true }
            isInName = word[index].isASCII && word[index].properties.isAlphabetic
        }
        return false
    }

    /// A blank makes text of a tag that runs something, and of an image of Markdown, which would be loaded.
    private static func inactive(_ word: String.UnicodeScalarView) -> String.UnicodeScalarView {
        guard word.contains("<") || word.contains("[") else { return word }
        var result = String.UnicodeScalarView()
        for index in word.indices {
            result.append(word[index])
            let rest = word[index...].dropFirst()
            let isActive =
                switch word[index] {
                case "<": activeElements.contains { begins(rest.first == "/" ? rest.dropFirst() : rest, with: $0) }
                case "!": rest.first == "["
                default: false
                }
            if isActive { result.append(" ") }
        }
        return result
    }

    /// Whether a word begins with a text of small ASCII letters and signs, in any case.
    private static func begins(_ word: some Collection<Unicode.Scalar>, with text: String) -> Bool {
        var rest = word.makeIterator()
        return text.unicodeScalars.allSatisfy { expected in
            guard let scalar = rest.next() else { return false }
            let isCapital = (0x41...0x5A).contains(scalar.value)
            return (isCapital ? scalar.value + 0x20 : scalar.value) == expected.value
        }
    }
}
