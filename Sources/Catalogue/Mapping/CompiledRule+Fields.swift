import JSON
import SearchModel

/// What the fields of a hit make of a rule's value.
extension CompiledRule {
    /// Plain text; a list is joined by commas.
    func text(_ found: Members, _ cleaner: inout TextCleaner, bytesMax: Int) -> PlainText? {
        guard let value = value(found, &cleaner) else { return nil }
        if case .plain(let plain) = value {
            let fitting = plain.text.utf8.count <= bytesMax ? plain : plain.cut(bytesMax: bytesMax)
            return fitting.text.isEmpty ? nil : fitting
        }
        let document = found.document
        let plain: PlainText
        if let list = value.list(in: document, countMax: .max) {
            let joined = list.compactMap { $0.text(in: document) }.joined(separator: ", ")
            plain = cleaner.clean(joined.utf8.span, markup: .none, bytesMax: bytesMax)
        } else {
            plain = cleaner.clean(value, in: document, markup: .none, bytesMax: bytesMax)
        }
        return plain.text.isEmpty ? nil : plain
    }

    /// A web address; of a list the first.
    func address(_ found: Members, _ cleaner: inout TextCleaner) -> String? {
        guard let value = value(found, &cleaner)?.first(in: found.document) else { return nil }
        return WebAddress.text(of: value, in: found.document, &cleaner)
    }

    /// A date; one that no step has read is read as ISO 8601.
    func date(_ found: Members, _ cleaner: inout TextCleaner) -> PublishedDate? {
        guard let value = value(found, &cleaner) else { return nil }
        if case .date(let date) = value { return date }
        return value.text(in: found.document).flatMap { DateFormat.iso.read($0.utf8.span, zone: 0) }
    }

    /// Writes a value for `extra`, its texts cleaned; false, and nothing is written, when there is none.
    func write(_ found: Members, _ cleaner: inout TextCleaner, to writer: inout JSONWriter) -> Bool {
        guard let value = value(found, &cleaner) else { return false }
        return Self.write(value, in: found.document, &cleaner, to: &writer)
    }

    private static func write(
        _ value: MappedValue,
        in document: JSONDocument,
        _ cleaner: inout TextCleaner,
        to writer: inout JSONWriter
    ) -> Bool {
        if let elements = value.list(in: document, countMax: TextLimits.listCountMax) {
            let start = writer.mark
            var isEmpty = true
            writer.array { writer in
                for element in elements where write(element, in: document, &cleaner, to: &writer) { isEmpty = false }
            }
            if isEmpty { writer.takeBack(to: start) }
            return !isEmpty
        }
        switch value {
        case .number(let number): writer.number(number)
        case .bool(let bool): writer.bool(bool)
        case .date(let date): writer.string(date.text)
        case .plain(let plain): writer.string(plain.text)
        case .written(let place) where document.kind(at: place) != .string: writer.raw(document.text(at: place))
        case .text, .written, .list:
            return cleaner.write(value, in: document, bytesMax: TextLimits.extraBytesMax, to: &writer)
        }
        return true
    }
}
