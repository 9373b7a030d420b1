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
        var kept = String.UnicodeScalarView()
        var bytes = 0
        for character in text {
            bytes += character.utf8.count
            guard bytes <= bytesMax else { break }
            kept.append(contentsOf: character.unicodeScalars)
        }
        if kept.isEmpty {
            bytes = 0
            for scalar in text.unicodeScalars {
                bytes += UTF8.width(scalar)
                guard bytes <= bytesMax else { break }
                kept.append(scalar)
            }
        }
        if kept.last == " " { kept.removeLast() }
        let count = kept.count
        let inside = marks.map { $0.clamped(to: 0..<count) }.filter { !$0.isEmpty }
        return PlainText(text: String(kept), marks: inside)
    }
}
