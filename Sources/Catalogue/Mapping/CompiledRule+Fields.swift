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
        let joined = value.text ?? value.elements.compactMap(\.text).joined(separator: ", ")
        let plain = cleaner.clean(joined.utf8.span, markup: .none, bytesMax: bytesMax)
        return plain.text.isEmpty ? nil : plain
    }

    /// A web address; of a list the first.
    func address(_ found: Members, _ cleaner: inout TextCleaner) -> String? {
        value(found, &cleaner)?.first.text.flatMap { WebAddress($0)?.text }
    }

    /// A date; one that no step has read is read as ISO 8601.
    func date(_ found: Members, _ cleaner: inout TextCleaner) -> PublishedDate? {
        guard let value = value(found, &cleaner) else { return nil }
        if case .date(let date) = value { return date }
        return value.text.flatMap { DateFormat.iso.read($0, zone: 0) }
    }

    /// A value for `extra`, its texts cleaned.
    func json(_ found: Members, _ cleaner: inout TextCleaner) -> JSONValue? {
        value(found, &cleaner).flatMap { Self.json($0, &cleaner) }
    }

    private static func json(_ value: MappedValue, _ cleaner: inout TextCleaner) -> JSONValue? {
        switch value {
        case .number(let number): return .number(number)
        case .bool(let bool): return .bool(bool)
        case .date(let date): return .string(date.text)
        case .plain(let plain): return .string(plain.text)
        case .text, .written:
            let text = value.text ?? ""
            let plain = cleaner.clean(text.utf8.span, markup: .none, bytesMax: TextLimits.extraBytesMax).text
            return plain.isEmpty ? nil : .string(plain)
        case .list(let elements):
            var values: [JSONValue] = []
            for element in elements.prefix(TextLimits.listCountMax) {
                if let value = json(element, &cleaner) { values.append(value) }
            }
            return values.isEmpty ? nil : .array(values)
        }
    }
}
