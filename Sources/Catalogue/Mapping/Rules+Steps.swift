import JSON
import SearchModel

/// What each step makes of a value.
extension Rules {
    /// The value after a step; nil when the step has no answer for it.
    @inline(__always)
    func applied(_ step: Step, to value: MappedValue, _ context: inout MappingContext) -> MappedValue? {
        switch step {
        case .join(let separator):
            let texts = tables.bytes
            let joined = context.joined(value, by: texts.span.extracting(separator), withEmpty: false)
            return joined.isEmptyText(in: context.document) ? nil : joined
        case .first: return context.first(of: value)
        case .last: return context.last(of: value)
        case .limit(let count): return context.limited(value, to: count)
        case .split(let separator): return split(value, by: separator, &context)
        case .isbn10: return firstText(of: value, &context, ISBN.ten)
        case .isbn13: return firstText(of: value, &context, ISBN.thirteen)
        case .marks(let path): return marked(value, by: self.value(tables.paths[path], &context), &context)
        default: break
        }
        guard value.isList(in: context.document) else { return appliedToOne(step, value, &context) }
        let first = context.elements.count
        context.forEach(value, countMax: TextLimits.listCountMax) { element, context in
            // One value of a list never becomes a list.
            if let one = appliedToOne(step, element, &context) { context.elements.append(one) }
            return true
        }
        return context.list(from: first)
    }

    private func appliedToOne(_ step: Step, _ value: MappedValue, _ context: inout MappingContext) -> MappedValue? {
        switch step {
        case .html(let marks): return context.cleaned(value, .html, withMarks: marks)
        case .entities: return context.cleaned(value, .entities, withMarks: false)
        case .clean: return context.cleaned(value, .none, withMarks: false)
        case .number: return context.number(of: value)
        case .divide(let divisor, let whole): return context.divided(value, by: divisor, whole: whole)
        case .within(let range): return context.within(value, range)
        case .bool: return bool(value, &context)
        case .omit(let texts): return omitted(value, texts, &context) ? nil : value
        case .map(let entries, let others): return mapped(value, entries, &context) ?? (others ? value : nil)
        case .date(let format, let zone, let precision):
            let date = context.withText(of: value) { text, _ in format.read(text, zone: zone) } ?? nil
            return date.map { .date($0.coarsened(to: precision)) }
        case .url(let base): return address(value, against: base, &context)
        case .secure: return secured(value, &context)
        default: return context.made(from: value) { appliedToText(step, $0, &$1) }
        }
    }

    /// Appends what a step makes of a text; false when it has no answer for it.
    private func appliedToText(_ step: Step, _ text: Span<UInt8>, _ made: inout [UInt8]) -> Bool {
        let texts = tables.bytes
        let operands = texts.span
        switch step {
        case .format(let before, let after):
            made.append(operands.extracting(before))
            made.append(text)
            made.append(operands.extracting(after))
            return !text.isEmpty
        case .encode: URLReference.appendEncodedPath(text, to: &made)
        case .queryItem(let name): return URLReference.appendQueryItem(operands.extracting(name), of: text, to: &made)
        case .replace(let old, let new):
            ByteText.appendReplacing(operands.extracting(old), with: operands.extracting(new), in: text, to: &made)
        case .lowercase: ByteText.append(text, to: &made, ascii: { $0.lowered }, others: { $0.lowercased() })
        case .uppercase: ByteText.append(text, to: &made, ascii: { $0.raised }, others: { $0.uppercased() })
        case .scheme: return Self.appendWithScheme(text, to: &made)
        default:
            guard let part = part(of: text, step) else { return false }
            made.append(text.extracting(part))
        }
        return true
    }

    /// The part of a text that a step leaves over; nil when it has no answer for it.
    private func part(of text: Span<UInt8>, _ step: Step) -> Range<Int>? {
        let texts = tables.bytes
        let operands = texts.span
        switch step {
        case .after(let mark):
            return ByteText.index(of: operands.extracting(mark), in: text).map { $0 + mark.count..<text.count }
        case .before(let mark): return ByteText.index(of: operands.extracting(mark), in: text).map { 0..<$0 }
        case .trimPrefix(let prefix):
            return (text.begins(with: operands.extracting(prefix)) ? prefix.count : 0)..<text.count
        case .trimSuffix(let suffix):
            return 0..<(text.ends(with: operands.extracting(suffix)) ? text.count - suffix.count : text.count)
        default: return nil
        }
    }

    private func omitted(_ value: MappedValue, _ texts: Range<Int>, _ context: inout MappingContext) -> Bool {
        context.withText(of: value) { text, _ in tables.index(of: text, among: texts, stride: 1) != nil } ?? false
    }

    private func mapped(_ value: MappedValue, _ entries: Range<Int>, _ context: inout MappingContext) -> MappedValue? {
        let entry = context.withText(of: value) { text, _ in tables.index(of: text, among: entries, stride: 2) } ?? nil
        guard let entry else { return nil }
        let texts = tables.bytes
        return .text(context.keep(texts.span.extracting(tables.texts[entry + 1])))
    }

    private func secured(_ value: MappedValue, _ context: inout MappingContext) -> MappedValue? {
        let isInsecure = context.withText(of: value) { text, _ in text.begins(with: "http://".utf8.span) } ?? false
        guard isInsecure else { return context.text(of: value) }
        return context.made(from: value) { text, made in
            made += "https".utf8
            made.append(text.extracting(4...))
            return true
        }
    }

    private static func appendWithScheme(_ text: Span<UInt8>, to made: inout [UInt8]) -> Bool {
        guard !text.isEmpty else { return false }
        let hasScheme = ByteText.index(of: "://".utf8.span, in: text) != nil
        guard let address = WebAddress((hasScheme ? "" : "https://") + String(validated: text)) else { return false }
        made += address.text.utf8
        return true
    }

    private func bool(_ value: MappedValue, _ context: inout MappingContext) -> MappedValue? {
        if case .written(let index) = value, context.document.kind(at: index) == .bool { return value }
        // Few texts are that short.
        let word = context.withText(of: value) { text, _ in text.count <= 5 ? String(validated: text).lowercased() : ""
        }
        switch word {
        case "true", "1", "yes", "y": return .bool(true)
        case "false", "0", "no", "n": return .bool(false)
        default: return nil
        }
    }

    /// The pieces between the separators, empty ones left out.
    private func split(_ value: MappedValue, by separator: Range<Int>, _ context: inout MappingContext) -> MappedValue?
    {
        let first = context.elements.count
        context.withText(of: value) { text, context in
            let texts = tables.bytes
            ByteText.split(text, by: texts.span.extracting(separator), countMax: TextLimits.listCountMax) { piece in
                context.elements.append(.text(context.keep(text.extracting(piece))))
            }
        }
        return context.list(from: first)
    }

    private func firstText(
        of value: MappedValue,
        _ context: inout MappingContext,
        _ find: (Span<UInt8>) -> String?
    ) -> MappedValue? {
        var found: String?
        context.forEach(value) { element, context in
            found = context.withText(of: element) { text, _ in find(text) } ?? nil
            return found == nil
        }
        // Digits, which need no cleaning.
        return found.map { .plain(context.keep($0.utf8.span), marks: 0..<0) }
    }

    /// A checked web address, a relative one resolved against a base; nil when it is none.
    private func address(_ value: MappedValue, against base: Range<Int>?, _ context: inout MappingContext)
        -> MappedValue?
    {
        if let clean = context.cleanAddress(value) { return clean }
        return context.withText(of: value) { text, context in
            let start = context.made.count
            let texts = tables.bytes
            URLReference.appendResolved(text, against: texts.span.extracting(base ?? 0..<0), to: &context.made)
            if WebAddress.isClean(context.made.span.extracting(start...)) {
                return .plain(start..<context.made.count, marks: 0..<0)
            }
            let resolved = String(validated: context.made.span.extracting(start...))
            guard let address = WebAddress(resolved) else { return nil }
            return .text(context.keep(address.text.utf8.span))
        } ?? nil
    }
}

extension PublishedDate {
    /// The same date, known no better than this.
    func coarsened(to precision: Precision?) -> PublishedDate {
        guard let precision else { return self }
        return PublishedDate(epochSeconds: epochSeconds, offsetMinutes: offsetMinutes, precision: precision)
    }
}
