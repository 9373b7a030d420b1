import CBytes

/// The longest piece of a text, from an offset on, that is plain text already and can be copied as it stands.
///
/// Words of ASCII, Hangul and Chinese characters, with single blanks between them: nearly everything there is. One run
/// after the other is found in a text; what was learnt of sixteen bytes is kept for the runs that begin in them.
struct PlainRun {
    /// Where it ends; where it began when there is none.
    private(set) var end = 0
    private let tag: UInt8
    private let entity: UInt8
    /// Behind the sixteen bytes about which `stops` speaks.
    private var blockEnd = 0
    /// The bytes, as bits, that end a run: those that are not plain, and blanks behind blanks.
    private var stops: UInt32 = 0

    /// Finds the run that a text of valid UTF-8 begins with, of so many bytes at the most.
    ///
    /// - Complexity: O(n) in the bytes of the run, sixteen at a time.
    init(_ bytes: Span<UInt8>, markup: TextCleaner.Markup, bytesMax: Int) {
        // Without markup these signs stand for themselves; a control character ends every run.
        tag = markup == .html ? UInt8(ascii: "<") : 0
        entity = markup == .none ? 0 : UInt8(ascii: "&")
        move(to: 0, of: bytes, bytesMax: bytesMax)
    }

    /// Finds the run of the same text that begins at an offset behind the one before.
    @inline(__always)
    mutating func move(to start: Int, of bytes: Span<UInt8>, bytesMax: Int) {
        // The buffer is read within the call only, below its count.
        unsafe bytes.withUnsafeBytes { text in
            end = start
            // Blanks at its ends are no part of a run. The offsets lie in the text.
            guard start < text.count, unsafe text[start] != UInt8(ascii: " ") else { return }
            let limit = min(text.count, start + bytesMax)
            end = unsafe text.count < 16 ? short(text, from: start, to: limit) : long(text, from: start, to: limit)
            // Nor is half a character at the limit.
            if end >= limit, limit < text.count { end = unsafe Self.characterBegin(text, limit) }
            if end > start, unsafe text[end - 1] == UInt8(ascii: " ") { end -= 1 }
        }
    }

    /// The end of a run, or an offset at or behind the limit.
    @inline(__always)
    private mutating func long(_ text: UnsafeRawBufferPointer, from start: Int, to limit: Int) -> Int {
        var offset = start
        while offset < limit {
            // Behind the known block, or before it when a limit has cut the run before.
            if offset >= blockEnd || offset < blockEnd - 16 { unsafe readBlock(text, at: offset) }
            let ahead = stops &>> UInt32(truncatingIfNeeded: offset + 16 - blockEnd)
            if ahead != 0 { return offset + ahead.trailingZeroBitCount }
            offset = blockEnd
        }
        return offset
    }

    /// Learns of the sixteen bytes at an offset, or of the last sixteen, which are there.
    @inline(__always)
    private mutating func readBlock(_ text: UnsafeRawBufferPointer, at offset: Int) {
        guard let address = text.baseAddress else { return }
        let start = min(offset, text.count - 16)
        blockEnd = start + 16
        // Sixteen bytes are there.
        let block = unsafe address + start
        let blanks = unsafe bytes_equal(block, UInt8(ascii: " "))
        let isAfterBlank = unsafe start > 0 && text[start - 1] == UInt8(ascii: " ")
        stops = unsafe bytes_not_plain(block, tag, entity) | blanks & (blanks &<< 1 | (isAfterBlank ? 1 : 0))
        // The first byte of a character that is the last one here was taken for plain.
        if blockEnd < text.count, unsafe !isPlain(text[blockEnd - 1], beforeByteAt: blockEnd, of: text) {
            stops |= 1 << 15
        }
    }

    /// The end of a run, or an offset behind the limit, in a text that has no sixteen bytes, byte by byte.
    private func short(_ text: UnsafeRawBufferPointer, from start: Int, to limit: Int) -> Int {
        var end = start
        var isAfterBlank = true
        while end < limit {
            // The offset is below the limit, and that at most the count.
            let byte = unsafe text[end]
            if byte > 0x20, byte < 0x7F {
                guard byte != tag, byte != entity else { break }
                isAfterBlank = false
                end += 1
            } else if byte == UInt8(ascii: " ") {
                guard !isAfterBlank else { break }
                isAfterBlank = true
                end += 1
            } else {
                guard byte >= 0xE4, byte <= 0xED, unsafe isPlain(byte, beforeByteAt: end + 1, of: text) else { break }
                isAfterBlank = false
                end += 3
            }
        }
        return end
    }

    /// Whether a byte that may begin plain characters begins one together with the byte at an offset behind it, which
    /// is there since the text is valid UTF-8.
    @inline(__always)
    private func isPlain(_ byte: UInt8, beforeByteAt offset: Int, of text: UnsafeRawBufferPointer) -> Bool {
        switch byte {
        // U+AC00 to U+AFFF, and U+D000 to U+D77F: the first and the last of Hangul.
        case 0xEA: unsafe text[offset] >= 0xB0
        case 0xED: unsafe text[offset] <= 0x9D
        // U+4000 to U+9FFF, and U+B000 to U+CFFF: Chinese characters and Hangul, nothing else.
        default: true
        }
    }

    /// The offset, or that of the first byte of the character it lies in.
    private static func characterBegin(_ text: UnsafeRawBufferPointer, _ offset: Int) -> Int {
        var begin = offset
        // The offset is below the count, and every character begins in the text.
        while begin > 0, unsafe text[begin] & 0xC0 == 0x80 { begin -= 1 }
        return begin
    }
}

extension PlainRun {
    /// Whether a text is plain text as it stands, not empty, and of so many bytes at the most.
    static func isAll(of bytes: Span<UInt8>, markup: TextCleaner.Markup, bytesMax: Int) -> Bool {
        !bytes.isEmpty && PlainRun(bytes, markup: markup, bytesMax: bytesMax).end == bytes.count
    }
}
