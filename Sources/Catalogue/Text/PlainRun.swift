import CBytes

/// The longest beginning of some bytes that is plain text already and can be copied as it stands.
///
/// Words of ASCII, Hangul and Chinese characters, with single blanks between them: nearly everything there is.
struct PlainRun {
    /// Where it ends; where it began when there is none.
    let end: Int

    /// Finds the run that begins at a place, of so many bytes at the most.
    ///
    /// - Complexity: O(n) in the bytes of the run, sixteen at a time.
    init(_ bytes: Span<UInt8>, from start: Int, markup: TextCleaner.Markup, bytesMax: Int) {
        let limit = min(bytes.count, start + bytesMax)
        // The buffer is read within the call only, below its count.
        end = unsafe bytes.withUnsafeBytes { unsafe Self.find($0, from: start, to: limit, markup) }
    }

    private static func find(
        _ text: UnsafeRawBufferPointer,
        from start: Int,
        to limit: Int,
        _ markup: TextCleaner.Markup
    ) -> Int {
        // Without markup these signs stand for themselves; a control character ends every run.
        let tag = markup == .html ? UInt8(ascii: "<") : 0
        let entity = markup == .none ? 0 : UInt8(ascii: "&")
        var end = start
        // Whether a blank would be no part of the run: at its beginning, and after another blank.
        var afterBlank: UInt32 = 1
        while let address = text.baseAddress, limit >= 16, end < limit {
            // Sixteen bytes are there: the last sixteen, when fewer are left, of which the first are shifted out.
            let left = min(16, limit - end)
            let past = UInt32(16 - left)
            let block = unsafe address + end - Int(past)
            let special = unsafe bytes_not_plain(block, tag, entity) >> past
            let blanks = unsafe bytes_equal(block, UInt8(ascii: " ")) >> past
            // A character that is not whole is left to the next sixteen.
            let cut = unsafe bytes_three_leads(block) >> past & (0xC000 >> past)
            let stops = special | cut | blanks & (blanks << 1 | afterBlank) | (left < 16 ? 1 << UInt32(left) : 0)
            let count = stops == 0 ? 16 : stops.trailingZeroBitCount
            guard count > 0 else { break }
            afterBlank = blanks >> (UInt32(count) - 1) & 1
            end += count
            guard stops == 0 || (left == 16 && count >= 14) else { break }
        }
        // What is left of the text, and what ended the sixteens.
        while end < limit {
            // The place is below the limit, and that at most the count.
            let byte = unsafe text[end]
            if byte > 0x20, byte < 0x7F {
                guard byte != tag, byte != entity else { break }
                afterBlank = 0
                end += 1
            } else if byte == UInt8(ascii: " ") {
                guard afterBlank == 0 else { break }
                afterBlank = 1
                end += 1
            } else {
                // The text is valid UTF-8, so that the whole character is there; but perhaps not within the limit.
                guard unsafe isPlainCharacter(byte, text, end), end + 3 <= limit else { break }
                afterBlank = 0
                end += 3
            }
        }
        return end > start && afterBlank == 1 ? end - 1 : end
    }

    /// Whether the first two bytes of a character say that it is one of three bytes that needs no closer look.
    @inline(__always)
    private static func isPlainCharacter(_ byte: UInt8, _ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        switch byte {
        // U+AC00 to U+AFFF, and U+D000 to U+D77F: the first and the last of Hangul. Checked access to the text.
        case 0xEA: unsafe index + 1 < text.count && text[index + 1] >= 0xB0
        case 0xED: unsafe index + 1 < text.count && text[index + 1] <= 0x9D
        // U+4000 to U+9FFF, and U+B000 to U+CFFF: Chinese characters and Hangul, nothing else.
        case 0xE4...0xE9, 0xEB...0xEC: true
        default: false
        }
    }
}
