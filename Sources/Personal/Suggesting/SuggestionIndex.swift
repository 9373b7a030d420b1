import Hangul
import JSON

/// All that can be suggested to one user, to be found by what the user has typed so far.
///
/// Pure. Texts are found at the beginnings of their words: by keys, and by initials where Hangul begins them. Some
/// 250 bytes of memory for an entry of four words.
///
/// Invariant: each text is one entry; `numbers` has every entry under the hash of its text, of two texts of one hash
/// the later one.
package struct SuggestionIndex: Sendable {
    package static let entriesMax = 1 << 16
    /// Longer texts are no titles to choose from.
    package static let textBytesMax = 512
    /// Of a text only so many words are found.
    static let wordsMax = 16
    private static let foundEarlyMax = 1024

    struct Entry: Sendable {
        fileprivate(set) var at: Int64
        fileprivate let start: UInt32
        fileprivate let length: UInt16
        fileprivate(set) var kind: Suggestion.Kind
        /// Whether a search for it is known to have found something.
        fileprivate(set) var hasFound: Bool
        fileprivate(set) var count: UInt32
    }

    private(set) var entries: [Entry] = []
    /// What each entry is worth by itself; by itself, since most entries are looked at for no more than that.
    private(set) var standings: [Double] = []
    private var texts: [UInt8] = []
    private var numbers: [UInt64: UInt32] = [:]
    /// Hashes of queries that have found something and do not count yet.
    private var foundEarly: Set<UInt64> = []
    private(set) var keys = WordList()
    private(set) var initials = WordList()

    package init() {}

    package var count: Int { entries.count }
    /// Whether no more texts are taken.
    package var isFull: Bool { entries.count >= Self.entriesMax }

    /// What it takes.
    package var bytes: Int {
        entries.capacity * (MemoryLayout<Entry>.stride + 8) + texts.capacity + numbers.capacity * 17 + keys.bytes
            + initials.bytes
    }

    func text(of entry: Int) -> String {
        let entry = entries[entry]
        return String(decoding: texts[Int(entry.start)..<Int(entry.start) + Int(entry.length)], as: UTF8.self)
    }

    func suggestion(_ number: Int) -> Suggestion {
        let entry = entries[number]
        return Suggestion(text(of: number), entry.kind, count: Int(entry.count), at: entry.at)
    }

    // MARK: Changing

    /// What makes an index different; texts are on one line, in normal form C.
    package enum Change: Sendable {
        /// A query was searched once more, in milliseconds since 1970.
        case searched(String, at: Int64)
        /// A search for a query has found something.
        case found(String)
        /// A title is there; of a text that is known the greater kind counts.
        case title(Suggestion)
    }

    /// Takes a change; a text that is too long, or too much, is passed over.
    package mutating func take(_ change: Change) {
        switch change {
        case .searched(let query, let at):
            let known = number(of: query)
            let count = known.map { entries[$0].kind == .history ? Int(entries[$0].count) : 0 } ?? 0
            note(Suggestion(query, .history, count: count + 1, at: at))
        case .found(let query): found(query)
        case .title(let suggestion): note(suggestion)
        }
    }

    private mutating func found(_ query: String) {
        if let number = number(of: query) {
            entries[number].hasFound = true
            rate(number)
        } else {
            if foundEarly.count == Self.foundEarlyMax { foundEarly = [] }
            foundEarly.insert(Self.hash(query))
        }
    }

    private mutating func note(_ suggestion: Suggestion) {
        if let number = number(of: suggestion.text) {
            guard suggestion.kind >= entries[number].kind else { return }
            update(number, suggestion)
        } else if let number = append(suggestion) {
            for word in words(of: number) {
                keys.add(word.keys)
                if let initial = word.initials { initials.add(initial) }
            }
        }
    }

    private mutating func update(_ number: Int, _ suggestion: Suggestion) {
        entries[number].kind = suggestion.kind
        entries[number].count = UInt32(clamping: suggestion.count)
        entries[number].at = suggestion.at
        if suggestion.kind < .history { entries[number].hasFound = true }
        rate(number)
    }

    private mutating func rate(_ number: Int) {
        let entry = entries[number]
        let count = Int(entry.count)
        standings[number] = SuggestionScore.standing(entry.kind, count: count, at: entry.at, hasFound: entry.hasFound)
    }

    private func number(of text: String) -> Int? {
        guard let number = numbers[Self.hash(text)].map({ Int($0) }) else { return nil }
        let entry = entries[number]
        let bytes = texts[Int(entry.start)..<Int(entry.start) + Int(entry.length)]
        return bytes.elementsEqual(text.utf8) ? number : nil
    }

    private static func hash(_ text: String) -> UInt64 {
        StableHash.hash(text.utf8.span)
    }

    private mutating func append(_ suggestion: Suggestion) -> Int? {
        let text = suggestion.text
        guard !isFull, (1...Self.textBytesMax).contains(text.utf8.count) else { return nil }
        let number = entries.count
        let start = UInt32(texts.count)
        texts.append(contentsOf: text.utf8)
        numbers[Self.hash(text)] = UInt32(number)
        entries.append(
            Entry(
                at: 0,
                start: start,
                length: UInt16(text.utf8.count),
                kind: suggestion.kind,
                hasFound: foundEarly.remove(Self.hash(text)) != nil,
                count: 0
            )
        )
        standings.append(0)
        update(number, suggestion)
        return number
    }

    /// The words of an entry, as each list has them.
    private func words(of number: Int) -> [(keys: WordList.Word, initials: WordList.Word?)] {
        let folded = FoldedText(text(of: number))
        let letters = folded.scalars
        let hasJamo = letters.contains(where: Jamo.isLetter)
        let begins = letters.indices.lazy.filter { folded.wordBegins[$0] }.prefix(Self.wordsMax)
        return begins.map { begin in
            let rest = letters[begin...].prefix(LetterHead.lettersMax)
            func word(_ letters: some Sequence<Unicode.Scalar>) -> WordList.Word {
                WordList.Word(LetterHead(letters), entry: number, isFirst: begin == 0, hasJamo: hasJamo)
            }
            return (
                word(KeyboardLayout.keys(of: rest)),
                Jamo.isHangul(letters[begin]) ? word(rest.lazy.map(Jamo.initial)) : nil
            )
        }
    }

    // MARK: Building

    /// An index of many suggestions; those that come first are kept when there are too many.
    ///
    /// - Complexity: O(n log n) in their words.
    package struct Builder: Sendable {
        private var index = SuggestionIndex()

        package init() {}

        package var isFull: Bool { index.isFull }
        package var count: Int { index.count }

        package mutating func add(_ suggestion: Suggestion, hasFound: Bool = false) {
            if let number = index.number(of: suggestion.text) {
                if suggestion.kind >= index.entries[number].kind { index.update(number, suggestion) }
            } else {
                _ = index.append(suggestion)
            }
            if hasFound { index.found(suggestion.text) }
        }

        package consuming func finish() -> SuggestionIndex {
            var (keys, initials): ([WordList.Word], [WordList.Word]) = ([], [])
            for number in index.entries.indices {
                for word in index.words(of: number) {
                    keys.append(word.keys)
                    if let initial = word.initials { initials.append(initial) }
                }
            }
            index.keys = WordList(keys)
            index.initials = WordList(initials)
            // Without the room that growing has left.
            index.texts = Array(index.texts.lazy.map { $0 })
            index.entries = Array(index.entries.lazy.map { $0 })
            index.standings = Array(index.standings.lazy.map { $0 })
            return index
        }
    }
}
