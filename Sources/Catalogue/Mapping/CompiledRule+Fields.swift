import JSON
import SearchModel

/// What the fields of a hit make of a rule's value.
extension CompiledRule {
    /// Plain text; a list is joined by commas.
    func text(_ found: borrowing Members, _ cleaner: inout TextCleaner, bytesMax: Int) -> PlainText? {
        if let shortcut, let place = found.string(at: shortcut.slot) {
            switch shortcut.treatment {
            case .nothing:
                let plain = cleaner.clean(.written(place), in: found.document, markup: .none, bytesMax: bytesMax)
                return plain.text.isEmpty ? nil : plain
            case .html(let marks):
                if let plain = Step.html(place, in: found.document, marks: marks, &cleaner) {
                    return plain.text.utf8.count <= bytesMax ? plain : plain.cut(bytesMax: bytesMax).unlessEmpty
                }
            case .date, .number, .url: break
            }
        }
        guard let value = value(found, &cleaner) else { return nil }
        if case .plain(let plain) = value {
            return plain.text.utf8.count <= bytesMax ? plain.unlessEmpty : plain.cut(bytesMax: bytesMax).unlessEmpty
        }
        let document = found.document
        let plain: PlainText
        if let list = value.list(in: document, countMax: .max) {
            let joined = list.compactMap { $0.text(in: document) }.joined(separator: ", ")
            plain = cleaner.clean(joined.utf8.span, markup: .none, bytesMax: bytesMax)
        } else {
            plain = cleaner.clean(value, in: document, markup: .none, bytesMax: bytesMax)
        }
        return plain.unlessEmpty
    }

    /// A web address; of a list the first.
    func address(_ found: borrowing Members, _ cleaner: inout TextCleaner) -> String? {
        if let shortcut, case .nothing = shortcut.treatment, let place = found.string(at: shortcut.slot) {
            return WebAddress.text(of: .written(place), in: found.document, &cleaner)
        }
        guard let value = value(found, &cleaner)?.first(in: found.document) else { return nil }
        return WebAddress.text(of: value, in: found.document, &cleaner)
    }

    /// A date; one that no step has read is read as ISO 8601.
    func date(_ found: borrowing Members, _ cleaner: inout TextCleaner) -> PublishedDate? {
        if let shortcut, let place = found.string(at: shortcut.slot),
            let date = shortcut.date(at: place, in: found.document, &cleaner)
        {
            return date
        }
        guard let value = value(found, &cleaner) else { return nil }
        if case .date(let date) = value { return date }
        return value.text(in: found.document).flatMap { DateFormat.iso.read($0.utf8.span, zone: 0) }
    }

    /// Writes a value for `extra`, its texts cleaned; false, and nothing is written, when there is none.
    func write(_ found: borrowing Members, _ cleaner: inout TextCleaner, to writer: inout JSONWriter) -> Bool {
        if let shortcut, let place = found.place(at: shortcut.slot),
            let isWritten = shortcut.write(place, in: found.document, &cleaner, to: &writer)
        {
            return isWritten
        }
        guard let value = value(found, &cleaner) else { return false }
        return Self.write(value, in: found.document, &cleaner, to: &writer)
    }

    static func write(
        _ value: MappedValue,
        in document: JSONView,
        _ cleaner: inout TextCleaner,
        to writer: inout JSONWriter
    ) -> Bool {
        if value.isList(in: document) {
            let start = writer.mark
            var isEmpty = true
            writer.array { writer in
                value.forEach(in: document, countMax: TextLimits.listCountMax) { element in
                    if write(element, in: document, &cleaner, to: &writer) { isEmpty = false }
                    return true
                }
            }
            if isEmpty { writer.takeBack(to: start) }
            return !isEmpty
        }
        switch value {
        case .number(let number): writer.number(number)
        case .bool(let bool): writer.bool(bool)
        case .date(let date): writer.string(date.text)
        case .plain(let plain): writer.string(plain.text)
        case .written(let place) where document.kind(at: place) != .string:
            document.withBytes(at: place) { writer.raw($0) }
        case .text, .written, .list:
            return cleaner.write(value, in: document, bytesMax: TextLimits.extraBytesMax, to: &writer)
        }
        return true
    }
}
