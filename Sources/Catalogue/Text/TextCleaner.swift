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
    /// Whoever needs a text without its escapes finds room here.
    var unescaped: [UInt8] = []

    /// Cleans one text of valid UTF-8; never fails, though nothing may be left of it.
    ///
    /// - Complexity: O(n) in the bytes of the text, and bounded by `bytesMax` in what is kept.
    mutating func clean(_ bytes: Span<UInt8>, markup: Markup, bytesMax: Int) -> PlainText {
        // All of it, nearly always.
        let run = PlainRun(bytes, from: 0, markup: markup, bytesMax: bytesMax)
        if run.end == bytes.count { return PlainText(text: String(validated: bytes)) }
        buffer.removeAll(keepingCapacity: true)
        // A few bytes more than are kept, so that the cut can see the character it would split.
        let outputMax = bytesMax + 64
        var pass = CleaningPass(markup: markup)
        // No step writes more bytes than it reads, and the last one before the limit at most eight.
        buffer.append(addingCapacity: min(bytes.count, outputMax) + 8) { output in
            pass.read(bytes, after: run, into: &output, outputMax: outputMax)
        }
        // The pass writes whole scalars of valid UTF-8 only: the text need not be validated again.
        let written = unsafe UTF8Span(unchecked: buffer.span, isKnownASCII: pass.scalarCount == buffer.count)
        var plain = PlainText(text: String(copying: written), marks: pass.marks)
        if pass.needsNormalising { plain = plain.normalised() }
        if plain.text.utf8.count > bytesMax { plain = plain.cut(bytesMax: bytesMax) }
        return plain
    }

    /// Whether cleaning leaves a text as it is, as it does nearly always; false of an empty one.
    func isPlain(_ bytes: Span<UInt8>, markup: Markup, bytesMax: Int) -> Bool {
        !bytes.isEmpty && PlainRun(bytes, from: 0, markup: markup, bytesMax: bytesMax).end == bytes.count
    }
}
