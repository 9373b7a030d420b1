import JSON
import SearchModel

/// What the fields of a hit make of a rule's value.
extension FieldReader {
    /// Plain text; a list is joined by commas.
    mutating func text(_ rule: Rule?, bytesMax: Int) -> PlainText? {
        guard let rule, var value = value(rule) else { return nil }
        if isList(value) { value = joined(value, by: ", ", withEmpty: true) }
        return plainText(of: value, bytesMax: bytesMax)?.unlessEmpty
    }

    /// The plain text of a scalar with the marks of an earlier step; text that no step has cleaned is cleaned.
    mutating func plainText(of value: MappedValue, bytesMax: Int) -> PlainText? {
        switch value {
        case .plain(let plain): plain.cut(bytesMax: bytesMax)
        case .address(let text): PlainText(text: text).cut(bytesMax: bytesMax)
        default: clean(value, .none, bytesMax: bytesMax)
        }
    }

    /// A web address; of a list the first.
    mutating func address(_ rule: Rule?) -> String? {
        guard let rule, let value = value(rule) else { return nil }
        let first = edge(of: value)
        if case .address(let address) = first { return address }
        return withText(of: first) { text in
            let written = String(validated: text)
            return WebAddress.isClean(text) ? written : WebAddress(written)?.text
        } ?? nil
    }

    /// A date; one that no step has read is read as ISO 8601.
    mutating func date(_ rule: Rule?) -> PublishedDate? {
        guard let rule, let value = value(rule) else { return nil }
        if case .date(let date) = value { return date }
        return withText(of: value) { DateFormat.iso.read($0, zone: 0) } ?? nil
    }

    /// The extra fields that have a value as a JSON object, their texts cleaned; empty when none has one.
    mutating func extraText(_ fields: [HitShape.Extra]) -> [UInt8] {
        guard !fields.isEmpty else { return [] }
        // Taken out while it is written to; a hit keeps a copy that is no larger than necessary.
        var writer = JSONWriter()
        swap(&writer, &self.writer)
        defer { swap(&writer, &self.writer) }
        writer.removeAll()
        var isEmpty = true
        writer.object { writer in
            for field in fields {
                guard let value = value(field.rule) else { continue }
                let start = writer.mark
                let name = field.written
                writer.rawName(name.span)
                if write(value, to: &writer) { isEmpty = false } else { writer.takeBack(to: start) }
            }
        }
        var text: [UInt8] = []
        if !isEmpty { text.append(writer.bytes.span) }
        return text
    }

    /// Writes a value; returns false, and writes nothing, when nothing is left of it.
    private mutating func write(_ value: MappedValue, to writer: inout JSONWriter) -> Bool {
        switch value {
        case .number(let number): writer.number(number)
        case .bool(let bool): writer.bool(bool)
        case .date(let date): date.withText { writer.string($0) }
        case .plain(let plain): writer.string(plain.text)
        case .address(let address): writer.string(address)
        case .written(let index):
            let kind = document.kind(at: index)
            let isFinished = kind == .string ? isPlain(at: index) : kind != .array
            guard isFinished else { return writeTexts(value, to: &writer) }
            document.withWritten(at: index) { writer.raw($0) }
        case .text, .list: return writeTexts(value, to: &writer)
        }
        return true
    }

    /// Writes a text that is cleaned, or a list.
    private mutating func writeTexts(_ value: MappedValue, to writer: inout JSONWriter) -> Bool {
        guard isList(value) else {
            guard let text = clean(value, .none, bytesMax: TextLimits.extraBytesMax)?.unlessEmpty?.text else {
                return false
            }
            writer.string(text)
            return true
        }
        let start = writer.mark
        var isEmpty = true
        writer.array { writer in
            for element in elements(of: value, countMax: TextLimits.listCountMax) {
                if write(element, to: &writer) { isEmpty = false }
            }
        }
        if isEmpty { writer.takeBack(to: start) }
        return !isEmpty
    }
}
