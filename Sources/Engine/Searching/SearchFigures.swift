package import SearchModel

/// How searches ended for their sources; exact.
package struct SearchFigures: Equatable, Sendable {
    /// By how the pages were got, one for each source of each answer.
    package private(set) var byCacheUse: [SourceReport.CacheUse: Int] = [:]
    package private(set) var byStatus: [SourceReport.Status: Int] = [:]
    /// Hits in answers.
    package private(set) var hits: [Kind: Int] = [:]

    package init() {}

    mutating func count(_ report: SourceReport, of kind: Kind) {
        if let use = report.cache { byCacheUse[use, default: 0] += 1 }
        byStatus[report.status, default: 0] += 1
        if report.count > 0 { hits[kind, default: 0] += report.count }
    }
}
