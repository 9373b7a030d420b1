import JSON
import SearchModel

/// What the fields of a hit make of a rule's value.
extension Rules {
    /// Plain text; a list is joined by commas.
    func text(_ rule: RuleTables.Rule, _ space: inout MappingContext, bytesMax: Int) -> PlainText? {
        if let shortcut = rule.shortcut,
            let place = space.string(at: rule.slot) ?? (shortcut.isNothing ? space.onlyString(at: rule.slot) : nil),
            let plain = shortcut.text(at: place, &space, bytesMax: bytesMax)
        {
            return plain.unlessEmpty
        }
        if let joined = rule.joined, let plain = text(joined, &space, bytesMax: bytesMax) { return plain.unlessEmpty }
        guard var value = value(rule, &space) else { return nil }
        if value.isList(in: space.document) { value = space.joined(value, by: ", ".utf8.span, withEmpty: true) }
        var marks: [Range<Int>]?
        switch value {
        case .plain(_, let range): marks = Array(space.marks[range])
        case .clean: marks = []
        case .written, .text, .number, .bool, .date, .list: break
        }
        let plain = space.withText(of: value) { text, space in
            guard let marks else { return space.cleaner.clean(text, markup: .none, bytesMax: bytesMax) }
            let plain = PlainText(text: String(validated: text), marks: marks)
            return text.count <= bytesMax ? plain : plain.cut(bytesMax: bytesMax)
        }
        return plain?.unlessEmpty
    }

    /// The texts at several places joined; nil when one of them is no string that is plain as it stands, or none is there.
    private func text(_ joined: RuleTables.Joined, _ space: inout MappingContext, bytesMax: Int) -> PlainText? {
        let document = space.document
        let texts = tables.bytes
        return space.withRoom { room, space in
            for index in joined.paths {
                guard let place = space.place(at: tables.paths[index].slot) else { continue }
                guard document.kind(at: place) == .string, Shortcut.isPlainString(place, in: document) else {
                    return nil
                }
                if !room.isEmpty { room.append(texts.span.extracting(joined.separator)) }
                document.withBytes(at: place) { room.append($0) }
            }
            return room.isEmpty ? nil : space.cleaner.clean(room.span, markup: .none, bytesMax: bytesMax)
        }
    }

    /// A web address; of a list the first.
    func address(_ rule: RuleTables.Rule, _ space: inout MappingContext) -> String? {
        if let shortcut = rule.shortcut, let place = space.string(at: rule.slot),
            let address = shortcut.address(at: place, &space, tables)
        {
            return address
        }
        guard let value = value(rule, &space) else { return nil }
        return space.withText(of: space.first(of: value)) { text, _ in
            let written = String(validated: text)
            return WebAddress.isClean(text) ? written : WebAddress(written)?.text
        } ?? nil
    }

    /// A date; one that no step has read is read as ISO 8601.
    func date(_ rule: RuleTables.Rule, _ space: inout MappingContext) -> PublishedDate? {
        if let shortcut = rule.shortcut, let place = space.string(at: rule.slot),
            let date = shortcut.date(at: place, in: space.document)
        {
            return date
        }
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
        if let shortcut = rule.shortcut, let place = space.place(at: rule.slot) {
            let document = space.document
            if shortcut.isReady(place, in: document, tables) {
                document.withWritten(at: place) { writer.rawMember(name, $0) }
                return true
            }
            if shortcut.isReadyInLowercase(place, in: document, tables) {
                space.withRoom { room, _ in
                    document.withWritten(at: place) { text in
                        room.append(addingCapacity: text.count) { $0.appendLowered(text) }
                    }
                    writer.rawMember(name, room.span)
                }
                return true
            }
        }
        guard let value = value(rule, &space) else { return false }
        let start = writer.mark
        writer.rawName(name)
        if space.write(value, to: &writer) { return true }
        writer.takeBack(to: start)
        return false
    }
}

extension MappingContext {
    /// Writes a value, its texts cleaned; false, and nothing is written, when nothing is left of it.
    fileprivate mutating func write(_ value: MappedValue, to writer: inout JSONWriter) -> Bool {
        switch value {
        case .number(let range): writer.raw(made.span.extracting(range))
        case .bool(let bool): writer.bool(bool)
        case .date(let date): date.withText { writer.string($0) }
        case .plain(let range, _): writer.string(made.span.extracting(range))
        case .clean(let place): document.withWritten(at: place) { writer.raw($0) }
        case .list: return writeList(value, to: &writer)
        case .text: return writeCleaned(value, to: &writer)
        case .written(let place):
            switch document.kind(at: place) {
            case .array: return writeList(value, to: &writer)
            case .string where Shortcut.isPlainString(place, in: document):
                document.withWritten(at: place) { writer.raw($0) }
            case .string: return writeCleaned(value, to: &writer)
            case .number, .bool, .null, .object: document.withWritten(at: place) { writer.raw($0) }
            }
        }
        return true
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
