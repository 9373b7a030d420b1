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
struct FieldReader: ~Copyable {
    let document: JSONView
    /// The index of the element that the rules are applied to.
    private var element = 0
    /// The indices of the values to which the names of the shape lead; -1 for one that the element has not.
    private var slots: [Int] = []
    /// Writes what a hit keeps beside its common fields.
    var writer = JSONWriter()
    private var cleaner = TextCleaner()
    /// Holds an unescaped string while it is lent.
    private var unescaped: [UInt8] = []

    init(_ document: JSONView) {
        self.document = document
    }

    /// Applies the rules of a shape to another element from now on.
    mutating func move(to element: Int, _ shape: HitShape) {
        self.element = element
        if slots.count != shape.names.count { slots = [Int](repeating: -1, count: shape.names.count) }
        for slot in slots.indices { slots[slot] = -1 }
        collect(element, group: 0, shape.names)
    }

    /// Finds the members of an object that have the names of a group, and theirs.
    private mutating func collect(_ object: Int, group: Int, _ names: MemberNames) {
        let document = document
        document.forEachMember(of: object, named: names.index, group: group) { slot, value in
            let inner = names.inner[slot]
            // Of a repeated name the last one counts, with all that is in it.
            if inner, slots[slot] >= 0 { forget(group: slot + 1, names) }
            slots[slot] = value
            if inner { collect(value, group: slot + 1, names) }
        }
    }

    private mutating func forget(group: Int, _ names: MemberNames) {
        for slot in slots.indices where names.names[slot].group == group {
            slots[slot] = -1
            if names.inner[slot] { forget(group: slot + 1, names) }
        }
    }

    // MARK: Rules

    /// The value of the first alternative that has one; an empty text is how sources write that there is none.
    mutating func value(_ rule: Rule) -> MappedValue? {
        for alternative in rule.alternatives {
            if let value = value(alternative) { return value }
        }
        return nil
    }

    private mutating func value(_ alternative: Rule.Alternative) -> MappedValue? {
        guard var value = start(alternative.origin) else { return nil }
        for step in alternative.steps {
            guard let next = applied(step, to: value) else { return nil }
            value = next
        }
        return isEmptyText(value) ? nil : value
    }

    private mutating func start(_ origin: Rule.Origin) -> MappedValue? {
        switch origin {
        case .path(let path): return value(path)
        case .constant(let constant): return constant
        case .nothing: return nil
        case .paths(let paths):
            var elements: [MappedValue] = []
            for path in paths {
                if let value = value(path), !isEmptyText(value) { elements += self.elements(of: value) }
            }
            return elements.isEmpty ? nil : .list(elements)
        }
    }

    /// What a path leads to; several values make a list.
    mutating func value(_ path: FieldPath) -> MappedValue? {
        let start = path.slot.map { slots[$0] } ?? element
        guard start >= 0 else { return nil }
        let skipping = path.slotParts
        guard path.isMany else {
            guard let index = path.first(from: start, of: document, skipping: skipping) else { return nil }
            return value(at: index)
        }
        var elements: [MappedValue] = []
        path.forEach(from: start, of: document, skipping: skipping) { index in
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

    /// Visits the elements of a list, or the value alone, until `body` returns false.
    func forEach(_ value: MappedValue, _ body: (MappedValue) -> Bool) {
        switch value {
        case .list(let elements): for element in elements { guard body(element) else { return } }
        case .written(let array) where document.kind(at: array) == .array:
            document.forEachElement(of: array) { isScalar($0) ? body(.written($0)) : true }
        default: _ = body(value)
        }
    }

    /// The first elements of a list, or the value alone.
    func elements(of value: MappedValue, countMax: Int = .max) -> [MappedValue] {
        if case .list(let elements) = value {
            return countMax < elements.count ? Array(elements[..<countMax]) : elements
        }
        var elements: [MappedValue] = []
        forEach(value) { element in
            elements.append(element)
            return elements.count < countMax
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
    mutating func withText<Result>(of value: MappedValue, _ body: (Span<UInt8>) -> Result) -> Result? {
        switch value {
        case .written(let index):
            guard isScalar(index) else { return nil }
            guard document.hasEscapes(at: index) else { return document.withBytes(at: index, body) }
            unescaped.removeAll(keepingCapacity: true)
            document.unescape(at: index, into: &unescaped)
            return body(unescaped.span)
        case .text(let text), .address(let text): return body(text.utf8.span)
        case .plain(let plain): return body(plain.text.utf8.span)
        case .number(let number): return body(number.text.utf8.span)
        case .bool(let bool): return body((bool ? "true" : "false").utf8.span)
        case .date(let date): return date.withText(body)
        case .list: return nil
        }
    }

    /// The text of a scalar; nil for a list.
    mutating func string(of value: MappedValue) -> String? {
        switch value {
        case .text(let text), .address(let text): text
        default: withText(of: value) { String(validated: $0) }
        }
    }

    /// The text of a scalar as plain text; nil for a list.
    mutating func clean(_ value: MappedValue, _ markup: TextCleaner.Markup, bytesMax: Int) -> PlainText? {
        // Taken out while the text is lent.
        var cleaner = TextCleaner()
        swap(&cleaner, &self.cleaner)
        defer { swap(&cleaner, &self.cleaner) }
        return withText(of: value) { cleaner.clean($0, markup: markup, bytesMax: bytesMax) }
    }

    /// Whether the string at an index is plain text as it is written, which a hit can keep.
    func isPlain(at index: Int) -> Bool {
        !document.hasEscapes(at: index) && document.range(at: index).count > 2
            && document.withBytes(at: index) {
                TextCleaner.isPlain($0, markup: .none, bytesMax: TextLimits.extraBytesMax)
            }
    }
}
