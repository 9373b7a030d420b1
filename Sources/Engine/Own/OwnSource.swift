package import Catalogue
import JSON
package import SearchModel

/// A source on this machine that holds data of the user who asks: what the user has saved, and what searches have
/// brought.
///
/// It costs no call, and what it answers is shared with no other user: neither cached nor joined.
package struct OwnSource: Equatable, Sendable {
    package enum Content: String, CaseIterable, Sendable {
        case library
        case seen
    }

    static let pageSize = 50

    package let content: Content
    /// Only hits of these kinds; nil for all.
    package var kinds: [Kind]?

    package init(_ content: Content, kinds: [Kind]? = nil) {
        self.content = content
        self.kinds = kinds
    }

    /// The one that a caller names; nil for any other text.
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
        case .library: "What you have saved"
        case .seen: "What your searches have brought"
        }
    }

    package var kind: Kind {
        guard let kind = Kind(content.rawValue) else { preconditionFailure("\(content.rawValue) is a kind") }
        return kind
    }

    /// What the engine plans with.
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

/// Gets pages of users' own data.
package protocol OwnPages: Sendable {
    /// A page of a user's own data.
    ///
    /// - Parameters:
    ///   - source: Which data.
    ///   - request: The words and the number of the page.
    ///   - pageSize: How many hits a page has.
    ///   - userID: Whose.
    /// - Returns: The page; `forbidden` for a user who can't be told from others.
    func page(
        of source: OwnSource,
        _ request: PageRequest,
        pageSize: Int,
        for userID: UInt32
    ) async -> Result<OwnPage, SearchError>
}

/// A page of a user's own data.
package struct OwnPage: Sendable {
    package let page: Page
    /// How long ago the oldest of its hits was fetched from its source.
    package let age: Duration

    package init(_ page: Page, age: Duration) {
        self.page = page
        self.age = age
    }
}
