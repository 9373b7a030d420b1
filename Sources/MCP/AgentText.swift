/// Makes web text safe for a model: removes hidden characters, scripts and active links.
enum AgentText {
    static let scalarsMax = 8000
    /// Longer addresses are removed.
    static let addressBytesMax = 2048

    private static let scriptSchemes = ["javascript:", "vbscript:"]
    /// These are harmless after a letter, as in `metadata:`, and dangerous elsewhere.
    private static let dataSchemes = ["data:", "file:", "blob:", "filesystem:"]
    /// HTML elements that run, load or send something.
    private static let activeElements = [
        "script", "style", "iframe", "frame", "img", "image", "svg", "object", "embed", "applet", "link", "meta",
        "base",
        "form", "input", "button", "audio", "video", "source", "portal", "math",
    ]

    static func cleaned(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var length = 0
        for word in words(of: text) where !word.isEmpty {
            let word = hasDangerousLink(word) ? "(link removed)".unicodeScalars : inactive(word)
            if length + word.count > scalarsMax {
                result.append(contentsOf: " (truncated)".unicodeScalars)
                break
            }
            if length > 0 { result.append(" ") }
            result.append(contentsOf: word)
            length += word.count + 1
        }
        return String(result)
    }

    static func address(_ text: String) -> String? {
        guard text.utf8.count <= addressBytesMax, isAddress(text.unicodeScalars) else { return nil }
        return words(of: text).map(String.init).joined(separator: "%20")
    }

    static func isAddress(_ word: some Collection<Unicode.Scalar>) -> Bool {
        begins(word, with: "https://") || begins(word, with: "http://")
    }

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

    private static func hasDangerousLink(_ word: String.UnicodeScalarView) -> Bool {
        guard word.contains(":") else { return false }
        var isInName = false
        for index in word.indices {
            let schemes = isInName ? scriptSchemes : scriptSchemes + dataSchemes
            if schemes.contains(where: { begins(word[index...].dropLast(), with: $0) }) { return true }
            isInName = word[index].isASCII && word[index].properties.isAlphabetic
        }
        return false
    }

    /// Inserts blanks so that active HTML tags and Markdown images become plain text.
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

    /// Ignores case.
    ///
    /// `text` must be lower-case ASCII.
    private static func begins(_ word: some Collection<Unicode.Scalar>, with text: String) -> Bool {
        var rest = word.makeIterator()
        return text.unicodeScalars.allSatisfy { expected in
            guard let scalar = rest.next() else { return false }
            let isCapital = (0x41...0x5A).contains(scalar.value)
            return (isCapital ? scalar.value + 0x20 : scalar.value) == expected.value
        }
    }
}
