import HTTPMessage
import JSON
import SearchModel

extension Step {
    /// The value after this step; nil when the step has no answer for it.
    func applied(to value: MappedValue, cleaner: inout TextCleaner) -> MappedValue? {
        switch self {
        case .join(let separator):
            let texts = value.elements.compactMap(\.text).filter { !$0.isEmpty }
            return texts.isEmpty ? nil : .text(texts.joined(separator: separator))
        case .first: return value.first
        case .last: return value.last
        case .limit(let count): return MappedValue(list: Array(value.elements.prefix(count)))
        case .split(let separator):
            return value.text.flatMap { MappedValue(list: Self.pieces(of: $0, by: separator)) }
        case .isbn10: return Self.firstText(of: value, ISBN.ten)
        case .isbn13: return Self.firstText(of: value, ISBN.thirteen)
        default: break
        }
        guard case .list(let elements) = value else { return appliedToOne(value, cleaner: &cleaner) }
        var mapped: [MappedValue] = []
        for element in elements.prefix(TextLimits.listCountMax) {
            if let one = appliedToOne(element, cleaner: &cleaner) { mapped.append(one) }
        }
        return MappedValue(list: mapped)
    }

    private func appliedToOne(_ value: MappedValue, cleaner: inout TextCleaner) -> MappedValue? {
        switch self {
        case .html(let marks): return cleaned(value, .html, marks: marks, &cleaner)
        case .entities: return cleaned(value, .entities, marks: false, &cleaner)
        case .clean: return cleaned(value, .none, marks: false, &cleaner)
        case .number: return Self.number(value).map(MappedValue.number)
        case .divide(let divisor, let whole): return Self.divided(value, by: divisor, whole: whole)
        case .within(let range):
            guard let number = Self.number(value), range.contains(number.double) else { return nil }
            return .number(number)
        case .bool: return Self.bool(value)
        case .omit(let texts): return value.text.map(texts.contains) ?? false ? nil : value
        case .map(let table, let others):
            guard let text = value.text else { return nil }
            return table[text].map(MappedValue.text) ?? (others ? value : nil)
        case .date(let format, let zone, let precision):
            guard let text = value.text, let date = format.read(text, zone: zone) else { return nil }
            return .date(date.coarsened(to: precision))
        default: return value.text.flatMap(appliedToText)
        }
    }

    private func appliedToText(_ text: String) -> MappedValue? {
        switch self {
        case .url(let base): return WebAddress(URLReference.resolve(text, against: base)).map { .text($0.text) }
        case .secure: return .text(Self.secured(text))
        case .scheme:
            guard !text.isEmpty else { return nil }
            return WebAddress(ByteText.before("://", in: text) == nil ? "https://" + text : text).map { .text($0.text) }
        case .format(let before, let after): return text.isEmpty ? nil : .text(before + text + after)
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

    private func cleaned(
        _ value: MappedValue,
        _ markup: TextCleaner.Markup,
        marks: Bool,
        _ cleaner: inout TextCleaner
    ) -> MappedValue? {
        var plain: PlainText
        if case .written(let cursor) = value, let bytes = cursor.plainBytes {
            plain = cleaner.clean(bytes.span, markup: markup, bytesMax: TextLimits.extraBytesMax)
        } else {
            guard let text = value.text else { return nil }
            plain = cleaner.clean(text.utf8.span, markup: markup, bytesMax: TextLimits.extraBytesMax)
        }
        guard !plain.text.isEmpty else { return nil }
        if !marks { plain.marks = [] }
        return .plain(plain)
    }

    /// The number a value is or spells; numbers of JSON's grammar only.
    private static func number(_ value: MappedValue) -> JSONNumber? {
        if case .number(let number) = value { return number }
        guard let text = value.text else { return nil }
        if let integer = Int(text) { return JSONNumber(integer) }
        // Blanks and the commas between thousands go; no letter is part of a number.
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ",") }
        let trimmed = String(decoding: digits, as: UTF8.self)
        if let integer = Int(trimmed) { return JSONNumber(integer) }
        guard digits.allSatisfy({ $0 < 0x3A }), let double = Double(trimmed) else { return nil }
        return JSONNumber(double)
    }

    private static func divided(_ value: MappedValue, by divisor: Double, whole: Bool) -> MappedValue? {
        guard let number = number(value) else { return nil }
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

    private static func bool(_ value: MappedValue) -> MappedValue? {
        switch value.text?.lowercased() {
        case "true", "1", "yes", "y": .bool(true)
        case "false", "0", "no", "n": .bool(false)
        default: nil
        }
    }

    private static func pieces(of text: String, by separator: String) -> [MappedValue] {
        ByteText.split(text, by: separator, countMax: TextLimits.listCountMax).map(MappedValue.text)
    }

    private static func firstText(of value: MappedValue, _ find: (String) -> String?) -> MappedValue? {
        for element in value.elements {
            if let text = element.text, let found = find(text) { return .text(found) }
        }
        return nil
    }
}

extension PublishedDate {
    /// The same date, known no better than this.
    fileprivate func coarsened(to precision: Precision?) -> PublishedDate {
        guard let precision else { return self }
        return PublishedDate(epochSeconds: epochSeconds, offsetMinutes: offsetMinutes, precision: precision)
    }
}
