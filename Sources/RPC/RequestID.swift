package import JSON

/// The id of a request (a string, an integer or null); the answer has it exactly as the client wrote it.
package struct RequestID: Hashable, Sendable {
    /// The maximum length of an id, as written in JSON.
    package static let bytesMax = 1024

    package let text: [UInt8]
    /// The text for comparisons if the id has escapes, because an id can be written with different escapes.
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

    /// The id of an answer to a message without a valid id.
    package static let null = RequestID(text: Array("null".utf8), hasEscapes: false)

    /// Reads an id, and fails unless it is a string, an integer or null within the limit.
    package init?(_ entry: JSONEntry, in text: UnsafeRawBufferPointer) {
        guard unsafe Self.isValid(entry, in: text) else { return nil }
        self.init(text: unsafe Array(text[entry.range]), hasEscapes: entry.hasEscapes)
    }

    /// Reads an id, and fails unless it is a string, an integer or null within the limit.
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
