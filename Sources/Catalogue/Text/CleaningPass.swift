/// One pass over one text: what has been written so far, and what is due.
struct CleaningPass {
    private let markup: TextCleaner.Markup
    private var blankPending = false
    /// The tag whose content is being marked, and how many of its name are open.
    private var openMark: (name: UInt64, depth: Int)?
    private var markStart: Int?
    private(set) var needsNormalising = false
    /// Where the marks of this text begin among those of others.
    private let firstMark: Int

    init(markup: TextCleaner.Markup, firstMark: Int) {
        self.markup = markup
        self.firstMark = firstMark
    }

    /// Writes the plain text of some bytes, which begin with a run that is known, until so much is written.
    ///
    /// The marks are appended as ranges of the bytes that are written.
    mutating func read(
        _ bytes: Span<UInt8>,
        after first: PlainRun,
        into output: inout OutputSpan<UInt8>,
        marks: inout [Range<Int>],
        outputMax: Int
    ) {
        var run = first
        output.append(bytes.extracting(0..<run.end))
        var index = run.end
        while index < bytes.count, output.count < outputMax {
            let byte = bytes[index]
            if byte == UInt8(ascii: " ") {
                blankPending = true
                index += 1
                continue
            }
            if byte == UInt8(ascii: "<"), markup == .html, let tag = Tag(bytes, at: index) {
                index = apply(tag, at: index, of: bytes, written: output.count, &marks)
                continue
            }
            run.move(to: index, of: bytes, bytesMax: outputMax - output.count)
            if run.end > index {
                begin(&output)
                output.append(bytes.extracting(index..<run.end))
                index = run.end
            } else {
                index = readOther(bytes, at: index, into: &output)
            }
        }
        closeMark(at: output.count, &marks)
    }

    /// Reads the entity or the scalar at an index at which no run begins and returns the index behind it.
    private mutating func readOther(_ bytes: Span<UInt8>, at index: Int, into output: inout OutputSpan<UInt8>) -> Int {
        let byte = bytes[index]
        if byte >= 0x80 { return copyScalar(bytes, at: index, to: &output) }
        if byte == UInt8(ascii: "&"), markup != .none, let entity = Entities.read(bytes, at: index) {
            append(entity.scalar, to: &output)
            return entity.end
        }
        if byte > 0x20, byte < 0x7F {
            begin(&output)
            output.append(byte)
        } else if ScalarClass(UInt32(byte)) == .blank {
            blankPending = true
        }
        return index + 1
    }

    /// Copies the scalar of two to four bytes at an index; strings are valid UTF-8, so its first byte tells its length.
    private mutating func copyScalar(_ bytes: Span<UInt8>, at index: Int, to output: inout OutputSpan<UInt8>) -> Int {
        let lead = bytes[index]
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var scalar = UInt32(lead) & (0x7F >> UInt32(length))
        for offset in 1..<length { scalar = scalar << 6 | UInt32(bytes[index + offset] & 0x3F) }
        guard keeps(scalar) else { return index + length }
        begin(&output)
        for offset in 0..<length { output.append(bytes[index + offset]) }
        return index + length
    }

    /// Writes a scalar that came from an entity.
    private mutating func append(_ value: UInt32, to output: inout OutputSpan<UInt8>) {
        guard keeps(value), let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else { return }
        begin(&output)
        for byte in encoded { output.append(byte) }
    }

    /// Whether a scalar is written; notes what it means for the text otherwise.
    private mutating func keeps(_ scalar: UInt32) -> Bool {
        // Hangul syllables first: there are the most of them.
        if scalar >= 0xAC00, scalar <= 0xD7A3 { return true }
        switch ScalarClass(scalar) {
        case .plain: return true
        case .composing:
            needsNormalising = true
            return true
        case .blank:
            blankPending = true
            return false
        case .removed: return false
        }
    }

    /// Writes the blank that is due, never at the beginning, and begins the mark that is due.
    private mutating func begin(_ output: inout OutputSpan<UInt8>) {
        if blankPending {
            blankPending = false
            if !output.isEmpty {
                output.append(UInt8(ascii: " "))
            }
        }
        if openMark != nil, markStart == nil { markStart = output.count }
    }

    private mutating func apply(
        _ tag: Tag,
        at start: Int,
        of bytes: Span<UInt8>,
        written: Int,
        _ marks: inout [Range<Int>]
    ) -> Int {
        if let open = openMark, open.name == tag.name {
            let depth = open.depth + (tag.isClosing ? -1 : 1)
            openMark = (open.name, depth)
            if depth == 0 { closeMark(at: written, &marks) }
            return tag.end
        }
        switch tag.effect {
        case .mark:
            if !tag.isClosing, openMark == nil { openMark = (tag.name, 1) }
        case .span:
            if !tag.isClosing, openMark == nil, Tag.isSearchMatch(bytes.extracting(start..<tag.end)) {
                openMark = (tag.name, 1)
            }
        case .breaks: blankPending = true
        case .hidden:
            if !tag.isClosing { return tag.endOfElement(in: bytes) }
        case .none: break
        }
        return tag.end
    }

    private mutating func closeMark(at end: Int, _ marks: inout [Range<Int>]) {
        openMark = nil
        guard let start = markStart else { return }
        markStart = nil
        if marks.count > firstMark, marks[marks.count - 1].upperBound == start {
            marks[marks.count - 1] = marks[marks.count - 1].lowerBound..<end
        } else if marks.count - firstMark < TextLimits.marksCountMax {
            marks.append(start..<end)
        }
    }
}
