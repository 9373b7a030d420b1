package import SearchModel

/// A source that once was: the catalogue knows it only to say what became of it.
package struct RetiredSource: Equatable, Sendable {
    package let name: SourceName
    /// What happened, in a sentence.
    package let message: String
    /// What to use instead.
    package let instead: [SourceName]

    /// What asking for it is answered.
    package var error: SearchError {
        let names = instead.map(\.text).joined(separator: " or ")
        return SearchError(
            .unknownSource,
            message,
            source: name,
            retryable: false,
            hint: instead.isEmpty ? "leave it out of the search" : "search \(names) instead"
        )
    }
}
