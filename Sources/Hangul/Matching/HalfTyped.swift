/// Whether someone is in the middle of a syllable.
package enum HalfTyped {
    /// Whether a text in normal form C ends in a single letter of Hangul behind a syllable, as 고양ㅇ does.
    ///
    /// Several in a row, as ㅋㅋㅋ, are what people write.
    ///
    /// - Parameters:
    ///   - text: What has been typed so far.
    ///   - whileTyping: Whether a single letter that begins a word counts, too.
    /// - Returns: Whether its last syllable is not done.
    package static func isEnd(of text: String, whileTyping: Bool) -> Bool {
        let scalars = text.unicodeScalars
        guard let last = scalars.last, isSingle(last) else { return false }
        guard let before = scalars.dropLast().last, before != " " else { return whileTyping }
        return Syllable(before) != nil
    }

    /// Compatibility letters, halfwidth ones, and leads that no vowel follows.
    private static func isSingle(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3131...0x318E, 0xFFA1...0xFFDC, 0x1100...0x115F: true
        default: false
        }
    }
}
