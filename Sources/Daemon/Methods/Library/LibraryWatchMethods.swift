import JSON
import Personal
import RPC
import SearchModel

/// Follows a library from a revision on, or with all that is in it.
struct LibraryWatchMethod: Method {
    let description = MethodDescription.libraryWatch
    let permission = MethodPermission.ownData
    let data: PersonalData

    /// How much of a library the answer has, which bounds the time that other users wait; the rest follows.
    private static let answerBytesMax = LibraryChanges.bytesMax

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        let user = try data.user(of: call)
        var parameters = try Parameters(call.params)
        let since = try parameters.integer(.since, in: 0...Int.max)
        try parameters.finish()
        return .running(channel: nil, memory: Self.answerBytesMax) { stream throws(SearchError) in
            try await user.use { store throws(SearchError) in
                // What changes while the rest is read must not be missed.
                let feed = user.follow()
                do throws(SearchError) {
                    return try await Self.begin(feed, since.map(Int64.init), store, stream)
                } catch {
                    feed.end()
                    throw error
                }
            }
        }
    }

    private static func begin(
        _ feed: LibraryFeed,
        _ since: Int64?,
        _ store: PersonalStore,
        _ stream: RequestStream
    ) async throws(SearchError) -> Reply {
        let known: LibraryChanges? =
            if let since {
                try await store.changes(after: LibraryPosition(after: since), bytesMax: answerBytesMax)
            } else {
                nil
            }
        let all: LibraryChanges? =
            if known == nil {
                try await store.changes(after: LibraryPosition(after: 0), bytesMax: answerBytesMax)
            } else {
                nil
            }
        guard let part = known ?? all else { throw SearchError(.internal, "a library has no beginning") }
        guard !Task.isCancelled else { throw SearchError(.cancelled, "the request was cancelled") }
        // No other step comes between this and the answer.
        let (next, revision) = (part.next, part.change.revision)
        // The feed lives as long as its client: it must keep the position alone.
        let number = try stream.session.subscriptions.begin { subscription in
            await feed.run(subscription, from: next, after: revision)
        }
        return .writing { writer in
            writer.object { writer in
                writer.member(.subscription, Int(number))
                if known == nil {
                    writer.member(.revision, Int(part.change.revision))
                    writer.items(part.change.inserted)
                } else {
                    LibraryNotice(part.change, isWritten: true).write(to: &writer)
                }
            }
        }
    }
}

/// Ends a subscription.
struct LibraryUnwatchMethod: Method {
    let description = MethodDescription.libraryUnwatch
    let permission = MethodPermission.ownData

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        var parameters = try Parameters(call.params)
        guard let number = try parameters.integer(.subscription, in: 0...Int.max) else {
            throw parameters.mismatch(.subscription, "the number of a subscription")
        }
        try parameters.finish()
        guard call.session.subscriptions.end(UInt64(number)) else {
            throw SearchError(
                .notFound,
                "this connection has no such subscription",
                retryable: false,
                hint: "Give the number that library/watch answered on this connection.",
                path: "params.subscription"
            )
        }
        return .answered(.writing { $0.object { _ in } })
    }
}
