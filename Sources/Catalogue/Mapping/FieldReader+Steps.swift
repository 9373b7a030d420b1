import JSON
import SearchModel

/// What each step makes of a value.
extension FieldReader {
    /// The value after a step; nil when the step cannot take it.
    mutating func applied(_ step: Step, to value: MappedValue) -> MappedValue? {
        switch step {
        case .join(let separator):
            let joined = joined(value, by: separator, withEmpty: false)
            return isEmptyText(joined) ? nil : joined
        case .first: return edge(of: value)
        case .last: return edge(of: value, isLast: true)
        case .limit(let count): return .list(elements(of: value, countMax: count))
        case .split(let separator): return split(value, by: separator)
        case .isbn10: return firstText(of: value, ISBN.ten)
        case .isbn13: return firstText(of: value, ISBN.thirteen)
        case .marks(let path): return marked(value, by: self.value(path))
        default: break
        }
        guard isList(value) else { return appliedToOne(step, value) }
        var elements: [MappedValue] = []
        for element in self.elements(of: value, countMax: TextLimits.listCountMax) {
            if let one = appliedToOne(step, element) { elements.append(one) }
        }
        return elements.isEmpty ? nil : .list(elements)
    }

    private mutating func appliedToOne(_ step: Step, _ value: MappedValue) -> MappedValue? {
        switch step {
        case .html(let hasMarks): return plain(value, .html, hasMarks: hasMarks)
        case .entities: return plain(value, .entities)
        case .clean: return plain(value, .none)
        case .number: return number(of: value)
        case .divide(let divisor, let whole): return divided(value, by: divisor, whole: whole)
        case .within(let range):
            guard let number = number(of: value), let text = string(of: number) else { return nil }
            return range.contains(Double(text) ?? .nan) ? number : nil
        case .bool: return bool(value)
        case .omit(let texts):
            let isOmitted = withText(of: value) { text in texts.contains { text.isSame(as: $0.utf8.span) } }
            return isOmitted ?? false ? nil : value
        case .map(let entries, let keepsOthers):
            let entry = withText(of: value) { text in entries.first { text.isSame(as: $0.from.utf8.span) } } ?? nil
            return entry.map { .text($0.to) } ?? (keepsOthers ? value : nil)
        case .date(let format, let zone, let precision):
            let date = withText(of: value) { format.read($0, zone: zone) } ?? nil
            return date.map { .date($0.coarsened(to: precision)) }
        case .url(let base): return address(value, against: base)
        case .secure:
            let isInsecure = withText(of: value) { $0.begins(with: "http://".utf8.span) } ?? false
            guard isInsecure else { return text(of: value) }
            return withText(of: value) { .text("https" + String(validated: $0.extracting(4...))) }
        case .lowercase: return string(of: value).map { .text($0.lowercased()) }
        case .uppercase: return string(of: value).map { .text($0.uppercased()) }
        default: return (withText(of: value) { Self.made(step, $0) } ?? nil).map(MappedValue.text)
        }
    }

    /// What a step makes of a text; nil when it cannot take it.
    private static func made(_ step: Step, _ text: Span<UInt8>) -> String? {
        switch step {
        case .format(let before, let after):
            guard !text.isEmpty else { return nil }
            var made = ""
            made.reserveCapacity(before.utf8.count + text.count + after.utf8.count)
            made += before
            made += String(validated: text)
            made += after
            return made
        case .encode: return URLReference.encodedPath(text)
        case .queryItem(let name): return URLReference.queryItem(name.utf8.span, of: text)
        case .replace(let old, let new): return replaced(old.utf8.span, with: new.utf8.span, in: text)
        case .scheme:
            guard !text.isEmpty else { return nil }
            let hasScheme = text.index(of: "://".utf8.span) != nil
            return WebAddress((hasScheme ? "" : "https://") + String(validated: text))?.text
        case .after(let mark):
            return text.index(of: mark.utf8.span).map { String(validated: text.extracting(($0 + mark.utf8.count)...)) }
        case .before(let mark):
            return text.index(of: mark.utf8.span).map { String(validated: text.extracting(..<$0)) }
        case .trimPrefix(let prefix):
            let start = text.begins(with: prefix.utf8.span) ? prefix.utf8.count : 0
            return String(validated: text.extracting(start...))
        case .trimSuffix(let suffix):
            let end = text.ends(with: suffix.utf8.span) ? text.count - suffix.utf8.count : text.count
            return String(validated: text.extracting(..<end))
        default: return nil
        }
    }

    private static func replaced(_ old: Span<UInt8>, with new: Span<UInt8>, in text: Span<UInt8>) -> String {
        var replaced: [UInt8] = []
        var start = 0
        while let end = text.index(of: old, from: start) {
            replaced.append(text.extracting(start..<end))
            replaced.append(new)
            start = end + old.count
        }
        replaced.append(text.extracting(start...))
        return String(validated: replaced.span)
    }

    // MARK: Texts

    private mutating func plain(_ value: MappedValue, _ markup: TextCleaner.Markup, hasMarks: Bool = false)
        -> MappedValue?
    {
        guard var plain = clean(value, markup, bytesMax: TextLimits.extraBytesMax)?.unlessEmpty else { return nil }
        if !hasMarks { plain.marks = [] }
        return .plain(plain)
    }

    /// The same scalar as a text; nil for a list.
    private mutating func text(of value: MappedValue) -> MappedValue? {
        if case .written(let index) = value, document.kind(at: index) == .string { return value }
        return string(of: value).map(MappedValue.text)
    }

    /// The texts of a list joined, or the text of the value.
    mutating func joined(_ value: MappedValue, by separator: String, withEmpty: Bool) -> MappedValue {
        let elements = elements(of: value)
        if elements.count == 1, let text = text(of: elements[0]) { return text }
        var texts: [String] = []
        for element in elements {
            if let text = string(of: element), withEmpty || !text.isEmpty { texts.append(text) }
        }
        return .text(texts.joined(separator: separator))
    }

    /// The pieces between the separators, empty ones left out.
    private mutating func split(_ value: MappedValue, by separator: String) -> MappedValue? {
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

    private mutating func firstText(of value: MappedValue, _ find: (Span<UInt8>) -> String?) -> MappedValue? {
        var found: String?
        if case .written(let array) = value, document.kind(at: array) == .array {
            // Lists of numbers are long.
            let document = document
            document.forEachElement(of: array) { element in
                found = withText(of: .written(element), find) ?? nil
                return found == nil
            }
        } else {
            for element in elements(of: value) where found == nil { found = withText(of: element, find) ?? nil }
        }
        return found.map { .plain(PlainText(text: $0)) }
    }

    /// A checked web address, a relative one resolved against a base.
    private mutating func address(_ value: MappedValue, against base: String) -> MappedValue? {
        withText(of: value) { text in
            if WebAddress.isClean(text) { return .address(String(validated: text)) }
            let resolved = URLReference.resolved(text, against: base.utf8.span)
            if WebAddress.isClean(resolved.utf8.span) { return .address(resolved) }
            return WebAddress(resolved).map { .text($0.text) }
        } ?? nil
    }

    // MARK: Numbers and truth values

    /// The number that a value is or spells, also with blanks and the commas between thousands.
    private mutating func number(of value: MappedValue) -> MappedValue? {
        switch value {
        case .number: return value
        case .written(let index) where document.kind(at: index) == .number: return value
        default: break
        }
        guard let text = string(of: value) else { return nil }
        if let integer = Int(text) { return .number(JSONNumber(integer)) }
        let digits = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ",") }
        let trimmed = String(decoding: digits, as: UTF8.self)
        if let integer = Int(trimmed) { return .number(JSONNumber(integer)) }
        // No letter is part of a number.
        guard digits.allSatisfy({ $0 < 0x3A }) else { return nil }
        return Double(trimmed).flatMap { JSONNumber($0) }.map(MappedValue.number)
    }

    /// A quotient, with its fraction or rounded to a whole number.
    private mutating func divided(_ value: MappedValue, by divisor: Double, whole: Bool) -> MappedValue? {
        guard let value = number(of: value), let text = string(of: value) else { return nil }
        if whole {
            let divisor = max(1, Int(divisor))
            return Int(text).map { .number(JSONNumber($0 / divisor + ($0 % divisor) * 2 / divisor)) }
        }
        let quotient = (Double(text) ?? .nan) / divisor
        // There is only one zero.
        return JSONNumber(quotient == 0 ? 0 : quotient).map(MappedValue.number)
    }

    private mutating func bool(_ value: MappedValue) -> MappedValue? {
        if case .written(let index) = value, document.kind(at: index) == .bool { return value }
        let word = withText(of: value) { $0.count <= 5 ? String(validated: $0).lowercased() : "" }
        switch word {
        case "true", "1", "yes", "y": return .bool(true)
        case "false", "0", "no", "n": return .bool(false)
        default: return nil
        }
    }

    // MARK: Marks

    /// The text with the words marked that a highlighted text marks; unchanged when there is none.
    private mutating func marked(_ value: MappedValue, by highlight: MappedValue?) -> MappedValue? {
        guard let highlight, let written = withText(of: highlight, { text in Self.markedWords(in: text) }),
            var plain = plainText(of: value, bytesMax: TextLimits.extraBytesMax)
        else { return value }
        var words: [[UInt8]] = []
        for word in written {
            let text = clean(.text(word), .entities, bytesMax: TextLimits.titleBytesMax)?.text ?? ""
            if !text.isEmpty { words.append(Array(text.utf8)) }
        }
        plain.marks = Self.marks(of: words, in: plain.text.utf8.span)
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

    /// Where the words are in a text, one after the other, in scalars; a missing one is left out.
    private static func marks(of words: [[UInt8]], in text: Span<UInt8>) -> [Range<Int>] {
        var marks: [Range<Int>] = []
        var (offset, scalars) = (0, 0)
        for word in words {
            guard let start = text.index(of: word.span, from: offset) else { continue }
            scalars += text.scalarCount(in: offset..<start)
            let end = scalars + text.scalarCount(in: start..<start + word.count)
            if let last = marks.last, last.upperBound == scalars {
                marks[marks.count - 1] = last.lowerBound..<end
            } else {
                marks.append(scalars..<end)
            }
            (offset, scalars) = (start + word.count, end)
        }
        return marks
    }
}

extension PublishedDate {
    /// The same date, known no better than this.
    fileprivate func coarsened(to precision: Precision?) -> PublishedDate {
        guard let precision else { return self }
        return PublishedDate(epochSeconds: epochSeconds, offsetMinutes: offsetMinutes, precision: precision)
    }
}
