import JSON

/// What one source takes beyond the common parameters, as `naver.image.filter=large`; pure.
struct SourceOption: Equatable {
    let source: String
    let key: String
    let value: JSONValue

    init(_ text: String) throws(ClientError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let dot = parts[0].lastIndex(of: "."), dot > parts[0].startIndex,
            parts[0].index(after: dot) < parts[0].endIndex
        else {
            throw ClientError(
                .usage,
                "“\(text)” is not an option of a source",
                hint: "Write SOURCE.KEY=VALUE, such as naver.image.filter=large"
            )
        }
        source = String(parts[0][..<dot])
        key = String(parts[0][parts[0].index(after: dot)...])
        value = Self.value(String(parts[1]))
    }

    /// Numbers, `true`, `false` and quoted strings are what JSON takes them for; everything else is text as it stands.
    private static func value(_ text: String) -> JSONValue {
        guard let read = try? JSONDocument(Array(text.utf8), limits: .wire).root.value else { return .string(text) }
        return switch read {
        case .number, .bool, .string: read
        case .null, .array, .object: .string(text)
        }
    }
}
