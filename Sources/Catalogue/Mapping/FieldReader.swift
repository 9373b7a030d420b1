import JSON
import SearchModel

/// The value of a field while its steps are applied.
enum MappedValue: Sendable {
    /// A string, number or truth value of the document by its index, or an array that holds one.
    case written(Int)
    /// A text that may need cleaning.
    case text(String)
    /// Plain text, never empty.
    case plain(PlainText)
    /// A web address that is plain text as it is.
    case address(String)
    case number(JSONNumber)
    case bool(Bool)
    case date(PublishedDate)
    /// Elements, none of them a list; never empty.
    case list([MappedValue])
}

/// Applies the rules of a source to one element of a document after another.
///
/// A document's values stay where they are until a step makes something of them.
struct FieldReader {
    let document: JSONView
    /// The index of the element that the rules are applied to.
    var element = 0

    init(_ document: JSONView) {
        self.document = document
    }

    // MARK: Rules

    /// The value of the first alternative that has one; an empty text is how sources write that there is none.
    func value(_ rule: Rule) -> MappedValue? {
        // Loops by index copy no array.
        for index in rule.alternatives.indices {
            if let value = value(rule.alternatives[index]) { return value }
        }
        return nil
    }

    private func value(_ alternative: Rule.Alternative) -> MappedValue? {
        guard var value = start(alternative.origin) else { return nil }
        for index in alternative.steps.indices {
            guard let next = alternative.steps[index].apply(value, self) else { return nil }
            value = next
        }
        return isEmptyText(value) ? nil : value
    }

    private func start(_ origin: Rule.Origin) -> MappedValue? {
        switch origin {
        case .path(let path): return value(path)
        case .constant(let constant): return constant
        case .paths(let paths):
            var elements: [MappedValue] = []
            for path in paths {
                if let value = value(path), !isEmptyText(value) { elements += self.elements(of: value) }
            }
            return elements.isEmpty ? nil : .list(elements)
        }
    }

    /// What a path leads to; several values make a list.
    func value(_ path: FieldPath) -> MappedValue? {
        guard path.isMany else { return path.first(from: element, of: document).flatMap(value) }
        var elements: [MappedValue] = []
        path.forEach(from: element, of: document) { index in
            if let value = value(at: index) { elements += self.elements(of: value) }
        }
        return elements.isEmpty ? nil : .list(elements)
    }

    /// A scalar or an array that holds one; nil for null, an object, an array of nothing else.
    private func value(at index: Int) -> MappedValue? {
        switch document.kind(at: index) {
        case .string, .number, .bool: .written(index)
        case .array: edge(of: index, isLast: false) == nil ? nil : .written(index)
        case .null, .object: nil
        }
    }

    func isEmptyText(_ value: MappedValue) -> Bool {
        switch value {
        case .text(let text): text.isEmpty
        case .written(let index): document.kind(at: index) == .string && document.range(at: index).count == 2
        default: false
        }
    }

    // MARK: Lists

    func isList(_ value: MappedValue) -> Bool {
        switch value {
        case .list: true
        case .written(let index): document.kind(at: index) == .array
        default: false
        }
    }

    /// Visits the first elements of a list, or the value alone, until `body` returns false.
    private func forEachElement(of value: MappedValue, countMax: Int = .max, _ body: (MappedValue) -> Bool) {
        switch value {
        case .list(let elements):
            for element in elements.prefix(countMax) where !body(element) { return }
        case .written(let array) where document.kind(at: array) == .array:
            var count = 0
            document.forEachElement(of: array) { element in
                guard isScalar(element) else { return true }
                count += 1
                return body(.written(element)) && count < countMax
            }
        default: _ = body(value)
        }
    }

    /// The first elements of a list, or the value alone.
    func elements(of value: MappedValue, countMax: Int = .max) -> [MappedValue] {
        if case .list(let elements) = value, elements.count <= countMax { return elements }
        var elements: [MappedValue] = []
        forEachElement(of: value, countMax: countMax) { element in
            elements.append(element)
            return true
        }
        return elements
    }

    /// The first or the last of a list, or the value.
    func edge(of value: MappedValue, isLast: Bool = false) -> MappedValue {
        switch value {
        case .list(let elements): (isLast ? elements.last : elements.first) ?? value
        case .written(let index): edge(of: index, isLast: isLast).map(MappedValue.written) ?? value
        default: value
        }
    }

    /// The first or the last scalar of an array; nil when there is none.
    private func edge(of array: Int, isLast: Bool) -> Int? {
        var found: Int?
        document.forEachElement(of: array) { element in
            if isScalar(element) { found = element }
            return isLast || found == nil
        }
        return found
    }

    private func isScalar(_ index: Int) -> Bool {
        switch document.kind(at: index) {
        case .string, .number, .bool: true
        case .null, .array, .object: false
        }
    }

    // MARK: Texts

    /// Lends the text of a scalar for a call; nil for a list.
    func withText<Result>(of value: MappedValue, _ body: (Span<UInt8>) -> Result) -> Result? {
        switch value {
        case .written(let index): return document.withScalarText(at: index, body)
        case .text(let text), .address(let text): return body(text.utf8.span)
        case .plain(let plain): return body(plain.text.utf8.span)
        case .number(let number): return body(number.text.utf8.span)
        case .bool(let bool): return body((bool ? "true" : "false").utf8.span)
        case .date(let date): return date.withText(body)
        case .list: return nil
        }
    }

    /// The text of a scalar; nil for a list.
    func string(of value: MappedValue) -> String? {
        switch value {
        case .text(let text), .address(let text): text
        case .plain(let plain): plain.text
        default: withText(of: value) { String(validated: $0) }
        }
    }

    /// The text of a scalar as plain text; nil for a list.
    func clean(_ value: MappedValue, _ markup: TextCleaner.Markup, bytesMax: Int) -> PlainText? {
        if case .text(let text) = value, TextCleaner.isPlain(text.utf8.span, markup: markup, bytesMax: bytesMax) {
            return PlainText(text: text)
        }
        return withText(of: value) { TextCleaner.clean($0, markup: markup, bytesMax: bytesMax) }
    }

    /// The plain text of a scalar with the marks of an earlier step; text that no step has cleaned is cleaned.
    func plainText(of value: MappedValue, bytesMax: Int) -> PlainText? {
        switch value {
        case .plain(let plain): plain.cut(bytesMax: bytesMax)
        case .address(let text): PlainText(text: text).cut(bytesMax: bytesMax)
        default: clean(value, .none, bytesMax: bytesMax)
        }
    }

    /// Whether the string at an index is plain text as it is written, which a hit can keep.
    private func isPlain(at index: Int) -> Bool {
        !document.hasEscapes(at: index) && document.range(at: index).count > 2
            && document.withBytes(at: index) {
                TextCleaner.isPlain($0, markup: .none, bytesMax: TextLimits.extraBytesMax)
            }
    }
}

/// What the fields of a hit make of a rule's value.
extension FieldReader {
    /// Plain text; a list is joined by commas.
    func text(_ rule: Rule?, bytesMax: Int) -> PlainText? {
        guard let rule, var value = value(rule) else { return nil }
        if isList(value) { value = joined(value, by: ", ", withEmpty: true) }
        return plainText(of: value, bytesMax: bytesMax)?.unlessEmpty
    }

    /// A web address; of a list the first.
    func address(_ rule: Rule?) -> String? {
        guard let rule, let value = value(rule) else { return nil }
        let first = edge(of: value)
        if case .address(let address) = first { return address }
        guard let written = string(of: first) else { return nil }
        return WebAddress.isClean(written.utf8.span) ? written : WebAddress(written)?.text
    }

    /// A date; one that no step has read is read as ISO 8601.
    func date(_ rule: Rule?) -> PublishedDate? {
        guard let rule, let value = value(rule) else { return nil }
        if case .date(let date) = value { return date }
        return withText(of: value) { DateFormat.iso.read($0, zone: 0) } ?? nil
    }

    /// The extra fields that have a value as a JSON object, their texts cleaned; empty when none has one.
    ///
    /// The writer's memory is used for one hit after another; what is returned is no larger than necessary.
    func extraText(_ fields: [HitShape.Extra], _ writer: inout JSONWriter) -> [UInt8] {
        writer.removeAll()
        var isEmpty = true
        writer.object { writer in
            for index in fields.indices {
                let field = fields[index]
                guard let value = value(field.rule) else { continue }
                let start = writer.mark
                let name = field.written
                writer.rawName(name.span)
                if write(value, to: &writer) { isEmpty = false } else { writer.takeBack(to: start) }
            }
        }
        return isEmpty ? [] : Array(writer.bytes[...])
    }

    /// Writes a value; returns false, and writes nothing, when nothing is left of it.
    private func write(_ value: MappedValue, to writer: inout JSONWriter) -> Bool {
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
    private func writeTexts(_ value: MappedValue, to writer: inout JSONWriter) -> Bool {
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
            forEachElement(of: value, countMax: TextLimits.listCountMax) { element in
                if write(element, to: &writer) { isEmpty = false }
                return true
            }
        }
        if isEmpty { writer.takeBack(to: start) }
        return !isEmpty
    }
}

/// What steps make of a value.
extension FieldReader {
    func plain(_ value: MappedValue, _ markup: TextCleaner.Markup, hasMarks: Bool) -> PlainText? {
        guard var plain = clean(value, markup, bytesMax: TextLimits.extraBytesMax)?.unlessEmpty else { return nil }
        if !hasMarks { plain.marks = [] }
        return plain
    }

    /// The texts of a list joined, or the text of the value.
    func joined(_ value: MappedValue, by separator: String, withEmpty: Bool) -> MappedValue {
        var texts: [String] = []
        forEachElement(of: value) { element in
            if let text = string(of: element), withEmpty || !text.isEmpty { texts.append(text) }
            return true
        }
        return .text(texts.count == 1 ? texts[0] : texts.joined(separator: separator))
    }

    /// The pieces between the separators, empty ones left out.
    func split(_ value: MappedValue, by separator: String) -> MappedValue? {
        let pieces = withText(of: value) { text in
            var pieces: [MappedValue] = []
            var start = 0
            while start <= text.count, pieces.count < TextLimits.listCountMax {
                let end = text.index(of: separator.utf8.span, from: start) ?? text.count
                if end > start { pieces.append(.text(String(validated: text.extracting(start..<end)))) }
                start = end + separator.utf8.count
            }
            return pieces
        }
        return pieces.flatMap { $0.isEmpty ? nil : .list($0) }
    }

    /// What is found first in the texts of a list, or in the text of the value.
    func firstText(of value: MappedValue, _ find: (Span<UInt8>) -> String?) -> String? {
        var found: String?
        forEachElement(of: value) { element in
            found = withText(of: element, find) ?? nil
            return found == nil
        }
        return found
    }

    /// The number that a value is or spells, also with blanks and the commas between thousands.
    func number(of value: MappedValue) -> JSONNumber? {
        if case .number(let number) = value { return number }
        guard let text = string(of: value) else { return nil }
        if case .written(let index) = value, document.kind(at: index) == .number {
            return JSONNumber(validatedText: text)
        }
        if let integer = Int(text) { return JSONNumber(integer) }
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ",") }
        let trimmed = String(decoding: digits, as: UTF8.self)
        if let integer = Int(trimmed) { return JSONNumber(integer) }
        // No letter is part of a number.
        guard digits.allSatisfy({ $0 < 0x3A }) else { return nil }
        return Double(trimmed).flatMap { JSONNumber($0) }
    }

    func bool(of value: MappedValue) -> Bool? {
        switch withText(of: value, { $0.count <= 5 ? String(validated: $0).lowercased() : "" }) {
        case "true", "1", "yes", "y": true
        case "false", "0", "no", "n": false
        default: nil
        }
    }

    /// The text with marks where a highlighted text has the same words between `<em>` and `</em>`; unchanged when it
    /// has none.
    func marked(_ value: MappedValue, by highlight: MappedValue?) -> MappedValue? {
        guard let highlight, let written = withText(of: highlight, { text in Self.markedWords(in: text) }),
            var plain = plainText(of: value, bytesMax: TextLimits.extraBytesMax)
        else { return value }
        let words = written.compactMap { clean(.text($0), .entities, bytesMax: TextLimits.titleBytesMax)?.unlessEmpty }
        plain.mark(words.map(\.text))
        return .plain(plain)
    }

    /// What is between `<em>` and `</em>`, in order.
    private static func markedWords(in text: Span<UInt8>) -> [String] {
        let (open, close) = ("<em>".utf8.span, "</em>".utf8.span)
        var words: [String] = []
        var rest = 0
        while words.count < TextLimits.marksCountMax, let found = text.index(of: open, from: rest),
            let end = text.index(of: close, from: found + open.count)
        {
            words.append(String(validated: text.extracting(found + open.count..<end)))
            rest = end + close.count
        }
        return words
    }
}
