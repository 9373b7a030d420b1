package import SearchModel

/// Is told of a search's progress, in order, as it comes; a slow one holds the search back.
package protocol SearchObserver: Sendable {
    func hits(_ hits: [HitPlace], from source: SourceName) async
    /// A source keeps the search waiting.
    func waiting(_ notice: WaitNotice, on source: SourceName) async
    func source(_ report: SourceReport) async
}
