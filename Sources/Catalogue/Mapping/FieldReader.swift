import JSON
import SearchModel

/// The value of a field while its steps are applied.
enum MappedValue: Sendable {
    /// The index of a string, number or boolean in the document, or of an array that contains such a value.
    case written(Int)
    case text(String)
    case plain(PlainText)
    case address(String)
    case number(JSONNumber)
    case bool(Bool)
    case date(PublishedDate)
    /// A list of single values; never empty.
    case list([MappedValue])
}

/// Applies the rules of a source to one document.
struct FieldReader {
    let document: JSONView
    let names: NameTree
    private(set) var values: [Int] = []

    mutating func read(_ element: Int) { names.find(&values, in: element, of: document) }

    /// An empty text counts as missing.
    func value(_ rule: Rule) -> MappedValue? {
        // A loop over the alternatives would copy the array.
        for index in rule.alternatives.indices {
            if let value = value(rule.alternatives[index]) { return value }
        }
        return nil
    }

    private func value(_ alternative: Rule.Alternative) -> MappedValue? {
        guard var value = start(alternative) else { return nil }
        for index in alternative.steps.indices {
            guard let next = alternative.steps[index].apply(value, self) else { return nil }
            value = next
        }
        return isEmptyText(value) ? nil : value
    }

    private func start(_ alternative: Rule.Alternative) -> MappedValue? {
        if alternative.paths.count == 1 { return value(alternative.paths[0]) }
        var elements: [MappedValue] = []
        for path in alternative.paths {
            if let value = value(path), !isEmptyText(value) { elements += self.elements(of: value) }
        }
        return elements.isEmpty ? alternative.constant : .list(elements)
    }

    func value(_ path: FieldPath) -> MappedValue? {
        let start = values[path.node ?? 0]
        guard start >= 0 else { return nil }
        guard path.isMany else {
            guard let index = path.first(from: start, of: document) else { return nil }
            return value(at: index)
        }
        var elements: [MappedValue] = []
        path.forEach(from: start, of: document) { index in
            if let value = value(at: index) { elements += self.elements(of: value) }
        }
        return elements.isEmpty ? nil : .list(elements)
    }

    private func value(at index: Int) -> MappedValue? {
        isScalar(index) || hasScalar(index) ? .written(index) : nil
    }

    func isEmptyText(_ value: MappedValue) -> Bool {
        switch value {
        case .text(let text): text.isEmpty
        case .written(let index): document.kind(at: index) == .string && document.range(at: index).count == 2
        default: false
        }
    }

    func isList(_ value: MappedValue) -> Bool {
        switch value {
        case .list: true
        case .written(let index): document.kind(at: index) == .array
        default: false
        }
    }

    /// Stops when `body` returns false.
    func forEachElement(of value: MappedValue, _ body: (MappedValue) -> Bool) {
        switch value {
        case .list(let elements):
            for element in elements where !body(element) { return }
        case .written(let array) where document.kind(at: array) == .array:
            document.forEachElement(of: array) { !isScalar($0) || body(.written($0)) }
        default: _ = body(value)
        }
    }

    func elements(of value: MappedValue, countMax: Int = .max) -> [MappedValue] {
        if case .list(let elements) = value, elements.count <= countMax { return elements }
        var elements: [MappedValue] = []
        forEachElement(of: value) { element in
            elements.append(element)
            return elements.count < countMax
        }
        return elements
    }

    func edge(of value: MappedValue, isLast: Bool = false) -> MappedValue {
        isList(value) ? elements(of: value, countMax: isLast ? .max : 1).last ?? value : value
    }

    private func hasScalar(_ array: Int) -> Bool {
        var found = false
        document.forEachElement(of: array) { element in
            found = isScalar(element)
            return !found
        }
        return found
    }

    private func isScalar(_ index: Int) -> Bool {
        switch document.kind(at: index) {
        case .string, .number, .bool: true
        case .null, .array, .object: false
        }
    }

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

    func string(of value: MappedValue) -> String? {
        switch value {
        case .text(let text), .address(let text): text
        case .plain(let plain): plain.text
        default: withText(of: value) { String(validated: $0) }
        }
    }

    func clean(_ value: MappedValue, _ markup: TextCleaner.Markup, bytesMax: Int) -> PlainText? {
        if case .text(let text) = value, TextCleaner.isPlain(text.utf8.span, markup: markup, bytesMax: bytesMax) {
            return PlainText(text: text)
        }
        return withText(of: value) { TextCleaner.clean($0, markup: markup, bytesMax: bytesMax) }
    }

    func plainText(of value: MappedValue, bytesMax: Int) -> PlainText? {
        switch value {
        case .plain(let plain): plain.cut(bytesMax: bytesMax)
        case .address(let text): PlainText(text: text).cut(bytesMax: bytesMax)
        default: clean(value, .none, bytesMax: bytesMax)
        }
    }

    private func isPlain(at index: Int) -> Bool {
        !document.hasEscapes(at: index) && document.range(at: index).count > 2
            && document.withBytes(at: index) {
                TextCleaner.isPlain($0, markup: .none, bytesMax: TextLimits.extraBytesMax)
            }
    }

    func text(_ rule: Rule?, bytesMax: Int) -> PlainText? {
        guard let rule, var value = value(rule) else { return nil }
        if isList(value) { value = joined(value, by: ", ", withEmpty: true) }
        return plainText(of: value, bytesMax: bytesMax)?.unlessEmpty
    }

    func address(_ rule: Rule?) -> String? {
        guard let rule, let value = value(rule) else { return nil }
        let first = edge(of: value)
        if case .address(let address) = first { return address }
        guard let written = string(of: first) else { return nil }
        return WebAddress.isClean(written.utf8.span) ? written : WebAddress(written)?.text
    }

    func date(_ rule: Rule?) -> PublishedDate? {
        guard let rule, let value = value(rule) else { return nil }
        if case .date(let date) = value { return date }
        return withText(of: value) { DateFormat.iso.read($0, zone: 0) } ?? nil
    }

    /// Returns a JSON object, or empty bytes if no field has a value.
    func extraText(_ fields: [HitShape.Extra], _ writer: inout JSONWriter) -> [UInt8] {
        writer.removeAll()
        var isEmpty = true
        writer.object { writer in
            for index in fields.indices {
                guard let value = value(fields[index].rule) else { continue }
                let start = writer.mark
                let name = fields[index].written
                writer.rawName(name.span)
                if write(value, to: &writer) { isEmpty = false } else { writer.truncate(to: start) }
            }
        }
        return isEmpty ? [] : Array(writer.bytes[...])
    }

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
            var count = 0
            forEachElement(of: value) { element in
                if write(element, to: &writer) { isEmpty = false }
                count += 1
                return count < TextLimits.listCountMax
            }
        }
        if isEmpty { writer.truncate(to: start) }
        return !isEmpty
    }

    func joined(_ value: MappedValue, by separator: String, withEmpty: Bool) -> MappedValue {
        var texts: [String] = []
        forEachElement(of: value) { element in
            if let text = string(of: element), withEmpty || !text.isEmpty { texts.append(text) }
            return true
        }
        return .text(texts.count == 1 ? texts[0] : texts.joined(separator: separator))
    }

    func split(_ value: MappedValue, by separator: String, countMax: Int = TextLimits.listCountMax) -> MappedValue? {
        let pieces = withText(of: value) { text in
            var pieces: [MappedValue] = []
            var start = 0
            while start <= text.count, pieces.count < countMax {
                let end = text.index(of: separator.utf8.span, from: start) ?? text.count
                if end > start { pieces.append(.text(String(validated: text.extracting(start..<end)))) }
                start = end + separator.utf8.count
            }
            return pieces
        }
        return pieces.flatMap { $0.isEmpty ? nil : .list($0) }
    }

    /// Ignores spaces and commas in a text.
    func number(of value: MappedValue) -> JSONNumber? {
        if case .number(let number) = value { return number }
        guard let text = string(of: value) else { return nil }
        if case .written(let index) = value, document.kind(at: index) == .number {
            return JSONNumber(validatedText: text)
        }
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ",") }
        let trimmed = String(decoding: digits, as: UTF8.self)
        if let integer = Int(trimmed) { return JSONNumber(integer) }
        // Double would also accept texts such as `nan` and `1e5`.
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

    /// Marks the words that are between `<em>` and `</em>` in `highlight`.
    func marked(_ value: MappedValue, by highlight: MappedValue?) -> MappedValue? {
        guard let highlight, let pieces = split(highlight, by: "<em>", countMax: TextLimits.marksCountMax),
            var plain = plainText(of: value, bytesMax: TextLimits.extraBytesMax)
        else { return value }
        let words = elements(of: pieces).compactMap { piece in
            withText(of: piece) { text in
                text.index(of: "</em>".utf8.span).map { end in
                    TextCleaner.clean(text.extracting(..<end), markup: .entities, bytesMax: TextLimits.titleBytesMax)
                }
            }
        }
        plain.mark(words.compactMap { $0?.unlessEmpty?.text })
        return .plain(plain)
    }
}
