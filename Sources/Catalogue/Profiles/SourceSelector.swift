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
        func holdsOnly(wordsAnd others: String, from start: Int = 0) -> Bool {
            text.utf8.dropFirst(start).allSatisfy { $0.isSmallLetter || $0.isDigit || others.utf8.contains($0) }
        }
        if text.utf8.first == UInt8(ascii: "@"), text.utf8.count > 1, holdsOnly(wordsAnd: "-_", from: 1) {
            self = .profile(text)
        } else if text.utf8.contains(UInt8(ascii: "*")), holdsOnly(wordsAnd: "-_.*") {
            self = .glob(text)
        } else if text.utf8.contains(UInt8(ascii: "{")), Self.edition(text, "en") != nil {
            self = .edition(text)
        } else if let name = SourceName(text) {
            self = .source(name)
        } else if holdsOnly(wordsAnd: "-_") {
            self = .account(text)
        } else {
            return nil
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
}
