/// Turns what a source sends into plain text, in one pass over its bytes.
///
/// One cleaner serves a whole page: its buffer stays allocated.
struct TextCleaner {
    /// How the text is written.
    enum Markup {
        /// As it is: a `<` is a `<`.
        case none
        /// Without tags, but with entities.
        case entities
        /// HTML: tags are dropped, entities decoded once.
        case html
    }

    private var output: [UInt8] = []
    private var scalarCount = 0
    private var blankPending = false
    private var needsNormalising = false
    private var marks: [Range<Int>] = []
    /// The tag whose content is being marked, and how many of its name are open.
    private var openMark: (name: UInt64, depth: Int)?
    private var markStart: Int?

    /// Cleans one text; never fails, though nothing may be left of it.
    ///
    /// - Complexity: O(n) in the bytes of the text, and bounded by `bytesMax` in what is kept.
    mutating func clean(_ text: String, markup: Markup, bytesMax: Int) -> PlainText {
        output.removeAll(keepingCapacity: true)
        scalarCount = 0
        blankPending = false
        needsNormalising = false
        marks = []
        openMark = nil
        markStart = nil
        // A few more bytes than are kept, so that the cut can see the character it would split.
        read(text.utf8.span, markup: markup, bytesMax: bytesMax + 64)
        closeMark()
        var plain = PlainText(text: String(decoding: output, as: UTF8.self), marks: marks)
        if needsNormalising { plain = plain.normalised() }
        if plain.text.utf8.count > bytesMax { plain = plain.cut(bytesMax: bytesMax) }
        return plain
    }

    private mutating func read(_ bytes: Span<UInt8>, markup: Markup, bytesMax: Int) {
        var index = 0
        while index < bytes.count, output.count < bytesMax {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<"), markup == .html, let tag = Tag(bytes, at: index) {
                index = apply(tag, at: index, of: bytes)
            } else if byte == UInt8(ascii: "&"), markup != .none, let entity = Entities.read(bytes, at: index) {
                appendScalar(entity.scalar)
                index = entity.end
            } else if byte < 0x80 {
                if byte > 0x20, byte < 0x7F {
                    beginWord()
                    output.append(byte)
                    scalarCount += 1
                } else if ScalarClass(UInt32(byte)) == .blank {
                    blankPending = true
                }
                index += 1
            } else {
                index = copyScalar(bytes, at: index)
            }
        }
    }

    /// Copies the scalar of two to four bytes at an index; strings are valid UTF-8, so its length is in its first byte.
    private mutating func copyScalar(_ bytes: Span<UInt8>, at index: Int) -> Int {
        let lead = bytes[index]
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var scalar = UInt32(lead) & (0x7F >> UInt32(length))
        for offset in 1..<length { scalar = scalar << 6 | UInt32(bytes[index + offset] & 0x3F) }
        if scalar < 0xAC00 || scalar > 0xD7A3 {
            switch ScalarClass(scalar) {
            case .plain: break
            case .composing: needsNormalising = true
            case .blank:
                blankPending = true
                return index + length
            case .removed: return index + length
            }
        }
        beginWord()
        for offset in 0..<length { output.append(bytes[index + offset]) }
        scalarCount += 1
        return index + length
    }

    /// Writes a scalar that came from an entity.
    private mutating func appendScalar(_ value: UInt32) {
        switch ScalarClass(value) {
        case .plain: break
        case .composing: needsNormalising = true
        case .blank:
            blankPending = true
            return
        case .removed: return
        }
        guard let scalar = Unicode.Scalar(value) else { return }
        beginWord()
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        scalarCount += 1
    }

    /// Writes the blank that is due, never at the beginning, and begins the mark that is due.
    private mutating func beginWord() {
        if blankPending {
            blankPending = false
            if !output.isEmpty {
                output.append(UInt8(ascii: " "))
                scalarCount += 1
            }
        }
        if openMark != nil, markStart == nil { markStart = scalarCount }
    }

    private mutating func apply(_ tag: Tag, at start: Int, of bytes: Span<UInt8>) -> Int {
        if let open = openMark, open.name == tag.name {
            let depth = open.depth + (tag.isClosing ? -1 : 1)
            openMark = (open.name, depth)
            if depth == 0 { closeMark() }
            return tag.end
        }
        switch tag.effect {
        case .mark:
            if !tag.isClosing, openMark == nil { openMark = (tag.name, 1) }
        case .span:
            if !tag.isClosing, openMark == nil, Self.isSearchMatch(bytes, from: start, to: tag.end) {
                openMark = (tag.name, 1)
            }
        case .breaks: blankPending = true
        case .hidden:
            if !tag.isClosing { return Self.endOfHidden(tag, of: bytes) }
        case .none: break
        }
        return tag.end
    }

    private mutating func closeMark() {
        openMark = nil
        guard let start = markStart else { return }
        markStart = nil
        if let last = marks.last, last.upperBound == start {
            marks[marks.count - 1] = last.lowerBound..<scalarCount
        } else if marks.count < TextLimits.marksCountMax {
            marks.append(start..<scalarCount)
        }
    }

    /// True for the class that MediaWiki gives to what matched.
    private static func isSearchMatch(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        contains("searchmatch", in: bytes, from: start, to: end) != nil
    }

    /// The end of the element whose content is no text; of an unclosed one, the end of the text.
    private static func endOfHidden(_ tag: Tag, of bytes: Span<UInt8>) -> Int {
        var index = tag.end
        while let close = contains("</", in: bytes, from: index, to: bytes.count) {
            if let candidate = Tag(bytes, at: close), candidate.name == tag.name { return candidate.end }
            index = close + 2
        }
        return bytes.count
    }

    private static func contains(_ needle: StaticString, in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        let count = needle.utf8CodeUnitCount
        guard end - start >= count else { return nil }
        return needle.withUTF8Buffer { wanted in
            // The buffer of a literal lives as long as the program, and the offsets stay below its count.
            (start...(end - count)).first { at in (0..<count).allSatisfy { unsafe bytes[at + $0] == wanted[$0] } }
        }
    }
}
