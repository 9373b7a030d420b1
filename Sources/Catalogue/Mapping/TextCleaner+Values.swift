import JSON

/// Cleaning values where they stand: only escapes make a copy necessary, and one buffer holds all of those in turn.
extension TextCleaner {
    /// Lends the text of a scalar for a call; nil of a list.
    mutating func withText<Result>(
        of value: MappedValue,
        in document: JSONView,
        _ body: (inout TextCleaner, Span<UInt8>) -> Result
    ) -> Result? {
        guard case .written(let place) = value, document.kind(at: place) != .array else {
            guard let text = value.text(in: document) else { return nil }
            return body(&self, text.utf8.span)
        }
        guard document.kind(at: place) == .string, document.hasEscapes(at: place) else {
            return document.withBytes(at: place) { body(&self, $0) }
        }
        var text: [UInt8] = []
        swap(&text, &unescaped)
        text.removeAll(keepingCapacity: true)
        document.unescape(at: place, into: &text)
        let result = body(&self, text.span)
        swap(&text, &unescaped)
        return result
    }

    /// The plain text of a scalar; an empty one of a list.
    mutating func clean(
        _ value: MappedValue,
        in document: JSONView,
        markup: Markup,
        bytesMax: Int
    ) -> PlainText {
        withText(of: value, in: document) { $0.clean($1, markup: markup, bytesMax: bytesMax) } ?? PlainText(text: "")
    }

    /// Writes the plain text of a scalar without markup; false, and nothing is written, when none is left.
    mutating func write(
        _ value: MappedValue,
        in document: JSONView,
        bytesMax: Int,
        to writer: inout JSONWriter
    ) -> Bool {
        withText(of: value, in: document) { cleaner, text in
            if cleaner.isPlain(text, markup: .none, bytesMax: bytesMax) {
                writer.string(text)
                return true
            }
            let plain = cleaner.clean(text, markup: .none, bytesMax: bytesMax).text
            if !plain.isEmpty { writer.string(plain) }
            return !plain.isEmpty
        } ?? false
    }
}

extension WebAddress {
    /// The address that a scalar is, as it may be shown; nil when it is none.
    static func text(of value: MappedValue, in document: JSONView, _ cleaner: inout TextCleaner) -> String? {
        cleaner.withText(of: value, in: document) { _, text in
            let written = String(validated: text)
            return isClean(text) ? written : WebAddress(written)?.text
        } ?? nil
    }
}
