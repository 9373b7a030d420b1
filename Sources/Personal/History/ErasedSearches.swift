/// What was removed from a user's history, and from what that has brought.
package struct ErasedSearches: Equatable, Sendable {
    /// How many entries of the history.
    package internal(set) var count = 0
    /// Those of their queries, and of queries that brought something without counting as searches.
    package var digests: Set<Int64> = []
    /// The ids of the hits that only those had brought.
    package internal(set) var hits: [String] = []

    package init() {}
}
