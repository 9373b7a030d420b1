import Hangul

/// The words of a text as the index keeps them: short, so that they repeat, and such that all that people type finds
/// them as a prefix.
///
/// Each syllable of a word begins a token of the keys from there on (`=`) and one of the initials (`_`), each a few
/// letters long; whatever else a word has is a token from its beginning. Spaces before Hangul make no difference, as
/// they don't for `TypedPattern`.
struct IndexTokens {
    /// Keys of a token of syllables, some three of them.
    static let keysMax = KeyCodes.lengthMax
    static let initialsMax = 5
    /// Letters of any other token.
    static let lettersMax = 16

    private var keys: [KeyCodes] = []
    private var initials: [KeyCodes] = []
    private var words: Set<String> = []

    init(_ texts: [String]) {
        for text in texts { add(FoldedText(text)) }
    }

    /// All of them, each once, with blanks between: as the index is given them.
    var text: String {
        var text: [UInt8] = []
        for (mark, codes) in [(UInt8(ascii: "="), keys), (UInt8(ascii: "_"), initials)] {
            var last = KeyCodes()
            // Equal ones stand together then; a set of so few takes several times as long.
            for code in codes.sorted() where code != last {
                last = code
                text.append(mark)
                code.append(to: &text)
                text.append(UInt8(ascii: " "))
            }
        }
        for word in words {
            text.append(contentsOf: word.utf8)
            text.append(UInt8(ascii: " "))
        }
        return String(decoding: text.dropLast(), as: UTF8.self)
    }

    /// Adds the tokens of a text.
    ///
    /// - Complexity: O(n) in the text.
    private mutating func add(_ text: FoldedText) {
        let scalars = text.scalars
        // From the end, so that each token is the one after it with a letter before.
        var (run, runInitials) = (KeyCodes(), KeyCodes())
        for index in scalars.indices.reversed() {
            let codes = KeyCodes(scalars[index])
            if !codes.isEmpty {
                run.prepend(codes)
                runInitials.prepend(codes.prefix(1))
                keys.append(run)
                initials.append(runInitials.prefix(Self.initialsMax))
                continue
            }
            (run, runInitials) = (KeyCodes(), KeyCodes())
            guard text.mayBegin(at: index) else { continue }
            let rest = scalars[index...].dropFirst()
            let length = zip(rest, text.wordBegins[(index + 1)...]).prefix { !Jamo.isHangul($0) && !$1 }.count
            words.insert(Self.letters(of: scalars[index...(index + length)]))
        }
    }

    // MARK: What is looked for

    static func keys(of letters: some BidirectionalCollection<Unicode.Scalar>) -> String {
        text("=", letters.map { KeyCodes($0) }, KeyCodes.lengthMax)
    }

    static func initials(of letters: some BidirectionalCollection<Unicode.Scalar>) -> String {
        text("_", letters.map { KeyCodes($0).prefix(1) }, initialsMax)
    }

    private static func text(_ mark: String, _ letters: [KeyCodes], _ count: Int) -> String {
        var codes = KeyCodes()
        for letter in letters.reversed() { codes.prepend(letter) }
        var text: [UInt8] = []
        codes.prefix(count).append(to: &text)
        return mark + String(decoding: text, as: UTF8.self)
    }

    static func letters(of letters: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: letters.prefix(lettersMax))
        return String(text)
    }
}
