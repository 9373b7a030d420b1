import JSON
import SearchModel

/// What most rules begin with: one member, and a step at the most, which needs nothing but what stands there.
///
/// It only answers where the rule in its whole generality would answer the same; nil leaves the answer to that.
struct Shortcut: Sendable {
    private enum Kind {
        case nothing
        case html(marks: Bool)
        case date(DateFormat, zone: Int, precision: PublishedDate.Precision?)
        case number
        case bool
        case url
        case secure
        case lowercase
        case format(before: Instruction.Operand, after: Instruction.Operand)
    }

    private let kind: Kind
    /// The operands that another step takes for nothing.
    private let omitted: Range<Int>

    private init(kind: Kind, omitted: Range<Int>) {
        self.kind = kind
        self.omitted = omitted
    }

    /// Fails for steps that are not as simple.
    init?(_ steps: ArraySlice<Instruction>) {
        var steps = steps
        var omitted = 0..<0
        // It sees the text as it is written, before a step that leaves that alone and behind it.
        if case .omit(let texts) = steps.first {
            omitted = texts
            steps.removeFirst()
        } else if case .omit = steps.last, case .lowercase = steps.first {
            return nil
        } else if case .omit(let texts) = steps.last {
            omitted = texts
            steps.removeLast()
        }
        guard steps.count <= 1 else { return nil }
        let kind: Kind
        switch steps.first {
        case nil: kind = .nothing
        case .html(let marks): kind = .html(marks: marks)
        case .date(let format, let zone, let precision): kind = .date(format, zone: zone, precision: precision)
        case .number: kind = .number
        case .bool: kind = .bool
        case .url: kind = .url
        case .secure: kind = .secure
        case .lowercase: kind = .lowercase
        case .format(let before, let after): kind = .format(before: before, after: after)
        default: return nil
        }
        self.init(kind: kind, omitted: omitted)
    }

    /// Whether the rule has no step.
    var isNothing: Bool {
        if case .nothing = kind { omitted.isEmpty } else { false }
    }

    /// The plain text of the string at a place, which is not empty.
    func text(at place: Int, _ space: inout MappingContext, bytesMax: Int) -> PlainText? {
        guard omitted.isEmpty else { return nil }
        switch kind {
        case .nothing: return space.cleaned(at: place, .none, bytesMax: bytesMax)
        case .html(let marks):
            var plain = space.cleaned(at: place, .html, bytesMax: TextLimits.extraBytesMax)
            if !marks { plain.marks = [] }
            if plain.text.utf8.count > bytesMax { plain = plain.cut(bytesMax: bytesMax) }
            return plain.unlessEmpty
        case .date, .number, .bool, .url, .secure, .lowercase, .format: return nil
        }
    }

    /// The web address that the string at a place is or becomes.
    func address(at place: Int, _ space: inout MappingContext, _ tables: RuleTables) -> String? {
        guard omitted.isEmpty, !space.document.hasEscapes(at: place) else { return nil }
        let document = space.document
        return document.withBytes(at: place) { text in
            switch kind {
            case .nothing, .url: return Self.address(text)
            case .secure:
                guard text.begins(with: "http://".utf8.span) else { return Self.address(text) }
                return space.withRoom { room, _ in
                    room.append("https".utf8.span)
                    room.append(text.extracting(4...))
                    return Self.address(room.span)
                }
            case .format(let before, let after):
                return space.withRoom { room, _ in
                    let operands = tables.bytes.span
                    room.append(operands.extracting(before))
                    room.append(text)
                    room.append(operands.extracting(after))
                    return Self.address(room.span)
                }
            case .html, .date, .number, .bool, .lowercase: return nil
            }
        }
    }

    private static func address(_ text: Span<UInt8>) -> String? {
        WebAddress.isClean(text) ? String(validated: text) : nil
    }

    /// The date that the string at a place is.
    func date(at place: Int, in document: JSONView) -> PublishedDate? {
        guard case .date(let format, let zone, let precision) = kind, omitted.isEmpty, !document.hasEscapes(at: place)
        else { return nil }
        return document.withBytes(at: place) { format.read($0, zone: zone) }?.coarsened(to: precision)
    }

    /// Whether what stands at a place is for `extra` as it is written.
    func isReady(_ place: Int, in document: JSONView, _ tables: RuleTables) -> Bool {
        let isReady =
            switch (document.kind(at: place), kind) {
            case (.number, .nothing), (.bool, .nothing), (.number, .number), (.bool, .bool): true
            case (.string, .nothing): Self.isPlainString(place, in: document)
            case (.string, .html): Self.isPlainString(place, in: document, .html)
            case (.string, .url):
                !document.hasEscapes(at: place) && document.withBytes(at: place, WebAddress.isClean)
            default: false
            }
        return isReady && !isOmitted(place, in: document, tables)
    }

    /// Whether what stands at a place is for `extra` when its letters, of ASCII, are made small.
    func isReadyInLowercase(_ place: Int, in document: JSONView, _ tables: RuleTables) -> Bool {
        guard case .lowercase = kind, document.kind(at: place) == .string, Self.isPlainString(place, in: document)
        else {
            return false
        }
        return document.withBytes(at: place) { $0.isASCII } && !isOmitted(place, in: document, tables)
    }

    private func isOmitted(_ place: Int, in document: JSONView, _ tables: RuleTables) -> Bool {
        !omitted.isEmpty && document.withBytes(at: place) { tables.place(of: $0, among: omitted, step: 1) != nil }
    }

    /// Whether the string at a place is not empty, and stays as it is written.
    static func isPlainString(_ place: Int, in document: JSONView, _ markup: TextCleaner.Markup = .none) -> Bool {
        !document.hasEscapes(at: place)
            && document.withBytes(at: place) {
                PlainRun.isAll(of: $0, markup: markup, bytesMax: TextLimits.extraBytesMax)
            }
    }
}
