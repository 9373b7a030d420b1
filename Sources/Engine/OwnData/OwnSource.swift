package import Catalogue
import JSON
package import SearchModel

/// A source with the user's own data; its pages are never in the shared cache.
package struct OwnSource: Equatable, Sendable {
    package enum Content: String, CaseIterable, Sendable {
        case library
        case seen
    }

    package static let pageSize = 50

    package let content: Content
    package var kinds: [Kind]?

    package init(_ content: Content, kinds: [Kind]? = nil) {
        self.content = content
        self.kinds = kinds
    }

    init?(named text: String, kinds: [Kind]? = nil) {
        guard let content = Content(exactly: text) else { return nil }
        self.init(content, kinds: kinds)
    }

    package var name: SourceName {
        switch content {
        case .library: .library
        case .seen: .seen
        }
    }

    package var title: String {
        switch content {
        case .library: "Your saved items"
        case .seen: "Hits of your earlier searches"
        }
    }

    package var kind: Kind {
        guard let kind = Kind(content.rawValue) else { preconditionFailure("\(content.rawValue) is not a valid kind") }
        return kind
    }

    package var profile: SourceProfile {
        var profile = SourceProfile(
            name: name,
            kind: kind,
            sorts: [.relevance],
            pageSize: Self.pageSize,
            freshness: Freshness(ttl: .zero, negativeTTL: .zero)
        )
        profile.own = self
        return profile
    }
}

package protocol OwnPages: Sendable {
    /// Throws `forbidden` if the daemon cannot distinguish users; `age` is the age of the oldest hit.
    func page(
        of source: OwnSource,
        _ request: PageRequest,
        for userID: UInt32
    ) async throws(SearchError) -> (page: Page, age: Duration)
}
