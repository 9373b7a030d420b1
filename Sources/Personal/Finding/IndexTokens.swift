import Hangul
import Storage

/// Converts texts to the tokens of the full-text index; the prefix of a token finds a partially typed word.
///
/// Each Hangul syllable where a search term may begin has two tokens: `=` with the keys from there on, and `_` with the
/// initials. Each word in another script has one token. Tokens are cut after a few keys or letters.
struct IndexTokens {
    /// The maximum number of keys in a token, which is about two syllables.
    private static let keysMax = 5
    private static let initialsMax = 5
    private static let lettersMax = 16

    /// The tokens, separated by spaces.
    private(set) var text = ""

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

    private static func append(_ letter: Unicode.Scalar, to codes: inout [UInt8], max: Int = .max) {
        guard let syllable = Syllable(letter) else {
            guard Jamo.isLetter(letter) else { return }
            return codes.append(contentsOf: letterCodes[Int(letter.value - 0x3131)].prefix(max))
        }
        codes.append(contentsOf: letterCodes[Int(syllable.lead.value - 0x3131)])
        codes.append(contentsOf: letterCodes[Int(syllable.vowel.value - 0x3131)])
        if let tail = syllable.tail { codes.append(contentsOf: letterCodes[Int(tail.value - 0x3131)]) }
    }

    /// The codes of the keys of each letter, in the order of Unicode from ㄱ; a compound letter has two codes.
    ///
    /// The index does not distinguish upper case from lower case, so the code of a shifted key is a digit.
    private static let letterCodes: [[UInt8]] = {
        let keys = "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ".unicodeScalars
        let codes = Dictionary(uniqueKeysWithValues: zip(keys, "qwertyuiopasdfghjklzxcvbnm1234567".utf8))
        return (0x3131...0x3163).map { (value: UInt32) in
            KeyboardLayout.keys(of: [Unicode.Scalar(value) ?? "ㄱ"]).compactMap { codes[$0] }
        }
    }()
}

/// A full-text index of rows, which stores only tokens and is used only within a transaction.
struct WordIndex {
    let database: Database
    let table: String

    /// Adds the words of an item or a hit that is given as JSON.
    func add(_ document: [UInt8], as number: Int64) throws(StorageError) {
        let tokens = IndexTokens(SavedItem.texts(of: document)).text
        try database.run("INSERT INTO \(table) (rowid, tokens) VALUES (?, ?)", .integer(number), .text(tokens))
    }

    /// Removes the words of an item or a hit; `document` must be the same as when it was added.
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

    func optimize() throws(StorageError) {
        try database.run("INSERT INTO \(table) (\(table)) VALUES ('optimize')")
    }
}
