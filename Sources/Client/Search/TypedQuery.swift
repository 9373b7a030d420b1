import RPC
package import SearchModel

/// A query with filters among its words, such as `site:example.org`, `since:2024-03`, `until:2024`; pure.
package struct TypedQuery {
    /// The text without the filters.
    let text: String
    package let filters: [(member: Member, value: String)]

    package init(_ text: String) {
        var filters: [(member: Member, value: String)] = []
        let words = text.split(separator: " ").filter { word in
            guard let filter = Self.filter(word) else { return true }
            filters.append(filter)
            return false
        }
        self.filters = filters
        self.text = filters.isEmpty ? text : words.joined(separator: " ")
    }

    /// Nil without words.
    package var query: SearchQuery? { SearchQuery(text) }

    /// `site:example.org since:2024`; empty without filters.
    package var filterText: String { filters.map { "\($0.member.description):\($0.value)" }.joined(separator: " ") }

    /// Returns a complete filter; nil for any other word.
    private static func filter(_ word: Substring) -> (member: Member, value: String)? {
        let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        return switch parts[0] {
        case "site" where parts[1].contains("."): (.site, parts[1])
        case "since" where DateWord.date(parts[1], .system) != nil: (.since, parts[1])
        case "until" where DateWord.date(parts[1], .system) != nil: (.until, parts[1])
        default: nil
        }
    }
}
