/// The orders a caller may ask for.
package enum Sort: String, CaseIterable, Hashable, Sendable {
    case relevance
    case recency
    case title

    /// Not by its text, which takes several times as long.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .relevance: hasher.combine(UInt8(0))
        case .recency: hasher.combine(UInt8(1))
        case .title: hasher.combine(UInt8(2))
        }
    }
}
