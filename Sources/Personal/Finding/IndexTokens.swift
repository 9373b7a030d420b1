import Hangul
import Storage

/// Converts texts to the tokens of the full-text index.
///
/// A partially typed word becomes the prefix of a token, and so finds the whole word.
struct IndexTokens {
    private static let keysMax = 5
    private static let initialsMax = 5
    private static let lettersMax = 16

    private var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    init(_ texts: [FoldedText]) {
        for text in texts { add(text) }
    }

    private mutating func add(_ text: FoldedText) {
        let scalars = text.scalars
        var index = 0
        while index < scalars.count {
            let run = scalars[index...].prefix(while: Jamo.isHangul)
            let codes = KeyCodes(of: run)
            for start in run.indices where text.mayBegin(at: start) {
                bytes.append(UInt8(ascii: " "))
                codes.appendKeys(from: start - index, to: &bytes)
                bytes.append(UInt8(ascii: " "))
                codes.appendInitials(from: start - index, to: &bytes)
            }
            index = run.endIndex
            guard run.isEmpty else { continue }
            if text.mayBegin(at: index) {
                let rest = scalars[index...].dropFirst()
                let length = zip(rest, text.wordBegins[(index + 1)...]).prefix { !Jamo.isHangul($0) && !$1 }.count
                bytes += " ".utf8
                bytes += Self.letters(of: scalars[index...(index + length)]).utf8
            }
            index += 1
        }
    }

    static func keys(of letters: ArraySlice<Unicode.Scalar>) -> String {
        var bytes: [UInt8] = []
        KeyCodes(of: letters).appendKeys(from: 0, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func initials(of letters: ArraySlice<Unicode.Scalar>) -> String {
        var bytes: [UInt8] = []
        KeyCodes(of: letters).appendInitials(from: 0, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func letters(of letters: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: letters.prefix(lettersMax))
        return String(text)
    }

    /// Hangul letters as codes; each key that the user types has one code.
    ///
    /// Each syllable begins two tokens: `=` with the codes of all keys, and `_` with the codes of the initials.
    private struct KeyCodes {
        private var codes: [UInt8] = []
        /// The index of each letter's first code.
        private var begins: [Int] = []

        init(of letters: ArraySlice<Unicode.Scalar>) {
            begins.reserveCapacity(letters.count)
            codes.reserveCapacity(4 * letters.count)
            for letter in letters {
                begins.append(codes.count)
                guard let syllable = Syllable(letter) else {
                    append(letter)
                    continue
                }
                append(syllable.lead)
                append(syllable.vowel)
                if let tail = syllable.tail { append(tail) }
            }
        }

        private mutating func append(_ letter: Unicode.Scalar) {
            let (first, second) = letterCodes[Int(letter.value - 0x3131)]
            codes.append(first)
            if let second { codes.append(second) }
        }

        func appendKeys(from letter: Int, to bytes: inout [UInt8]) {
            bytes.append(UInt8(ascii: "="))
            for code in codes[begins[letter]...].prefix(keysMax) { bytes.append(code) }
        }

        func appendInitials(from letter: Int, to bytes: inout [UInt8]) {
            bytes.append(UInt8(ascii: "_"))
            for begin in begins[letter...].prefix(initialsMax) { bytes.append(codes[begin]) }
        }
    }

    /// The index ignores case, so the code of a shifted key is a digit.
    private static let letterCodes: [(first: UInt8, second: UInt8?)] = {
        let keys = "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ".unicodeScalars
        let codes = Dictionary(uniqueKeysWithValues: zip(keys, "qwertyuiopasdfghjklzxcvbnm1234567".utf8))
        return (0x3131...0x3163).map { (value: UInt32) in
            let keys = KeyboardLayout.keys(of: [Unicode.Scalar(value) ?? "ㄱ"]).compactMap { codes[$0] }
            return (keys[0], keys.dropFirst().first)
        }
    }()
}

/// A full-text index of rows, used only within a transaction.
struct WordIndex {
    let database: Database
    let table: String

    func add(_ document: [UInt8], as number: Int64) throws(StorageError) {
        let tokens = IndexTokens(SavedItem.texts(of: document)).text
        try database.run("INSERT INTO \(table) (rowid, tokens) VALUES (?, ?)", .integer(number), .text(tokens))
    }

    /// `document` must have the same bytes as when it was added.
    func remove(_ document: [UInt8], of number: Int64) throws(StorageError) {
        let tokens = IndexTokens(SavedItem.texts(of: document)).text
        try database.run(
            "INSERT INTO \(table) (\(table), rowid, tokens) VALUES ('delete', ?, ?)",
            .integer(number),
            .text(tokens)
        )
    }

    /// Makes saving faster, because SQLite merges parts of the index less often; the file keeps the settings.
    func mergeRarely() throws(StorageError) {
        guard try database.first("SELECT v FROM \(table)_config WHERE k = 'automerge'", read: { _ in true }) == nil
        else { return }
        for (setting, parts) in [("automerge", 16), ("crisismerge", 64)] {
            try database.run("INSERT INTO \(table) (\(table), rank) VALUES (?, ?)", .text(setting), .integer(parts))
        }
    }

    func removeAll() throws(StorageError) {
        try database.run("INSERT INTO \(table) (\(table)) VALUES ('delete-all')")
    }

    func optimize() throws(StorageError) {
        try database.run("INSERT INTO \(table) (\(table)) VALUES ('optimize')")
    }
}
