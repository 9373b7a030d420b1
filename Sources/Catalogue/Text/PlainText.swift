import Hangul
import JSON
import SearchModel

/// Text as the contract wants it: no tags, no entities, no control characters, NFC, single blanks, with its marks.
///
/// Invariant: `marks` are ranges of the text's Unicode scalars, ascending, not empty, apart from each other.
struct PlainText: Equatable, Sendable {
    var text: String
    var marks: [Range<Int>] = []

    /// The same; nil when nothing is left.
    var unlessEmpty: PlainText? { text.isEmpty ? nil : self }
}

extension PlainText {
    /// Marks where the words are, one after the other; a missing one is left out.
    mutating func mark(_ words: [String]) {
        let text = self.text.utf8.span
        marks = []
        var (offset, scalars) = (0, 0)
        for word in words {
            guard let start = text.index(of: word.utf8.span, from: offset) else { continue }
            scalars += text.scalarCount(in: offset..<start)
            offset = start + word.utf8.count
            let end = scalars + text.scalarCount(in: start..<offset)
            if let last = marks.last, last.upperBound == scalars {
                marks[marks.count - 1] = last.lowerBound..<end
            } else {
                marks.append(scalars..<end)
            }
            scalars = end
        }
    }

    /// The same text in normal form C, with the marks moved to where their scalars went.
    ///
    /// A mark that begins or ends within a composed character moves to that character's end.
    ///
    /// - Complexity: O(n) in the scalars.
    func normalised() -> PlainText {
        let composed = NormalForm.composed(text)
        guard !marks.isEmpty else { return PlainText(text: String(composed)) }
        let old = Self.characterStarts(text.unicodeScalars)
        let new = Self.characterStarts(composed)
        let moved = marks.map { mark in
            Self.moved(mark.lowerBound, from: old, to: new)..<Self.moved(mark.upperBound, from: old, to: new)
        }
        return PlainText(text: String(composed), marks: moved.filter { !$0.isEmpty })
    }

    /// Where the scalars stand that join none before them, and the count of all behind them: normal form C keeps their
    /// number and their order.
    private static func characterStarts(_ scalars: String.UnicodeScalarView) -> [Int] {
        var starts: [Int] = []
        var count = 0
        for scalar in scalars {
            if count == 0 || !NormalForm.joins(scalar) { starts.append(count) }
            count += 1
        }
        starts.append(count)
        return starts
    }

    /// Where an offset has gone with its character.
    ///
    /// - Complexity: O(log n) in the characters.
    private static func moved(_ offset: Int, from old: [Int], to new: [Int]) -> Int {
        var (character, end) = (0, old.count)
        while end - character > 1 {
            let middle = (character + end) / 2
            if old[middle] <= offset { character = middle } else { end = middle }
        }
        guard character + 1 < new.count else { return new[new.count - 1] }
        return min(new[character] + offset - old[character], new[character + 1])
    }

    /// As many whole characters as fit; of a first character that is too long, as many scalars.
    ///
    /// - Complexity: O(n) in the bytes that are kept.
    func cut(bytesMax: Int) -> PlainText {
        guard text.utf8.count > bytesMax else { return self }
        var end = 0
        for character in text {
            let next = end + character.utf8.count
            guard next <= bytesMax else { break }
            end = next
        }
        if end == 0 {
            for scalar in text.unicodeScalars {
                let next = end + UTF8.width(scalar)
                guard next <= bytesMax else { break }
                end = next
            }
        }
        if end > 0, text.utf8.span[end - 1] == UInt8(ascii: " ") { end -= 1 }
        let kept = String(validated: text.utf8.span.extracting(first: end))
        let count = kept.unicodeScalars.count
        let inside = marks.map { $0.clamped(to: 0..<count) }.filter { !$0.isEmpty }
        return PlainText(text: kept, marks: inside)
    }
}

/// How long a mapped text may become; what is longer is cut before the first character that does not fit.
enum TextLimits {
    static let titleBytesMax = 1024
    static let snippetBytesMax = 4096
    static let nameBytesMax = 512
    static let extraBytesMax = 8192
    static let urlBytesMax = 4096
    /// Elements of one list in `extra`.
    static let listCountMax = 64
    /// Matched ranges of one text.
    static let marksCountMax = 128
    /// How far to look for the end of a tag before taking its `<` for a character.
    static let tagBytesMax = 2048
    static let entityBytesMax = 12
}
