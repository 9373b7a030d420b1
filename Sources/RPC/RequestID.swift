package import JSON

/// The id of a request: a string, an integer or null.
///
/// The answer repeats the bytes of the id.
package struct RequestID: Hashable, Sendable {
    package static let bytesMax = 1024

    package let text: [UInt8]
    /// For comparisons, because the same id can be written with different escapes.
    private let canonical: [UInt8]?

    package init(text: [UInt8], hasEscapes: Bool) {
        self.text = text
        if hasEscapes, let value = try? JSONDocument(text).root.string {
            var writer = JSONWriter()
            writer.string(value)
            canonical = writer.bytes
        } else {
            canonical = nil
        }
    }

    package static let null = RequestID(text: Array("null".utf8), hasEscapes: false)

    package init?(_ entry: JSONEntry, in text: UnsafeRawBufferPointer) {
        guard unsafe Self.isValid(entry, in: text) else { return nil }
        self.init(text: unsafe Array(text[entry.range]), hasEscapes: entry.hasEscapes)
    }

    package init?(_ value: JSONCursor) {
        guard Self.isValid(value.kind, value.text) else { return nil }
        self.init(text: Array(value.text), hasEscapes: value.text.contains(UInt8(ascii: "\\")))
    }

    static func isValid(_ entry: JSONEntry, in text: UnsafeRawBufferPointer) -> Bool {
        unsafe isValid(entry.kind, text[entry.range])
    }

    private static func isValid(_ kind: JSONKind, _ text: some Collection<UInt8>) -> Bool {
        guard text.count <= bytesMax else { return false }
        return switch kind {
        case .string, .null: true
        case .number: text.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- UInt8(ascii: "0") < 10 }
        case .bool, .array, .object: false
        }
    }

    package static func == (left: RequestID, right: RequestID) -> Bool {
        (left.canonical ?? left.text) == (right.canonical ?? right.text)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(canonical ?? text)
    }
}
