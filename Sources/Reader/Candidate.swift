import SearchModel

/// A block of a page that may belong to the main text.
struct Candidate {
    let node: Int
    var block: PageBlock
    var plain = 0
    var linked = 0
    var isBoilerplate = false

    var length: Int { plain + linked }
    var isMostlyLinks: Bool { linked > plain }

    /// Returns the length in characters.
    ///
    /// A character from U+3000 to U+D7FF counts as two. ASCII blanks are not counted.
    static func length(of text: some Sequence<UInt8>) -> Int {
        text.reduce(0) { $0 + ($1 <= 0x20 || $1 & 0xC0 == 0x80 ? 0 : (0xE3...0xED).contains($1) ? 2 : 1) }
    }
}
