import JSON

/// Converts the text of a source to plain text.
struct TextCleaner {
    enum Markup {
        case none
        case entities
        case html
    }

    private let markup: Markup
    private var output: [UInt8] = []
    private var marks: [Range<Int>] = []
    private var blankPending = false
    private var openMark: (name: UInt64, depth: Int)?
    private var markStart: Int?
    private var needsNormalising = false

    static func clean(_ bytes: Span<UInt8>, markup: Markup, bytesMax: Int) -> PlainText {
        var cleaner = TextCleaner(markup: markup)
        let end = runEnd(bytes, from: 0, limit: bytesMax, markup, &cleaner.needsNormalising)
        if end == bytes.count, end <= bytesMax, !cleaner.needsNormalising {
            return PlainText(text: String(validated: bytes))
        }
        let outputMax = bytesMax + 64
        cleaner.output.reserveCapacity(min(bytes.count, outputMax))
        cleaner.read(bytes, plainEnd: end, outputMax: outputMax)
        var plain = PlainText(text: String(validated: cleaner.output.span))
        plain.mark(bytes: cleaner.marks)
        if cleaner.needsNormalising { plain = plain.normalised() }
        return plain.cut(bytesMax: bytesMax)
    }

    static func isPlain(_ bytes: Span<UInt8>, markup: Markup, bytesMax: Int) -> Bool {
        var needsNormalising = false
        return bytes.count <= bytesMax
            && runEnd(bytes, from: 0, limit: bytesMax, markup, &needsNormalising) == bytes.count
            && !needsNormalising
    }

    private mutating func read(_ bytes: Span<UInt8>, plainEnd: Int, outputMax: Int) {
        var index = plainEnd
        output.append(bytes.extracting(first: plainEnd))
        while index < bytes.count, output.count < outputMax {
            let limit = index + outputMax - output.count
            let end = Self.runEnd(bytes, from: index, limit: limit, markup, &needsNormalising)
            if end > index {
                beginText()
                output.append(bytes.extracting(index..<end))
                index = end
            } else {
                index = readOther(bytes, at: index)
            }
        }
        closeMark()
    }

    /// Returns the end of the bytes that can be copied unchanged: words with single spaces between them.
    @inline(__always)
    private static func runEnd(
        _ bytes: Span<UInt8>,
        from start: Int,
        limit: Int,
        _ markup: Markup,
        _ needsNormalising: inout Bool
    ) -> Int {
        let end = min(bytes.count, limit)
        let tag: UInt8 = markup == .html ? UInt8(ascii: "<") : 0
        let entity: UInt8 = markup == .none ? 0 : UInt8(ascii: "&")
        var index = start
        while index < end {
            // `end` is at most the count.
            let byte = unsafe bytes[unchecked: index]
            if byte > 0x20, byte < 0x7F {
                guard byte != tag, byte != entity else { break }
                index += 1
            } else if byte == 0x20 {
                guard index > start, bytes[index - 1] != 0x20 else { break }
                index += 1
            } else if (byte >= 0xE4 && byte <= 0xE9) || byte == 0xEB || byte == 0xEC {
                // These bytes begin most Chinese characters and Hangul syllables, which have three bytes.
                index += 3
                // Skips a single space without a branch, which would be slow. Both offsets are below the end.
                if index + 1 < end {
                    let isSpace = unsafe bytes[unchecked: index] == 0x20 ? 1 : 0
                    index += unsafe bytes[unchecked: index + 1] > 0x20 ? isSpace : 0
                }
            } else {
                guard byte >= 0x80, let length = keptLength(bytes, at: index, &needsNormalising) else { break }
                index += length
            }
        }
        // A space at the end is written only if text follows.
        return index > start && bytes[index - 1] == 0x20 ? index - 1 : index
    }

    private static func keptLength(_ bytes: Span<UInt8>, at index: Int, _ needsNormalising: inout Bool) -> Int? {
        let (scalar, length) = bytes.scalar(at: index)
        switch ScalarClass(scalar) {
        case .plain: return length
        case .composing:
            needsNormalising = true
            return length
        case .blank, .removed: return nil
        }
    }

    private mutating func readOther(_ bytes: Span<UInt8>, at index: Int) -> Int {
        switch bytes[index] {
        case UInt8(ascii: "<") where markup == .html:
            if let tag = Tag(bytes, at: index) { return apply(tag, of: bytes, at: index) }
        case UInt8(ascii: "&") where markup != .none:
            if let entity = Entities.read(bytes, at: index) {
                append(entity.scalar)
                return entity.end
            }
        default:
            let (scalar, length) = bytes.scalar(at: index)
            append(scalar)
            return index + length
        }
        append(UInt32(bytes[index]))
        return index + 1
    }

    private mutating func append(_ value: UInt32) {
        switch ScalarClass(value) {
        case .blank: blankPending = true
        case .removed: break
        case let kept:
            guard let scalar = Unicode.Scalar(value) else { return }
            if kept == .composing { needsNormalising = true }
            beginText()
            output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    private mutating func beginText() {
        if blankPending, !output.isEmpty { output.append(0x20) }
        blankPending = false
        if openMark != nil, markStart == nil { markStart = output.count }
    }

    private mutating func apply(_ tag: Tag, of bytes: Span<UInt8>, at start: Int) -> Int {
        if let open = openMark, open.name == tag.name {
            let depth = open.depth + (tag.isClosing ? -1 : 1)
            openMark = (open.name, depth)
            if depth == 0 { closeMark() }
            return tag.end
        }
        switch tag.effect {
        case .mark where !tag.isClosing && openMark == nil: openMark = (tag.name, 1)
        case .span where !tag.isClosing && openMark == nil:
            // MediaWiki uses this class for matches.
            let isMatch = bytes.extracting(start..<tag.end).index(of: "searchmatch".utf8.span) != nil
            if isMatch { openMark = (tag.name, 1) }
        case .breaks: blankPending = true
        case .hidden where !tag.isClosing: return tag.endOfElement(in: bytes)
        case .mark, .span, .hidden, .none: break
        }
        return tag.end
    }

    private mutating func closeMark() {
        openMark = nil
        guard let start = markStart else { return }
        markStart = nil
        marks.appendMark(start..<output.count)
    }
}

enum ScalarClass {
    /// Kept; a text of only such scalars is in NFC.
    case plain
    /// Kept, but the text must be normalised.
    case composing
    case blank
    /// Control characters, invisible characters that can hide text, and noncharacters.
    case removed

    init(_ scalar: UInt32) {
        switch scalar {
        case 0x21...0x7E, 0xAC00...0xD7A3: self = .plain
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F, 0x205F, 0x3000:
            self = .blank
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x202A...0x202E, 0x2060...0x2069,
            0xD800...0xDFFF, 0xFDD0...0xFDEF, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
            self = .removed
        case 0...0x02FF, 0x0400...0x0482, 0x048A...0x052F, 0x1E00...0x1EFF, 0x200C...0x205E, 0x2190...0x2328,
            0x232B...0x2ADB, 0x3001...0x3029, 0x3030...0x3096, 0x309B...0x318E, 0x3190...0x9FFF,
            0xFE00...0xFE0F, 0xFF01...0xFFEE, 0x1F000...0x1FAFF, 0x20000...0x2EBEF:
            self = .plain
        default:
            // The last two code points of each plane are noncharacters.
            self = scalar & 0xFFFE == 0xFFFE ? .removed : .composing
        }
    }
}
