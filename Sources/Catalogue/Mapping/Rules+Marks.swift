import JSON

/// Marks that a source tells in another text than the one that is shown.
extension Rules {
    /// The text with the words marked that a highlighted text marks; as it is when there is none.
    func marked(_ value: MappedValue, by highlight: MappedValue?, _ context: inout MappingContext) -> MappedValue? {
        guard let highlight, let plain = context.plainText(of: value, bytesMax: TextLimits.extraBytesMax),
            let words = context.withText(of: highlight, { text, context in Self.words(in: text, &context.cleaner) })
        else { return value }
        let first = context.marks.count
        context.marks += Self.marks(of: words, in: plain.text)
        return .plain(context.keep(plain.text.utf8.span), marks: first..<context.marks.count)
    }

    /// What stands between `<em>` and `</em>`, in order.
    private static func words(in text: Span<UInt8>, _ cleaner: inout TextCleaner) -> [[UInt8]] {
        let (open, close) = (Array("<em>".utf8), Array("</em>".utf8))
        var words: [[UInt8]] = []
        var rest = 0
        while words.count < TextLimits.marksCountMax,
            let start = ByteText.index(of: open.span, in: text.extracting(rest...)).map({ rest + $0 + open.count }),
            let length = ByteText.index(of: close.span, in: text.extracting(start...))
        {
            let word = cleaner.clean(
                text.extracting(start..<start + length),
                markup: .entities,
                bytesMax: TextLimits.titleBytesMax
            )
            if !word.text.isEmpty { words.append(Array(word.text.utf8)) }
            rest = start + length + close.count
        }
        return words
    }

    /// Where the words stand in a text, one after the other, in scalars; one that does not is left out.
    private static func marks(of words: [[UInt8]], in text: String) -> [Range<Int>] {
        let bytes = text.utf8.span
        var marks: [Range<Int>] = []
        var (offset, scalars) = (0, 0)
        for word in words {
            guard let found = ByteText.index(of: word.span, in: bytes.extracting(offset...)) else { continue }
            let start = offset + found
            scalars += bytes.scalarCount(in: offset..<start)
            let count = bytes.scalarCount(in: start..<start + word.count)
            if let last = marks.last, last.upperBound == scalars {
                marks[marks.count - 1] = last.lowerBound..<scalars + count
            } else {
                marks.append(scalars..<scalars + count)
            }
            (offset, scalars) = (start + word.count, scalars + count)
        }
        return marks
    }
}
