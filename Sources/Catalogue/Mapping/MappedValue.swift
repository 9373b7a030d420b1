import JSON
import SearchModel

/// What a field is while its steps are applied.
enum MappedValue: Sendable {
    case text(String)
    /// A string, number or truth value of the document, or an array that holds one, by its place: not yet read, since
    /// many are cleaned, parsed or passed on where they stand.
    case written(Int)
    case number(JSONNumber)
    case bool(Bool)
    case date(PublishedDate)
    /// Already cleaned, with its marks.
    case plain(PlainText)
    /// Never empty, never in another list.
    case list([MappedValue])

    /// A scalar or an array that holds one; nothing for null, an object, an array of nothing else.
    init?(_ place: Int, in document: JSONView) {
        switch document.kind(at: place) {
        case .string, .number, .bool: self = .written(place)
        case .array:
            var holdsScalar = false
            document.forEachElement(of: place) { element in
                holdsScalar = Self.isScalar(element, in: document)
                return !holdsScalar
            }
            guard holdsScalar else { return nil }
            self = .written(place)
        case .null, .object: return nil
        }
    }

    /// Visits the elements of a list, or the value alone, so many at the most and until one is said to be enough.
    func forEach(in document: JSONView, countMax: Int = .max, _ body: (MappedValue) -> Bool) {
        switch self {
        case .list(let elements):
            for element in elements.prefix(countMax) {
                guard body(element) else { return }
            }
        case .written(let place) where document.kind(at: place) == .array:
            var left = countMax
            document.forEachElement(of: place) { element in
                guard left > 0 else { return false }
                guard Self.isScalar(element, in: document) else { return true }
                left -= 1
                return body(.written(element))
            }
        default:
            if countMax > 0 { _ = body(self) }
        }
    }

    func isList(in document: JSONView) -> Bool {
        switch self {
        case .list: true
        case .written(let place): document.kind(at: place) == .array
        default: false
        }
    }

    /// A list of all that is in these, lists taken apart.
    init?(list values: some Sequence<MappedValue>, in document: JSONView) {
        var flat: [MappedValue] = []
        for value in values {
            if let inner = value.list(in: document, countMax: .max) { flat += inner } else { flat.append(value) }
        }
        guard !flat.isEmpty else { return nil }
        self = .list(flat)
    }

    private static func isScalar(_ place: Int, in document: JSONView) -> Bool {
        switch document.kind(at: place) {
        case .string, .number, .bool: true
        case .null, .array, .object: false
        }
    }

    /// The value as text, if it is a scalar.
    func text(in document: JSONView) -> String? {
        switch self {
        case .text(let text): text
        case .written(let place): document.scalarText(at: place)
        case .number(let number): number.text
        case .bool(let bool): bool ? "true" : "false"
        case .date(let date): date.text
        case .plain(let plain): plain.text
        case .list: nil
        }
    }

    func isEmptyText(in document: JSONView) -> Bool {
        switch self {
        case .text(let text): text.isEmpty
        case .written(let place): document.kind(at: place) == .string && document.range(at: place).count == 2
        case .number, .bool, .date, .plain, .list: false
        }
    }

    /// The elements of a list, so many at the most; nil of what is no list.
    func list(in document: JSONView, countMax: Int) -> [MappedValue]? {
        switch self {
        case .list(let elements): return elements.count <= countMax ? elements : Array(elements[..<countMax])
        case .written(let place) where document.kind(at: place) == .array:
            var elements: [MappedValue] = []
            document.forEachElement(of: place) { element in
                if Self.isScalar(element, in: document) { elements.append(.written(element)) }
                return elements.count < countMax
            }
            return elements
        default: return nil
        }
    }

    /// The elements of a list, or the value alone, so many at the most.
    func elements(in document: JSONView, countMax: Int = .max) -> [MappedValue] {
        list(in: document, countMax: countMax) ?? (countMax > 0 ? [self] : [])
    }

    /// The value, or the first of a list.
    func first(in document: JSONView) -> MappedValue {
        list(in: document, countMax: 1)?.first ?? self
    }

    /// The last of a list, or the value.
    func last(in document: JSONView) -> MappedValue {
        list(in: document, countMax: .max)?.last ?? self
    }
}
