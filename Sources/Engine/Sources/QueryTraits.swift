import Catalogue
import SearchModel

/// What the text of a query says about the sources that fit it.
struct QueryTraits: Hashable, Sendable {
    let script: WritingSystem
    /// Whether it looks like a question about programming.
    let isCode: Bool

    static let all = WritingSystem.allCases.flatMap { script in
        [false, true].map { QueryTraits(script: script, isCode: $0) }
    }
    /// For an unknown query, which may need any member of a profile.
    static let unknown = QueryTraits(script: .other, isCode: true)
}

extension QueryTraits {
    init(_ query: SearchQuery) {
        self.init(script: WritingSystem(query), isCode: CodeWords.areIn(query))
    }
}
