import Hangul
import Storage

/// The words of a text in the form of the index.
///
/// Tokens are short, so that they repeat, and any spelling that people type finds them as a prefix.
///
/// Each syllable of a word begins a token of the keys from there on (`=`) and one of the initials (`_`), each a few
/// letters long; any other word is a token from its beginning. Spaces before Hangul make no difference, as they don't
/// for `TypedPattern`.
struct IndexTokens {
    /// Keys of a token of syllables, some three of them.
    private static let keysMax = 8
    private static let initialsMax = 5
    /// Letters of any other token.
    private static let lettersMax = 16
    private static let initialsMark = UInt8(ascii: "_")

    /// The tokens of Hangul, a byte for each code, the first in the highest byte; `_` is not a code.
    private var hangul: Set<UInt64> = []
    private var others: Set<String> = []

    /// - Complexity: O(n) in the texts.
    init(_ texts: [String]) {
        for text in texts { add(FoldedText(text)) }
    }

    /// All tokens, each once, separated by spaces: the input of the index.
    var text: String {
        var bytes = Array(others.joined(separator: " ").utf8)
        for token in hangul {
            bytes.append(UInt8(ascii: " "))
            if UInt8(token >> 56) != Self.initialsMark { bytes.append(UInt8(ascii: "=")) }
            for shift in stride(from: UInt64(56), through: 0, by: -8) where token >> shift & 0xFF != 0 {
                bytes.append(UInt8(truncatingIfNeeded: token >> shift))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func add(_ text: FoldedText) {
        let scalars = text.scalars
        var index = 0
        while index < scalars.count {
            let run = scalars[index...].prefix(while: Jamo.isHangul)
            guard run.isEmpty else {
                addTokens(of: run)
                index = run.endIndex
                continue
            }
            if text.mayBegin(at: index) {
                let rest = scalars[index...].dropFirst()
                let length = zip(rest, text.wordBegins[(index + 1)...]).prefix { !Jamo.isHangul($0) && !$1 }.count
                others.insert(Self.letters(of: scalars[index...(index + length)]))
            }
            index += 1
        }
    }

    private mutating func addTokens(of run: ArraySlice<Unicode.Scalar>) {
        var (keys, initials, starts): ([UInt8], [UInt8], [Int]) = ([], [], [])
        for letter in run {
            starts.append(keys.count)
            Self.append(letter, to: &keys)
            initials.append(keys[starts[starts.count - 1]])
        }
        for (number, start) in starts.enumerated() {
            hangul.insert(Self.packed(keys[start...].prefix(Self.keysMax)))
            let rest = Self.packed(initials[number...].prefix(Self.initialsMax))
            hangul.insert(UInt64(Self.initialsMark) << 56 | rest >> 8)
        }
    }

    private static func packed(_ codes: ArraySlice<UInt8>) -> UInt64 {
        codes.reduce(0) { $0 << 8 | UInt64($1) } << UInt64(8 * (8 - codes.count))
    }

    // MARK: Queries

    static func keys(of letters: some BidirectionalCollection<Unicode.Scalar>) -> String {
        var codes: [UInt8] = []
        for letter in letters { append(letter, to: &codes) }
        return "=" + String(decoding: codes.prefix(keysMax), as: UTF8.self)
    }

    static func initials(of letters: some BidirectionalCollection<Unicode.Scalar>) -> String {
        var codes: [UInt8] = []
        for letter in letters.prefix(initialsMax) { append(Jamo.initial(of: letter), to: &codes, max: 1) }
        return "_" + String(decoding: codes, as: UTF8.self)
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

/// The words of rows in a full-text index, which keeps no texts itself; used within a transaction.
struct WordIndex {
    let database: Database
    let table: String

    func add(_ texts: [String], as number: Int64) throws(StorageError) {
        try database.run(
            "INSERT INTO \(table) (rowid, tokens) VALUES (?, ?)",
            .integer(number),
            .text(IndexTokens(texts).text)
        )
    }

    /// Removes the words of a row; the texts must be the same as when they were added.
    func remove(_ texts: [String], of number: Int64) throws(StorageError) {
        try database.run(
            "INSERT INTO \(table) (\(table), rowid, tokens) VALUES ('delete', ?, ?)",
            .integer(number),
            .text(IndexTokens(texts).text)
        )
    }

    func removeAll() throws(StorageError) {
        try database.run("INSERT INTO \(table) (\(table)) VALUES ('delete-all')")
    }

    /// Merges its parts, which leaves no trace of removed words.
    func optimize() throws(StorageError) {
        try database.run("INSERT INTO \(table) (\(table)) VALUES ('optimize')")
    }
}
