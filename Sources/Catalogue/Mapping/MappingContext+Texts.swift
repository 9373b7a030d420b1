import JSON

/// Plain texts and addresses, which mostly are what they should be where they stand.
extension MappingContext {
    /// The plain text of a scalar, with its marks or without; nil when nothing is left.
    mutating func cleaned(_ value: MappedValue, _ markup: TextCleaner.Markup, withMarks: Bool) -> MappedValue? {
        if case .text(let range) = value, !range.isEmpty {
            let text = made.span.extracting(range)
            if PlainRun.isAll(of: text, markup: markup, bytesMax: TextLimits.extraBytesMax) {
                return .plain(range, marks: 0..<0)
            }
        }
        let index = stringIndex(of: value)
        return withText(of: value) { text, context in
            let run = PlainRun(text, markup: markup, bytesMax: TextLimits.extraBytesMax)
            // All of it, nearly always.
            if let index, !text.isEmpty, run.end == text.count { return .clean(index) }
            let start = context.made.count
            let firstMark = context.marks.count
            TextCleaner.append(
                text,
                after: run,
                markup: markup,
                bytesMax: TextLimits.extraBytesMax,
                to: &context.made,
                marks: &context.marks
            )
            guard context.made.count > start else { return nil }
            return .plain(start..<context.made.count, marks: firstMark..<(withMarks ? context.marks.count : firstMark))
        } ?? nil
    }

    /// The plain text of a scalar, with the marks that a step has found; what no step has cleaned is cleaned.
    mutating func plainText(of value: MappedValue, bytesMax: Int) -> PlainText? {
        let plain: PlainText
        switch value {
        case .plain(let range, let marks):
            plain = PlainText(text: String(validated: made.span.extracting(range)), marks: Array(self.marks[marks]))
        case .clean(let index): plain = PlainText(text: document.withBytes(at: index) { String(validated: $0) })
        case .written, .text, .number, .bool, .date, .list:
            return withText(of: value) { $1.cleaner.clean($0, markup: .none, bytesMax: bytesMax) }
        }
        return plain.text.utf8.count <= bytesMax ? plain : plain.cut(bytesMax: bytesMax)
    }

    /// The address that a value is as it stands, which is plain text too; nil when it needs a closer look.
    mutating func cleanAddress(_ value: MappedValue) -> MappedValue? {
        let index = stringIndex(of: value)
        return withText(of: value) { text, context in
            guard WebAddress.isClean(text) else { return nil }
            return index.map(MappedValue.clean) ?? .plain(context.keep(text), marks: 0..<0)
        } ?? nil
    }

    /// The index of a string of the document whose text stands there as it is.
    private func stringIndex(of value: MappedValue) -> Int? {
        switch value {
        case .clean(let index): index
        case .written(let index) where document.kind(at: index) == .string && !document.hasEscapes(at: index): index
        case .written, .text, .number, .bool, .date, .plain, .list: nil
        }
    }
}
