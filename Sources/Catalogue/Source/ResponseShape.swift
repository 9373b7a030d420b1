/// The paths of the hits and totals in a source's response.
struct ResponseShape: Equatable, Sendable {
    /// How to recognise the last page; an empty page is always the last.
    struct End: Equatable, Sendable {
        /// The last page has true at this path.
        var whenTrue: FieldPath?
        /// The last page has false at this path.
        var whenFalse: FieldPath?
        /// The last page has no value at any of these paths.
        var whenAbsent: [FieldPath] = []
        /// The path of a count of items; a page that begins after this count has no new items.
        var behind: FieldPath?
        /// The path of the number of pages.
        var pages: FieldPath?
        /// The last page's items reach the total.
        var pastTotal = false
        /// The last page has fewer items than requested.
        var shortPage = false
        /// A first page is the last if it has fewer items than requested and at least the total.
        var wholeOnFirst = false
    }

    let isXML: Bool
    let hits: FieldPath
    /// Whether a response without `hits` is an empty result; otherwise it does not have the source's format.
    let hitsMayBeAbsent: Bool
    let total: FieldPath?
    let totalIsEstimate: Bool
    let reachable: FieldPath?
    let end: End
    /// The path of a pause in seconds, which the source may request even in a successful response.
    let pause: FieldPath?
    /// Conditions that every response of this source meets.
    let must: [Condition]
}
