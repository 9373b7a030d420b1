import Hangul
import JSON
import SearchModel

/// A text as the protocol requires: NFC, single spaces, no tags, no entities, no control characters.
struct PlainText: Equatable, Sendable {
    var text: String
    var marks: [Range<Int>] = []

    var unlessEmpty: PlainText? { text.isEmpty ? nil : self }

    mutating func mark(bytes ranges: [Range<Int>]) {
        let bytes = text.utf8.span
        var (offset, scalars) = (0, 0)
        marks = ranges.map { range in
            scalars += bytes.scalarCount(in: offset..<range.lowerBound)
            offset = range.upperBound
            let start = scalars
            scalars += bytes.scalarCount(in: range)
            return start..<scalars
        }
    }

    mutating func mark(_ words: [String]) {
        var found: [Range<Int>] = []
        for word in words {
            let offset = found.last?.upperBound ?? 0
            guard let start = text.utf8.span.index(of: word.utf8.span, from: offset) else { continue }
            found.appendMark(start..<start + word.utf8.count)
        }
        mark(bytes: found)
    }

    /// A mark that begins or ends inside a composed character moves to the end of the character.
    func normalised() -> PlainText {
        guard !marks.isEmpty else { return PlainText(text: String(NormalForm.composed(text))) }
        let scalars = Array(text.unicodeScalars)
        var normal = String.UnicodeScalarView()
        var (end, count) = (0, 0)
        func append(before offset: Int) -> Int {
            let start = end
            end = max(offset, start)
            while end < scalars.count, end > start, NormalForm.joins(scalars[end]) { end += 1 }
            let piece = NormalForm.composed(String(String.UnicodeScalarView(scalars[start..<end])))
            normal += piece
            count += piece.count
            return count
        }
        let moved = marks.map { append(before: $0.lowerBound)..<append(before: $0.upperBound) }
        _ = append(before: scalars.count)
        return PlainText(text: String(normal), marks: moved.filter { !$0.isEmpty })
    }

    func cut(bytesMax: Int) -> PlainText {
        guard text.utf8.count > bytesMax else { return self }
        var end = text.utf8.index(text.startIndex, offsetBy: bytesMax)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        var kept = text[..<end]
        // A cut character is removed, unless it is the only character.
        if end.samePosition(in: text) == nil, kept.count > 1 { kept.removeLast() }
        if kept.utf8.last == UInt8(ascii: " ") { kept = kept[..<kept.utf8.index(before: kept.endIndex)] }
        let count = kept.unicodeScalars.count
        let inside = marks.map { $0.clamped(to: 0..<count) }.filter { !$0.isEmpty }
        return PlainText(text: String(kept), marks: inside)
    }
}

extension [Range<Int>] {
    mutating func appendMark(_ range: Range<Int>) {
        if let last, last.upperBound == range.lowerBound {
            self[count - 1] = last.lowerBound..<range.upperBound
        } else if count < TextLimits.marksCountMax {
            if isEmpty { reserveCapacity(8) }
            append(range)
        }
    }
}

enum TextLimits {
    static let titleBytesMax = 1024
    static let snippetBytesMax = 4096
    static let nameBytesMax = 512
    static let extraBytesMax = 8192
    static let urlBytesMax = 4096
    static let listCountMax = 64
    static let marksCountMax = 128
    /// The `<` of a longer tag is read as text.
    static let tagBytesMax = 2048
    static let entityBytesMax = 12
}
