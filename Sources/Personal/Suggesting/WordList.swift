/// Words of texts in the order of their heads, to be found by their beginnings.
///
/// What is added goes to a short list of its own, which joins the long one when it is full: so an addition moves few
/// words. Invariant: both lists are in order.
struct WordList: Sendable {
    private static let recentMax = 4096

    /// The beginning of a word of an entry.
    struct Word: Sendable {
        let head: UInt64
        private let reference: UInt32

        init(_ head: LetterHead, entry: Int, isFirst: Bool, hasJamo: Bool) {
            self.head = head.bits
            reference = UInt32(entry) << 2 | (isFirst ? 2 : 0) | (hasJamo ? 1 : 0)
        }

        var entry: Int { Int(reference >> 2) }
        /// Whether its text begins with it.
        var isFirst: Bool { reference & 2 != 0 }
        /// Whether single letters of Hangul stand in its text.
        var hasJamo: Bool { reference & 1 != 0 }
    }

    private var settled: [Word] = []
    private var recent: [Word] = []

    init() {}

    init(_ words: [Word]) {
        settled = words.sorted { $0.head < $1.head }
    }

    var bytes: Int { (settled.capacity + recent.capacity) * MemoryLayout<Word>.stride }

    mutating func add(_ word: Word) {
        recent.insert(word, at: Self.firstIndex(of: word.head, in: recent[...]))
        if recent.count == Self.recentMax { settle() }
    }

    private mutating func settle() {
        var joined: [Word] = []
        joined.reserveCapacity(settled.count + recent.count)
        var rest = recent[...]
        for word in settled {
            while let next = rest.first, next.head < word.head { joined.append(rest.removeFirst()) }
            joined.append(word)
        }
        settled = joined + rest
        recent.removeAll(keepingCapacity: true)
    }

    /// All words, in two lists.
    var all: [ArraySlice<Word>] { [settled[...], recent[...]] }

    /// The words with heads in a range.
    ///
    /// - Complexity: O(log n).
    func words(in range: ClosedRange<UInt64>) -> [ArraySlice<Word>] { all.map { Self.words($0, in: range) } }

    /// Those of some words in order.
    static func words(_ words: ArraySlice<Word>, in range: ClosedRange<UInt64>) -> ArraySlice<Word> {
        let first = firstIndex(of: range.lowerBound, in: words)
        return words[first..<firstIndex(after: range.upperBound, in: words[first...])]
    }

    /// Calls a body with each code that follows some letters in words that begin with these.
    static func forEachCode(after head: LetterHead, in words: ArraySlice<Word>, _ body: (UInt64) -> Void) {
        var rest = words
        while let next = rest.first {
            let code = LetterHead.code(in: next.head, at: head.count)
            // A text that ends here has none.
            if code > 0 { body(code) }
            rest = rest[firstIndex(after: head.followed(by: code).range.upperBound, in: rest)...]
        }
    }

    /// The index behind the last word whose head is not greater, which is looked for near the first.
    private static func firstIndex(after head: UInt64, in words: ArraySlice<Word>) -> Int {
        var (low, step) = (words.startIndex, 1)
        while low + step < words.endIndex, words[low + step].head <= head {
            low += step
            step *= 2
        }
        let near = words[low..<min(low + step, words.endIndex)]
        return head == .max ? words.endIndex : firstIndex(of: head + 1, in: near)
    }

    /// The index of the first word whose head is not less.
    private static func firstIndex(of head: UInt64, in words: ArraySlice<Word>) -> Int {
        var (low, high) = (words.startIndex, words.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if words[middle].head < head { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
