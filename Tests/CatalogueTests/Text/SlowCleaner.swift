@testable import Catalogue

/// Cleaning as it is defined: one scalar after the other, each looked at for itself.
struct SlowCleaner {
    let bytes: [UInt8]
    let markup: TextCleaner.Markup
    var output: [UInt8] = []
    var marks: [Range<Int>] = []
    var isBlankDue = false
    var open: (name: UInt64, depth: Int)?
    var markStart: Int?
    var isComposing = false

    init(_ text: String, _ markup: TextCleaner.Markup) {
        bytes = Array(text.utf8)
        self.markup = markup
    }

    mutating func cleaned(bytesMax: Int) -> PlainText {
        var index = 0
        while index < bytes.count, output.count < bytesMax + 64 { index = read(at: index) }
        closeMark()
        let text = String(decoding: output, as: UTF8.self)
        let counted = marks.map { count(0..<$0.lowerBound)..<count(0..<$0.upperBound) }
        var plain = PlainText(text: text, marks: counted)
        if isComposing { plain = plain.normalised() }
        return plain.text.utf8.count > bytesMax ? plain.cut(bytesMax: bytesMax) : plain
    }

    private func count(_ range: Range<Int>) -> Int {
        String(decoding: output[range], as: UTF8.self).unicodeScalars.count
    }

    private mutating func read(at index: Int) -> Int {
        let bytes = bytes
        let span = bytes.span
        if bytes[index] == UInt8(ascii: "<"), markup == .html, let tag = Tag(span, at: index) {
            return apply(tag, at: index)
        }
        if bytes[index] == UInt8(ascii: "&"), markup != .none, let entity = Entities.read(span, at: index) {
            if let scalar = Unicode.Scalar(entity.scalar) { write(scalar) }
            return entity.end
        }
        let length = bytes[index] < 0x80 ? 1 : bytes[index] < 0xE0 ? 2 : bytes[index] < 0xF0 ? 3 : 4
        for scalar in String(decoding: bytes[index..<index + length], as: UTF8.self).unicodeScalars { write(scalar) }
        return index + length
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        switch ScalarClass(scalar.value) {
        case .removed: return
        case .blank: isBlankDue = true
        case .plain, .composing:
            if case .composing = ScalarClass(scalar.value) { isComposing = true }
            if isBlankDue, !output.isEmpty { output.append(UInt8(ascii: " ")) }
            isBlankDue = false
            if open != nil, markStart == nil { markStart = output.count }
            output += Array(String(scalar).utf8)
        }
    }

    private mutating func apply(_ tag: Tag, at index: Int) -> Int {
        let bytes = bytes
        if let name = open?.name, name == tag.name {
            open?.depth += tag.isClosing ? -1 : 1
            if open?.depth == 0 { closeMark() }
            return tag.end
        }
        switch tag.effect {
        case .mark where !tag.isClosing && open == nil: open = (tag.name, 1)
        case .span
        where !tag.isClosing && open == nil && Tag.isSearchMatch(bytes.span.extracting(index..<tag.end)):
            open = (tag.name, 1)
        case .breaks: isBlankDue = true
        case .hidden where !tag.isClosing: return tag.endOfElement(in: bytes.span)
        case .mark, .span, .hidden, .none: break
        }
        return tag.end
    }

    private mutating func closeMark() {
        open = nil
        guard let start = markStart else { return }
        markStart = nil
        if let last = marks.last, last.upperBound == start {
            marks[marks.count - 1] = last.lowerBound..<output.count
        } else if marks.count < TextLimits.marksCountMax {
            marks.append(start..<output.count)
        }
    }
}
