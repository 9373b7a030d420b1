extension SearchQuery {
    /// Whether the query ends in a lone jamo, a syllable that is still being typed: `고양ㅇ`.
    package var endsInBareJamo: Bool {
        guard let last = text.unicodeScalars.last else { return false }
        switch last.value {
        // Compatibility jamo, half-width ones, and leading consonants that no vowel follows.
        case 0x3131...0x318E, 0xFFA1...0xFFDC, 0x1100...0x115F: return true
        default: return false
        }
    }
}
