import Hangul
import Storage

/// Converts texts to the tokens of the full-text index.
///
/// A token is the beginning of a word, a few letters long, so that many words share it. A partially typed word is the
/// prefix of a token.
///
/// At each syllable where a search term may begin, two tokens begin: one of the keys (`=`) and one of the initials
/// (`_`), each a few letters long. Any other word has one token, at its beginning. Spaces before Hangul make no
/// difference, as in `TypedPattern`.
struct IndexTokens {
    /// The maximum number of keys in a token of syllables: about two syllables.
    private static let keysMax = 5
    private static let initialsMax = 5
    /// The maximum number of letters in any other token.
    private static let lettersMax = 16

    /// The tokens, separated by spaces, as the input of the index.
    private(set) var text = ""

    /// - Complexity: O(n) in the texts.
    init(_ texts: [FoldedText]) {
        for text in texts { add(text) }
    }

    private mutating func add(_ text: FoldedText) {
        let scalars = text.scalars
        var index = 0
        while index < scalars.count {
            let run = scalars[index...].prefix(while: Jamo.isHangul)
            for start in run.indices where text.mayBegin(at: start) {
                self.text += " " + Self.keys(of: run[start...]) + " " + Self.initials(of: run[start...])
            }
            index = run.endIndex
            guard run.isEmpty else { continue }
            if text.mayBegin(at: index) {
                let rest = scalars[index...].dropFirst()
                let length = zip(rest, text.wordBegins[(index + 1)...]).prefix { !Jamo.isHangul($0) && !$1 }.count
                self.text += " " + Self.letters(of: scalars[index...(index + length)])
            }
            index += 1
        }
    }

    // MARK: Tokens

    /// Returns the token of the keys of syllables.
    static func keys(of letters: ArraySlice<Unicode.Scalar>) -> String {
        var codes: [UInt8] = [UInt8(ascii: "=")]
        for letter in letters.prefix(keysMax) { append(letter, to: &codes) }
        return String(decoding: codes.prefix(1 + keysMax), as: UTF8.self)
    }

    static func initials(of letters: ArraySlice<Unicode.Scalar>) -> String {
        var codes: [UInt8] = [UInt8(ascii: "_")]
        for letter in letters.prefix(initialsMax) { append(Jamo.initial(of: letter), to: &codes, max: 1) }
        return String(decoding: codes, as: UTF8.self)
    }

    static func letters(of letters: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: letters.prefix(lettersMax))
        return String(text)
    }

    // MARK: Codes

    /// Appends the codes of the keys that type a letter or a syllable.
    private static func append(_ letter: Unicode.Scalar, to codes: inout [UInt8], max: Int = .max) {
        guard let syllable = Syllable(letter) else {
            guard Jamo.isLetter(letter) else { return }
            return codes.append(contentsOf: letterCodes[Int(letter.value - 0x3131)].prefix(max))
        }
        codes.append(contentsOf: letterCodes[Int(syllable.lead.value - 0x3131)])
        codes.append(contentsOf: letterCodes[Int(syllable.vowel.value - 0x3131)])
        if let tail = syllable.tail { codes.append(contentsOf: letterCodes[Int(tail.value - 0x3131)]) }
    }

    /// The codes of the keys of each letter from ㄱ on, two for a compound.
    ///
    /// The index does not distinguish upper case from lower, so the code of a shifted key is a digit.
    private static let letterCodes: [[UInt8]] = {
        let keys = "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ".unicodeScalars
        let codes = Dictionary(uniqueKeysWithValues: zip(keys, "qwertyuiopasdfghjklzxcvbnm1234567".utf8))
        return (0x3131...0x3163).map { (value: UInt32) in
            KeyboardLayout.keys(of: [Unicode.Scalar(value) ?? "ㄱ"]).compactMap { codes[$0] }
        }
    }()
}

/// A full-text index of rows, which stores only tokens; use it only within a transaction.
struct WordIndex {
    let database: Database
    let table: String

    /// Adds the words of an item or a hit, in JSON.
    func add(_ document: [UInt8], as number: Int64) throws(StorageError) {
        let tokens = IndexTokens(SavedItem.texts(of: document)).text
        try database.run("INSERT INTO \(table) (rowid, tokens) VALUES (?, ?)", .integer(number), .text(tokens))
    }

    /// Removes the words of an item or a hit; the document must be the one that was added.
    func remove(_ document: [UInt8], of number: Int64) throws(StorageError) {
        let tokens = IndexTokens(SavedItem.texts(of: document)).text
        try database.run(
            "INSERT INTO \(table) (\(table), rowid, tokens) VALUES ('delete', ?, ?)",
            .integer(number),
            .text(tokens)
        )
    }

    func removeAll() throws(StorageError) {
        try database.run("INSERT INTO \(table) (\(table)) VALUES ('delete-all')")
    }

    /// Merges the parts of the index, so that the file contains no removed words.
    func optimize() throws(StorageError) {
        try database.run("INSERT INTO \(table) (\(table)) VALUES ('optimize')")
    }
}
