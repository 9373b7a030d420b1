import SearchModel
import Storage

/// What of a library is to be looked up again.
extension LibraryTable {
    var refreshes: RefreshTable { RefreshTable(database: database) }

    func queueRefreshes(
        _ ids: [String]?,
        of sources: Set<SourceName>,
        revision: Int64
    ) throws(StorageError) -> Result<LibraryOutcome, SearchError> {
        var outcome = LibraryOutcome(revision: revision)
        guard let ids else {
            (outcome.queued, outcome.left) = try refreshes.addAll(of: sources)
            return .success(outcome)
        }
        var seen: Set<Int64> = []
        for id in ids {
            guard let item = try refreshes.item(id) else { return .failure(Self.notSaved(id)) }
            guard seen.insert(item.number).inserted else { continue }
            if let source = item.source, sources.contains(source) {
                try refreshes.add(item.number, of: source)
                outcome.queued += 1
            } else {
                outcome.left += 1
            }
        }
        return .success(outcome)
    }

    func endRefresh(_ id: String, revision: Int64) throws(StorageError) -> Result<LibraryOutcome, SearchError> {
        try refreshes.end(id)
        return .success(LibraryOutcome(revision: revision))
    }
}
