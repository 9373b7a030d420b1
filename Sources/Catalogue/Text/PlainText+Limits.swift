@_spi(_Unicode) import Swift

extension PlainText {
    /// The same text in normal form C, with the marks moved to where their scalars went.
    func normalised() -> PlainText {
        let composed = String(String.UnicodeScalarView(text._nfc))
        let count = composed.unicodeScalars.count
        let shifted = marks.map { mark in moved(mark.lowerBound, count)..<moved(mark.upperBound, count) }
        return PlainText(text: composed, marks: shifted.filter { !$0.isEmpty })
    }

    /// How many scalars what stood before an offset has become: a mark never begins inside a composed character.
    private func moved(_ offset: Int, _ count: Int) -> Int {
        let before = String(String.UnicodeScalarView(text.unicodeScalars.prefix(offset)))
        return min(String.UnicodeScalarView(before._nfc).count, count)
    }

    /// As many whole characters as fit; of a first character that is too long, as many scalars.
    func cut(bytesMax: Int) -> PlainText {
        var bytes = 0
        var end = text.startIndex
        while end < text.endIndex {
            let next = text.index(after: end)
            bytes += text[end..<next].utf8.count
            guard bytes <= bytesMax else { break }
            end = next
        }
        if end == text.startIndex { end = text.utf8.index(end, offsetBy: bytesMax).scalarAligned(in: text) }
        while end > text.startIndex, text[text.index(before: end)] == " " { end = text.index(before: end) }
        let count = text.unicodeScalars.distance(from: text.startIndex, to: end)
        let kept = marks.map { $0.clamped(to: 0..<count) }.filter { !$0.isEmpty }
        return PlainText(text: String(text[..<end]), marks: kept)
    }
}

extension String.Index {
    /// The last beginning of a scalar at or before this place.
    fileprivate func scalarAligned(in text: String) -> String.Index {
        String.Index(self, within: text.unicodeScalars)
            ?? text.unicodeScalars.index(before: text.utf8.index(after: self))
    }
}
