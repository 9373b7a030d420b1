import SearchModel

/// A block of a page before the main text is chosen.
struct Candidate {
    /// The number of the innermost element that contains the whole block.
    let node: Int
    var block: PageBlock
    /// The weighted length of the text outside of links; `linked` is the length of the text inside of links.
    var plain = 0
    var linked = 0
    /// Whether the block is in navigation, comments or another part outside the main text.
    var isBoilerplate = false

    var length: Int { plain + linked }
    var isMostlyLinks: Bool { linked > plain }

    /// Returns the number of letters; a Hangul syllable or an ideograph counts as two letters.
    static func length(of text: some Sequence<UInt8>) -> Int {
        text.reduce(0) { $0 + ($1 <= 0x20 || $1 & 0xC0 == 0x80 ? 0 : (0xE3...0xED).contains($1) ? 2 : 1) }
    }
}
