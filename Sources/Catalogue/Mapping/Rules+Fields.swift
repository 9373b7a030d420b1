import JSON
import SearchModel

/// What the fields of a hit make of a rule's value.
extension Rules {
    /// Plain text; a list is joined by commas.
    func text(_ rule: RuleTables.Rule, _ space: inout MappingContext, bytesMax: Int) -> PlainText? {
        guard var value = value(rule, &space) else { return nil }
        if value.isList(in: space.document) { value = space.joined(value, by: ", ".utf8.span, withEmpty: true) }
        return space.plainText(of: value, bytesMax: bytesMax)?.unlessEmpty
    }

    /// A web address; of a list the first.
    func address(_ rule: RuleTables.Rule, _ space: inout MappingContext) -> String? {
        guard let value = value(rule, &space) else { return nil }
        return space.withText(of: space.first(of: value)) { text, _ in
            let written = String(validated: text)
            return WebAddress.isClean(text) ? written : WebAddress(written)?.text
        } ?? nil
    }

    /// A date; one that no step has read is read as ISO 8601.
    func date(_ rule: RuleTables.Rule, _ space: inout MappingContext) -> PublishedDate? {
        guard let value = value(rule, &space) else { return nil }
        if case .date(let date) = value { return date }
        return space.withText(of: value) { text, _ in DateFormat.iso.read(text, zone: 0) } ?? nil
    }

    /// Writes a value as a member, its texts cleaned; false, and nothing is written, when there is none.
    ///
    /// The name is as JSON has it, with its colon.
    func write(
        _ rule: RuleTables.Rule,
        _ space: inout MappingContext,
        named name: Span<UInt8>,
        to writer: inout JSONWriter
    ) -> Bool {
        guard let value = value(rule, &space) else { return false }
        if let index = space.finishedIndex(of: value) {
            space.document.withWritten(at: index) { writer.rawMember(name, $0) }
            return true
        }
        let start = writer.mark
        writer.rawName(name)
        if space.writeMade(value, to: &writer) { return true }
        writer.takeBack(to: start)
        return false
    }
}

extension MappingContext {
    /// Writes a value, its texts cleaned; false, and nothing is written, when nothing is left of it.
    fileprivate mutating func write(_ value: MappedValue, to writer: inout JSONWriter) -> Bool {
        if let index = finishedIndex(of: value) {
            document.withWritten(at: index) { writer.raw($0) }
            return true
        }
        return writeMade(value, to: &writer)
    }

    /// The same of a value that does not stand in the document as a hit keeps it.
    fileprivate mutating func writeMade(_ value: MappedValue, to writer: inout JSONWriter) -> Bool {
        switch value {
        case .number(let range): writer.raw(made.span.extracting(range))
        case .bool(let bool): writer.bool(bool)
        case .date(let date): date.withText { writer.string($0) }
        case .plain(let range, _): writer.string(made.span.extracting(range))
        case .list: return writeList(value, to: &writer)
        case .written(let index) where document.kind(at: index) == .array: return writeList(value, to: &writer)
        case .written, .clean, .text: return writeCleaned(value, to: &writer)
        }
        return true
    }

    /// The index of a value that stands in the document just as a hit keeps it; nil when it has to be made.
    fileprivate func finishedIndex(of value: MappedValue) -> Int? {
        switch value {
        case .clean(let index): return index
        case .written(let index):
            switch document.kind(at: index) {
            case .number, .bool: return index
            case .string:
                let isPlain =
                    !document.hasEscapes(at: index)
                    && document.withBytes(at: index) {
                        PlainRun.isAll(of: $0, markup: .none, bytesMax: TextLimits.extraBytesMax)
                    }
                return isPlain ? index : nil
            case .array, .null, .object: return nil
            }
        case .text, .number, .bool, .date, .plain, .list: return nil
        }
    }

    private mutating func writeCleaned(_ value: MappedValue, to writer: inout JSONWriter) -> Bool {
        guard let cleaned = cleaned(value, .none, withMarks: false) else { return false }
        return write(cleaned, to: &writer)
    }

    private mutating func writeList(_ list: MappedValue, to writer: inout JSONWriter) -> Bool {
        let start = writer.mark
        var isEmpty = true
        writer.array { writer in
            forEach(list, countMax: TextLimits.listCountMax) { element, space in
                if space.write(element, to: &writer) { isEmpty = false }
                return true
            }
        }
        if isEmpty { writer.takeBack(to: start) }
        return !isEmpty
    }
}
