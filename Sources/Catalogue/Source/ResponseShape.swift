/// Where the hits and the totals are in a source's answer.
struct ResponseShape: Equatable, Sendable {
    /// How the last page is recognised; an empty page always is the last.
    struct End: Equatable, Sendable {
        /// True there: the last page.
        var whenTrue: FieldPath?
        /// Nothing at any of these: the last page.
        var whenAbsent: [FieldPath] = []
        /// A count there: a page that begins behind it has nothing of its own.
        var behind: FieldPath?
        /// The number of pages there.
        var pages: FieldPath?
        /// The items of this page reach the total.
        var pastTotal = false
        /// Fewer items than asked for.
        var shortPage = false
        /// A first page with fewer items than asked for, and no fewer than the total.
        var wholeOnFirst = false
    }

    let hits: FieldPath
    /// Nothing at `hits` means that nothing was found; otherwise the answer is not the source's.
    let hitsMayBeAbsent: Bool
    let total: FieldPath?
    let totalIsEstimate: Bool
    let reachable: FieldPath?
    let end: End
    /// What must hold of every answer of this source.
    let must: [Condition]
}
