package import SearchModel

/// Is told of a search's progress, in order, as it comes; a slow one holds the search back.
package protocol SearchObserver: Sendable {
    func hits(_ hits: [HitPosition], from source: SourceName) async
    /// A source keeps the search waiting.
    func waiting(_ notice: WaitNotice, on source: SourceName) async
    func source(_ report: SourceReport) async
    /// So many of the sources have answered or failed by now; told when the search has to wait, and at every change.
    func progress(answered: Int, asked: Int) async
}

extension SearchObserver {
    package func progress(answered: Int, asked: Int) async {}
}
