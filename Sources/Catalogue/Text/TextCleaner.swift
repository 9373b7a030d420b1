import JSON

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

    private var buffer: [UInt8] = []
    private var marks: [Range<Int>] = []

    /// Cleans one text of valid UTF-8; never fails, though nothing may be left of it.
    ///
    /// - Complexity: O(n) in the bytes of the text, and bounded by `bytesMax` in what is kept.
    mutating func clean(_ bytes: Span<UInt8>, markup: Markup, bytesMax: Int) -> PlainText {
        // All of it, nearly always.
        let run = PlainRun(bytes, markup: markup, bytesMax: bytesMax)
        if run.end == bytes.count { return PlainText(text: String(validated: bytes)) }
        buffer.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
        Self.append(bytes, after: run, markup: markup, bytesMax: bytesMax, to: &buffer, marks: &marks)
        return PlainText(text: String(validated: buffer.span), marks: Array(marks))
    }

    /// Appends what a text becomes when it is cleaned, and its marks; the plain run that it begins with is known.
    static func append(
        _ bytes: Span<UInt8>,
        after run: PlainRun,
        markup: Markup,
        bytesMax: Int,
        to output: inout [UInt8],
        marks: inout [Range<Int>]
    ) {
        let start = output.count
        let firstMark = marks.count
        // A few bytes more than are kept, so that the cut can see the character it would split.
        let outputMax = bytesMax + 64
        var pass = CleaningPass(markup: markup, firstMark: firstMark)
        // No step writes more bytes than it reads, and the last one before the limit at most eight.
        output.append(addingCapacity: min(bytes.count, outputMax) + 8) { output in
            pass.read(bytes, after: run, into: &output, marks: &marks, outputMax: outputMax)
        }
        countScalars(of: output.span.extracting(start...), &marks, from: firstMark)
        guard pass.needsNormalising || output.count - start > bytesMax else { return }
        // The pass writes whole scalars of valid UTF-8 only.
        var plain = PlainText(
            text: String(validated: output.span.extracting(start...)),
            marks: Array(marks[firstMark...])
        )
        if pass.needsNormalising { plain = plain.normalised() }
        if plain.text.utf8.count > bytesMax { plain = plain.cut(bytesMax: bytesMax) }
        output.removeLast(output.count - start)
        output.append(plain.text.utf8.span)
        marks.removeLast(marks.count - firstMark)
        marks += plain.marks
    }

    /// Turns marks in bytes of a text, which are ascending, into marks in its scalars.
    private static func countScalars(of text: Span<UInt8>, _ marks: inout [Range<Int>], from first: Int) {
        var offset = 0
        var scalars = 0
        for index in first..<marks.count {
            let mark = marks[index]
            scalars += text.scalarCount(in: offset..<mark.lowerBound)
            let lower = scalars
            scalars += text.scalarCount(in: mark)
            offset = mark.upperBound
            marks[index] = lower..<scalars
        }
    }
}
