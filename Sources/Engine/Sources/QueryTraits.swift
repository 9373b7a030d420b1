import Catalogue
import SearchModel

/// The properties of a query that decide which sources of a profile are searched.
struct QueryTraits: Hashable, Sendable {
    let script: WritingSystem
    let isCode: Bool

    static let all = WritingSystem.allCases.flatMap { script in
        [false, true].map { QueryTraits(script: script, isCode: $0) }
    }
    /// The traits for an unknown query, which may need any member of a profile.
    static let unknown = QueryTraits(script: .other, isCode: true)
}

extension QueryTraits {
    init(_ query: SearchQuery) {
        self.init(script: WritingSystem(query), isCode: CodeWords.areIn(query))
    }
}
