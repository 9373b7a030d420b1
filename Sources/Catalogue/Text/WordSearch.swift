/// Tells quickly whether a text may contain one of several words.
struct WordSearch: Sendable {
    private let words: [[UInt8]]
    private let window: Int
    /// How many bytes the search can move on; the index is the hash of the last two bytes of the window.
    private var skips = [UInt8](repeating: 0, count: 1 << 12)

    init(_ words: [ArraySlice<UInt8>]) {
        let window = min(words.map(\.count).min() ?? 0, 64)
        self.window = window
        self.words = words.map { Array($0.prefix(window)) }
        guard window > 1 else { return }
        skips = [UInt8](repeating: UInt8(window - 1), count: skips.count)
        for word in self.words {
            for end in 2...window {
                let slot = Self.slot(word[end - 2], word[end - 1])
                skips[slot] = min(skips[slot], UInt8(window - end))
            }
        }
    }

    private static func slot(_ first: UInt8, _ second: UInt8) -> Int {
        Int(((UInt16(first) << 8 | UInt16(second)) &* 0x9E37) >> 4)
    }

    /// Compares as many bytes of each word as the shortest word has, at most 64; if it has fewer than two, returns true.
    func mayFind(in text: Span<UInt8>) -> Bool {
        guard window > 1 else { return true }
        let skipMax = UInt8(window - 1)
        var end = window
        while end <= text.count {
            let skip = skips[Self.slot(text[end - 2], text[end - 1])]
            // This branch is nearly always taken, so the processor need not wait for `skip`.
            if skip == skipMax {
                end += window - 1
                continue
            }
            if skip == 0, words.contains(where: { text.holds($0.span, at: end - window) }) { return true }
            end += max(Int(skip), 1)
        }
        return false
    }
}
