import JSON
package import SearchModel

/// Selects sources in a search, a profile or the configuration.
package enum SourceSelector: Hashable, Sendable {
    case source(SourceName)
    /// Such as `kakao.*`.
    case glob(String)
    case account(String)
    case profile(String)
    /// The source for the language of the query, such as `wikipedia.{language}`.
    case edition(String)

    package static let bytesMax = 2 * SourceName.bytesMax
    private static let language = "{language}"

    package init?(_ text: String) {
        guard (1...Self.bytesMax).contains(text.utf8.count) else { return nil }
        if text.utf8.first == UInt8(ascii: "@") {
            guard text.utf8.count > 1, text.utf8.dropFirst().allSatisfy(Self.isWordByte) else { return nil }
            self = .profile(text)
        } else if text.utf8.contains(UInt8(ascii: "*")) {
            guard text.utf8.allSatisfy({ Self.isWordByte($0) || $0 == Self.dot || $0 == UInt8(ascii: "*") }) else {
                return nil
            }
            self = .glob(text)
        } else if text.utf8.contains(UInt8(ascii: "{")) {
            guard Self.edition(text, "en") != nil else { return nil }
            self = .edition(text)
        } else if let name = SourceName(text) {
            self = .source(name)
        } else {
            guard text.utf8.allSatisfy(Self.isWordByte) else { return nil }
            self = .account(text)
        }
    }

    package var text: String {
        switch self {
        case .source(let name): name.text
        case .glob(let text), .account(let text), .profile(let text), .edition(let text): text
        }
    }

    package static func edition(_ text: String, _ language: String) -> SourceName? {
        guard let start = text.utf8.span.index(of: Self.language.utf8.span) else { return SourceName(text) }
        var name = Array(text.utf8)
        name.replaceSubrange(start..<start + Self.language.utf8.count, with: language.utf8)
        return SourceName(String(decoding: name, as: UTF8.self))
    }

    private static let dot = UInt8(ascii: ".")

    private static func isWordByte(_ byte: UInt8) -> Bool {
        byte.isSmallLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
