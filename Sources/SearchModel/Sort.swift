/// The orders a caller may ask for.
package enum Sort: String, CaseIterable, Hashable, Sendable {
    case relevance
    case recency
    case title
}
