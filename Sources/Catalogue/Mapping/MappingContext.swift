import JSON
import SearchModel

/// What the rules of a source work with: what one element after the other of a document has, and room for what is made.
///
/// Most values stay where they stand in the document. What steps make lies in buffers that are kept from rule to rule,
/// so that a warm workspace allocates nothing.
struct MappingContext: ~Copyable {
    /// How much of what rules have left behind is kept, to save forgetting it one by one.
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
    /// Whoever lends a text that does not stand in the document as it is finds room here.
    private var lent: [UInt8] = []
    private var element = 0
    /// Places of values; `MemberTree.nothing` where the element has none.
    private var slots: [Int]

    init(of document: JSONView, slotCount: Int) {
        self.document = document
        slots = [Int](repeating: MemberTree.nothing, count: slotCount)
    }

    /// Forgets the element before and walks the one at a place.
    mutating func move(to element: Int, _ tree: MemberTree) {
        self.element = element
        for slot in slots.indices { slots[slot] = MemberTree.nothing }
        tree.collect(element, of: document, into: &slots)
    }

    /// The place of what stands in a slot, without one of the element itself; nil when the element has no such value.
    func place(at slot: Int?) -> Int? {
        guard let slot else { return element }
        return slots[slot] == MemberTree.nothing ? nil : slots[slot]
    }

    /// Makes room for another rule's values; those of the rule before are forgotten when it is due.
    mutating func makeRoom() {
        guard made.count > Self.keptMax || elements.count > Self.keptMax || marks.count > Self.keptMax else { return }
        made.removeAll(keepingCapacity: true)
        elements.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
    }

    /// Appends a text to those that have been made, and tells where it is.
    mutating func keep(_ text: Span<UInt8>) -> Range<Int> {
        let start = made.count
        made.append(text)
        return start..<made.count
    }

    /// Lends room for bytes, empty, for a call; a call in that call finds other room.
    mutating func withRoom<Result>(_ body: (inout [UInt8], inout MappingContext) -> Result) -> Result {
        // What is lent stays, whatever the call does here.
        var room: [UInt8] = []
        swap(&room, &lent)
        room.removeAll(keepingCapacity: true)
        let result = body(&room, &self)
        swap(&room, &lent)
        return result
    }

    // MARK: Texts

    /// Lends the text of a scalar for a call, which may make others; nil of a list.
    mutating func withText<Result>(
        of value: MappedValue,
        _ body: (Span<UInt8>, inout MappingContext) -> Result
    ) -> Result? {
        if let place = plainPlace(of: value) {
            let document = document
            return document.withBytes(at: place) { body($0, &self) }
        }
        // A copy: `made` may grow.
        return withRoom { text, space in space.spell(value, into: &text) ? body(text.span, &space) : nil }
    }

    /// The place where the text of a value stands as it is; nil when it must be spelled.
    private func plainPlace(of value: MappedValue) -> Int? {
        switch value {
        case .clean(let place): return place
        case .written(let place):
            switch document.kind(at: place) {
            case .string: return document.hasEscapes(at: place) ? nil : place
            case .number, .bool: return place
            case .null, .array, .object: return nil
            }
        case .text, .number, .bool, .date, .plain, .list: return nil
        }
    }

    /// Appends the text of a scalar that does not stand in the document as it is; false of a list.
    private func spell(_ value: MappedValue, into text: inout [UInt8]) -> Bool {
        switch value {
        case .written(let place):
            guard document.kind(at: place) == .string else { return false }
            document.unescape(at: place, into: &text)
        case .text(let range), .number(let range), .plain(let range, _): text.append(made.span.extracting(range))
        case .bool(let bool): text += (bool ? "true" : "false").utf8
        case .date(let date): date.withText { text.append($0) }
        case .clean, .list: return false
        }
        return true
    }

    /// A text made of a scalar's; nil when `make` says that there is none, or it is no scalar.
    mutating func made(
        from value: MappedValue,
        _ make: (Span<UInt8>, inout [UInt8]) -> Bool
    ) -> MappedValue? {
        withText(of: value) { text, space in
            let start = space.made.count
            return make(text, &space.made) ? .text(start..<space.made.count) : nil
        } ?? nil
    }

    /// The same scalar as nothing but text; nil of a list.
    mutating func text(of value: MappedValue) -> MappedValue? {
        switch value {
        case .clean, .text: return value
        case .plain(let range, _), .number(let range): return .text(range)
        case .written(let place) where document.kind(at: place) == .string: return value
        case .written, .bool, .date, .list:
            return made(from: value) { text, made in
                made.append(text)
                return true
            }
        }
    }
}
