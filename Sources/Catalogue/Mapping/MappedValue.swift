import JSON
import SearchModel

/// What a field is while its steps are applied.
enum MappedValue: Sendable {
    case text(String)
    /// A string of the document, not yet read: many are cleaned or parsed where they stand.
    case written(JSONCursor)
    case number(JSONNumber)
    case bool(Bool)
    case date(PublishedDate)
    /// Already cleaned, with its marks.
    case plain(PlainText)
    /// Never empty, never in another list.
    case list([MappedValue])

    /// A scalar or a list of scalars; nothing for null, an object, an empty list.
    init?(_ cursor: JSONCursor) {
        switch cursor.kind {
        case .string: self = .written(cursor)
        case .number:
            guard let number = cursor.number else { return nil }
            self = .number(number)
        case .bool: self = .bool(cursor.bool ?? false)
        case .array: self.init(list: cursor.elements.compactMap(Self.scalar))
        case .null, .object: return nil
        }
    }

    init?(list values: [MappedValue]) {
        var flat: [MappedValue] = []
        for value in values {
            if case .list(let inner) = value { flat += inner } else { flat.append(value) }
        }
        guard !flat.isEmpty else { return nil }
        self = .list(flat)
    }

    private static func scalar(_ cursor: JSONCursor) -> MappedValue? {
        cursor.kind == .array ? nil : MappedValue(cursor)
    }

    /// The value as text, if it is a scalar.
    var text: String? {
        switch self {
        case .text(let text): text
        case .written(let cursor): cursor.string
        case .number(let number): number.text
        case .bool(let bool): bool ? "true" : "false"
        case .date(let date): date.text
        case .plain(let plain): plain.text
        case .list: nil
        }
    }

    var isEmptyText: Bool {
        switch self {
        case .text(let text): text.isEmpty
        case .written(let cursor): cursor.text.count == 2
        case .number, .bool, .date, .plain, .list: false
        }
    }

    /// The value, or the first of a list.
    var first: MappedValue {
        if case .list(let elements) = self { elements.first ?? self } else { self }
    }

    /// The last of a list, or the value.
    var last: MappedValue {
        if case .list(let elements) = self { elements.last ?? self } else { self }
    }

    var elements: [MappedValue] {
        if case .list(let elements) = self { elements } else { [self] }
    }
}
