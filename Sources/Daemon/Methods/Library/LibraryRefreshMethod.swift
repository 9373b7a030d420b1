import JSON
import Personal
import RPC
import SearchModel

/// Queues saved items to be looked up again.
struct LibraryRefreshMethod: Method {
    let description = MethodDescription.libraryRefresh
    let permission = MethodPermission.ownData
    let data: PersonalData

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        let user = try data.user(of: call)
        var parameters = try Parameters(call.params)
        let ids = try parameters.optionalIDs()
        try parameters.finish()
        return .running(channel: nil, memory: SavedItem.bytesMax) { _ throws(SearchError) in
            let outcome = try await user.queueRefreshes(ids)
            return .writing { writer in
                writer.object { writer in
                    writer.member(.queued, outcome.queued)
                    writer.member(.left, outcome.left)
                }
            }
        }
    }
}

/// Makes a copy of a user's file.
struct LibraryBackupMethod: Method {
    let description = MethodDescription.libraryBackup
    let permission = MethodPermission.ownData
    let data: PersonalData

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        let user = try data.user(of: call)
        try Parameters(call.params).finish()
        return .running(channel: nil) { _ throws(SearchError) in
            let copy = try await user.use { store throws(SearchError) in try await store.backUp() }
            return .writing { writer in writer.object { copy.write(to: &$0) } }
        }
    }
}
