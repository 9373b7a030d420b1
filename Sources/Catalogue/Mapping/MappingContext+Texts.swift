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
        let place = stringPlace(of: value)
        return withText(of: value) { text, space in
            let run = PlainRun(text, markup: markup, bytesMax: TextLimits.extraBytesMax)
            // All of it, nearly always.
            if let place, !text.isEmpty, run.end == text.count { return .clean(place) }
            let start = space.made.count
            let firstMark = space.marks.count
            TextCleaner.append(
                text,
                after: run,
                markup: markup,
                bytesMax: TextLimits.extraBytesMax,
                to: &space.made,
                marks: &space.marks
            )
            guard space.made.count > start else { return nil }
            return .plain(start..<space.made.count, marks: firstMark..<(withMarks ? space.marks.count : firstMark))
        } ?? nil
    }

    /// The plain text of a scalar, with the marks that a step has found; what no step has cleaned is cleaned.
    mutating func plainText(of value: MappedValue, bytesMax: Int) -> PlainText? {
        let plain: PlainText
        switch value {
        case .plain(let range, let marks):
            plain = PlainText(text: String(validated: made.span.extracting(range)), marks: Array(self.marks[marks]))
        case .clean(let place): plain = PlainText(text: document.withBytes(at: place) { String(validated: $0) })
        case .written, .text, .number, .bool, .date, .list:
            return withText(of: value) { $1.cleaner.clean($0, markup: .none, bytesMax: bytesMax) }
        }
        return plain.text.utf8.count <= bytesMax ? plain : plain.cut(bytesMax: bytesMax)
    }

    /// The address that a value is as it stands, which is plain text too; nil when it needs a closer look.
    mutating func cleanAddress(_ value: MappedValue) -> MappedValue? {
        let place = stringPlace(of: value)
        return withText(of: value) { text, space in
            guard WebAddress.isClean(text) else { return nil }
            return place.map(MappedValue.clean) ?? .plain(space.keep(text), marks: 0..<0)
        } ?? nil
    }

    /// The place of a string of the document whose text stands there as it is.
    private func stringPlace(of value: MappedValue) -> Int? {
        switch value {
        case .clean(let place): place
        case .written(let place) where document.kind(at: place) == .string && !document.hasEscapes(at: place): place
        case .written, .text, .number, .bool, .date, .plain, .list: nil
        }
    }
}
