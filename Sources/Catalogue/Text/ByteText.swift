import JSON

/// Operations on the text of source files and addresses that compare bytes: exact, and quick on long texts.
///
/// What is looked for comes from a source's file and is never empty.
enum ByteText {
    /// Visits the pieces between the occurrences of a separator, empty ones left out, so many at the most.
    static func split(_ text: Span<UInt8>, by separator: Span<UInt8>, countMax: Int, _ body: (Range<Int>) -> Void) {
        var count = 0
        var start = 0
        while start <= text.count, count < countMax {
            let end = index(of: separator, in: text, from: start) ?? text.count
            if end > start {
                body(start..<end)
                count += 1
            }
            start = end + separator.count
        }
    }

    /// Appends a text in which every occurrence has become another text.
    static func appendReplacing(
        _ old: Span<UInt8>,
        with new: Span<UInt8>,
        in text: Span<UInt8>,
        to output: inout [UInt8]
    ) {
        var start = 0
        while let end = index(of: old, in: text, from: start) {
            output.append(text.extracting(start..<end))
            output.append(new)
            start = end + old.count
        }
        output.append(text.extracting(start...))
    }

    /// Appends a text whose characters have become others: byte by byte where all are ASCII.
    static func append(
        _ text: Span<UInt8>,
        to output: inout [UInt8],
        ascii: (UInt8) -> UInt8,
        others: (String) -> String
    ) {
        guard text.isASCII else {
            output += others(String(validated: text)).utf8
            return
        }
        output.append(addingCapacity: text.count) { output in
            for offset in 0..<text.count { output.append(ascii(text[offset])) }
        }
    }

    /// Where a text occurs first, at or behind an offset; nil when it does not.
    static func index(of wanted: Span<UInt8>, in text: Span<UInt8>, from start: Int = 0) -> Int? {
        guard !wanted.isEmpty else { return nil }
        var offset = start
        while true {
            offset = text.index(of: wanted[0], from: offset)
            guard offset + wanted.count <= text.count else { return nil }
            if text.extracting(offset..<offset + wanted.count).isSame(as: wanted) { return offset }
            offset += 1
        }
    }
}
