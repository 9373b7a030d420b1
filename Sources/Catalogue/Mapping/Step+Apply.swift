import HTTPMessage
import JSON
import SearchModel

extension Step {
    /// The value after this step; nil when the step has no answer for it.
    func applied(to value: MappedValue, in document: JSONView, cleaner: inout TextCleaner) -> MappedValue? {
        switch self {
        case .join(let separator):
            let texts = value.elements(in: document).compactMap { $0.text(in: document) }.filter { !$0.isEmpty }
            return texts.isEmpty ? nil : .text(texts.joined(separator: separator))
        case .first: return value.first(in: document)
        case .last: return value.last(in: document)
        case .limit(let count):
            if case .list(let elements) = value, elements.count <= count { return value }
            return MappedValue(list: value.elements(in: document, countMax: count), in: document)
        case .split(let separator):
            guard let text = value.text(in: document) else { return nil }
            return MappedValue(list: Self.pieces(of: text, by: separator), in: document)
        case .isbn10: return Self.firstText(of: value, in: document, &cleaner, ISBN.ten)
        case .isbn13: return Self.firstText(of: value, in: document, &cleaner, ISBN.thirteen)
        default: break
        }
        guard value.isList(in: document) else { return appliedToOne(value, in: document, cleaner: &cleaner) }
        var mapped: [MappedValue] = []
        value.forEach(in: document, countMax: TextLimits.listCountMax) { element in
            // One value of a list never becomes a list.
            if let one = appliedToOne(element, in: document, cleaner: &cleaner) { mapped.append(one) }
            return true
        }
        return mapped.isEmpty ? nil : .list(mapped)
    }

    private func appliedToOne(
        _ value: MappedValue,
        in document: JSONView,
        cleaner: inout TextCleaner
    ) -> MappedValue? {
        switch self {
        case .html(let marks): return Self.cleaned(value, in: document, .html, marks: marks, &cleaner)
        case .entities: return Self.cleaned(value, in: document, .entities, marks: false, &cleaner)
        case .clean: return Self.cleaned(value, in: document, .none, marks: false, &cleaner)
        case .number: return Self.number(value, in: document)
        case .divide(let divisor, let whole):
            return Self.number(of: value, in: document).flatMap { Self.divided($0, by: divisor, whole: whole) }
        case .within(let range):
            guard let number = Self.number(of: value, in: document), range.contains(number.double) else { return nil }
            return .number(number)
        case .bool: return Self.bool(value.text(in: document))
        case .omit(let texts): return value.text(in: document).map(texts.contains) ?? false ? nil : value
        case .map(let table, let others):
            guard let text = value.text(in: document) else { return nil }
            return table[text].map(MappedValue.text) ?? (others ? value : nil)
        case .date(let format, let zone, let precision):
            let date = cleaner.withText(of: value, in: document) { format.read($1, zone: zone) } ?? nil
            return date.map { .date($0.coarsened(to: precision)) }
        case .url(let base):
            if case .written = value, cleaner.withText(of: value, in: document, { WebAddress.isClean($1) }) ?? false {
                return value
            }
            guard let text = value.text(in: document) else { return nil }
            return WebAddress(URLReference.resolve(text, against: base)).map { .text($0.text) }
        default: return value.text(in: document).flatMap(appliedToText)
        }
    }

    private func appliedToText(_ text: String) -> MappedValue? {
        switch self {
        case .secure: return .text(Self.secured(text))
        case .scheme:
            guard !text.isEmpty else { return nil }
            return WebAddress(ByteText.before("://", in: text) == nil ? "https://" + text : text).map { .text($0.text) }
        case .format(let before, let after):
            guard !text.isEmpty else { return nil }
            return .text(after.isEmpty ? before + text : before + text + after)
        case .after(let mark): return ByteText.after(mark, in: text).map(MappedValue.text)
        case .before(let mark): return ByteText.before(mark, in: text).map(MappedValue.text)
        case .trimPrefix(let prefix): return .text(ByteText.withoutPrefix(prefix, text))
        case .trimSuffix(let suffix): return .text(ByteText.withoutSuffix(suffix, text))
        case .replace(let old, let new): return .text(ByteText.replacing(old, with: new, in: text))
        case .queryItem(let name): return URLReference.queryItem(name, of: text).map(MappedValue.text)
        case .encode: return .text(URLReference.encodedPath(text))
        case .lowercase: return .text(text.lowercased())
        case .uppercase: return .text(text.uppercased())
        default: return nil
        }
    }

    private static func cleaned(
        _ value: MappedValue,
        in document: JSONView,
        _ markup: TextCleaner.Markup,
        marks: Bool,
        _ cleaner: inout TextCleaner
    ) -> MappedValue? {
        var plain = cleaner.clean(value, in: document, markup: markup, bytesMax: TextLimits.extraBytesMax)
        guard !plain.text.isEmpty else { return nil }
        if !marks { plain.marks = [] }
        return .plain(plain)
    }

    /// The plain text of the HTML in the string at a place; nil when none is left.
    static func html(_ place: Int, in document: JSONView, marks: Bool, _ cleaner: inout TextCleaner) -> PlainText? {
        guard case .plain(let plain) = cleaned(.written(place), in: document, .html, marks: marks, &cleaner) else {
            return nil
        }
        return plain
    }

    /// The number a value is, as it is written, or the one it spells.
    private static func number(_ value: MappedValue, in document: JSONView) -> MappedValue? {
        if case .written(let place) = value, document.kind(at: place) == .number { return value }
        return number(of: value, in: document).map(MappedValue.number)
    }

    /// The number a value is or spells; numbers of JSON's grammar only.
    private static func number(of value: MappedValue, in document: JSONView) -> JSONNumber? {
        if case .number(let number) = value { return number }
        guard let text = value.text(in: document) else { return nil }
        if case .written(let place) = value, document.kind(at: place) == .number {
            return JSONNumber(validatedText: text)
        }
        if let integer = Int(text) { return JSONNumber(integer) }
        // Blanks and the commas between thousands go; no letter is part of a number.
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ",") }
        let trimmed = String(decoding: digits, as: UTF8.self)
        if let integer = Int(trimmed) { return JSONNumber(integer) }
        guard digits.allSatisfy({ $0 < 0x3A }), let double = Double(trimmed) else { return nil }
        return JSONNumber(double)
    }

    private static func divided(_ number: JSONNumber, by divisor: Double, whole: Bool) -> MappedValue? {
        if whole {
            let divisor = max(1, Int(divisor))
            return number.int.map { .number(JSONNumber($0 / divisor + ($0 % divisor) * 2 / divisor)) }
        }
        let quotient = number.double / divisor
        // A whole quotient stays a whole number.
        let text = String(quotient)
        if text.hasSuffix(".0"), let integer = Int(text.dropLast(2)) { return .number(JSONNumber(integer)) }
        return JSONNumber(quotient).map(MappedValue.number)
    }

    private static func secured(_ text: String) -> String {
        text.utf8.starts(with: "http://".utf8) ? "https" + ByteText.withoutPrefix("http", text) : text
    }

    private static func bool(_ text: String?) -> MappedValue? {
        switch text?.lowercased() {
        case "true", "1", "yes", "y": .bool(true)
        case "false", "0", "no", "n": .bool(false)
        default: nil
        }
    }

    private static func pieces(of text: String, by separator: String) -> [MappedValue] {
        ByteText.split(text, by: separator, countMax: TextLimits.listCountMax).map(MappedValue.text)
    }

    private static func firstText(
        of value: MappedValue,
        in document: JSONView,
        _ cleaner: inout TextCleaner,
        _ find: (Span<UInt8>) -> String?
    ) -> MappedValue? {
        var found: String?
        value.forEach(in: document) { element in
            found = cleaner.withText(of: element, in: document) { find($1) } ?? nil
            return found == nil
        }
        return found.map(MappedValue.text)
    }
}

extension PublishedDate {
    /// The same date, known no better than this.
    func coarsened(to precision: Precision?) -> PublishedDate {
        guard let precision else { return self }
        return PublishedDate(epochSeconds: epochSeconds, offsetMinutes: offsetMinutes, precision: precision)
    }
}
