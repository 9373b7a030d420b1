import JSON
import SearchModel

/// What the rules of a source read and write: the values of one element of a document after the other, and buffers.
///
/// Most values stay where they are in the document. What steps make is kept in buffers that are reused from rule to
/// rule, so that a warm context allocates nothing.
struct MappingContext: ~Copyable {
    /// How much the rules may leave in a buffer before it is emptied, since emptying it after each rule costs more.
    private static let keptMax = 1 << 11

    let document: JSONView
    var cleaner = TextCleaner()
    /// The bytes of the texts that steps have made.
    var made: [UInt8] = []
    /// The elements of lists.
    var elements: [MappedValue] = []
    /// The marks of plain texts.
    var marks: [Range<Int>] = []
    /// Writes what a hit keeps beside its common fields.
    var writer = JSONWriter()
    /// The buffer that `withRoom` lends.
    private var lent: [UInt8] = []
    private var element = 0
    /// Indices of values; `MemberTree.nothing` where the element has none.
    private var slots: [Int]

    init(of document: JSONView, slotCount: Int) {
        self.document = document
        slots = [Int](repeating: MemberTree.nothing, count: slotCount)
    }

    /// Moves on to another element and collects its values.
    mutating func move(to element: Int, _ tree: MemberTree) {
        self.element = element
        for slot in slots.indices { slots[slot] = MemberTree.nothing }
        tree.collect(element, of: document, into: &slots)
    }

    /// The index of the value in a slot, or of the element itself; nil when the element has no such value.
    func index(at slot: Int?) -> Int? {
        guard let slot else { return element }
        return slots[slot] == MemberTree.nothing ? nil : slots[slot]
    }

    /// Empties the buffers when they have grown; the values of the rule before are invalid then.
    mutating func makeRoom() {
        guard made.count > Self.keptMax || elements.count > Self.keptMax || marks.count > Self.keptMax else { return }
        made.removeAll(keepingCapacity: true)
        elements.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
    }

    /// Appends a text to those that have been made and returns its range.
    mutating func keep(_ text: Span<UInt8>) -> Range<Int> {
        let start = made.count
        made.append(text)
        return start..<made.count
    }

    /// Lends an empty buffer for a call; a nested call gets another one.
    mutating func withRoom<Result>(_ body: (inout [UInt8], inout MappingContext) -> Result) -> Result {
        // Taken out, so that a nested call can't change it.
        var room: [UInt8] = []
        swap(&room, &lent)
        room.removeAll(keepingCapacity: true)
        let result = body(&room, &self)
        swap(&room, &lent)
        return result
    }

    // MARK: Texts

    /// Lends the text of a scalar for a call, which may make others; nil for a list.
    mutating func withText<Result>(
        of value: MappedValue,
        _ body: (Span<UInt8>, inout MappingContext) -> Result
    ) -> Result? {
        if let index = plainIndex(of: value) {
            let document = document
            return document.withBytes(at: index) { body($0, &self) }
        }
        // A copy: `made` may grow.
        return withRoom { text, context in context.spell(value, into: &text) ? body(text.span, &context) : nil }
    }

    /// The index of the value whose bytes are the text of a value; nil when the text must be built.
    private func plainIndex(of value: MappedValue) -> Int? {
        switch value {
        case .clean(let index): return index
        case .written(let index):
            switch document.kind(at: index) {
            case .string: return document.hasEscapes(at: index) ? nil : index
            case .number, .bool: return index
            case .null, .array, .object: return nil
            }
        case .text, .number, .bool, .date, .plain, .list: return nil
        }
    }

    /// Appends the text of a scalar that is not in the document as it is; false for a list.
    private func spell(_ value: MappedValue, into text: inout [UInt8]) -> Bool {
        switch value {
        case .written(let index):
            guard document.kind(at: index) == .string else { return false }
            document.unescape(at: index, into: &text)
        case .text(let range), .number(let range), .plain(let range, _): text.append(made.span.extracting(range))
        case .bool(let bool): text += (bool ? "true" : "false").utf8
        case .date(let date): date.withText { text.append($0) }
        case .clean, .list: return false
        }
        return true
    }

    /// A text made from a scalar's; nil when `make` returns false, or for a list.
    mutating func made(
        from value: MappedValue,
        _ make: (Span<UInt8>, inout [UInt8]) -> Bool
    ) -> MappedValue? {
        withText(of: value) { text, context in
            let start = context.made.count
            return make(text, &context.made) ? .text(start..<context.made.count) : nil
        } ?? nil
    }

    /// The same scalar as a text; nil for a list.
    mutating func text(of value: MappedValue) -> MappedValue? {
        switch value {
        case .clean, .text: return value
        case .plain(let range, _), .number(let range): return .text(range)
        case .written(let index) where document.kind(at: index) == .string: return value
        case .written, .bool, .date, .list:
            return made(from: value) { text, made in
                made.append(text)
                return true
            }
        }
    }
}
