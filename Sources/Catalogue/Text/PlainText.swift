import Hangul
import JSON
import SearchModel

/// Text as the protocol requires it: no tags, entities or control characters, NFC, single spaces, with marks.
///
/// Invariant: `marks` are ranges of the text's Unicode scalars, ascending, not empty, and disjoint.
struct PlainText: Equatable, Sendable {
    var text: String
    var marks: [Range<Int>] = []

    /// The text itself; nil if it is empty.
    var unlessEmpty: PlainText? { text.isEmpty ? nil : self }
}

extension PlainText {
    /// Marks the words in order; words that are not found are skipped.
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

    /// Returns the text in normal form C, with adjusted marks.
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

    /// Returns the offsets of scalars that do not combine with a preceding one, and then the total count.
    ///
    /// Normal form C keeps the number and order of these scalars.
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

    /// Returns the new offset for a character's old offset.
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

    /// Returns as many whole characters as fit; if the first character is too long, as many of its scalars.
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

/// Length limits of mapped texts; a longer text is cut before the first character that does not fit.
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
    /// How many bytes to search for the end of a tag before treating `<` as a character.
    static let tagBytesMax = 2048
    static let entityBytesMax = 12
}
