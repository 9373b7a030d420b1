import Catalogue
import Engine
import EventLoop
import JSON
import Personal
import RPC
import SearchModel
import Upstream

/// The methods `library/…`, which read and change a user's saved items.
struct LibraryMethods {
    let data: PersonalData
    let finder: ItemFinder
    let registry: CurrentSources
    let wallClock: @Sendable () -> Int64

    var all: [Method] {
        [save, remove, note, tag, list, get, watch, unwatch, refresh, backup]
    }

    private var save: Method {
        Method(.librarySave, on: data, capabilities: ["library"]) { [self] call, user, parameters throws(SearchError) in
            let now = wallClock()
            let drafts = try Self.drafts(&parameters, now)
            let tags = try parameters.tags(.tags)
            let note = try parameters.note()
            let client = call.client
            return { store, _ throws(SearchError) in
                var items: [SavedItem] = []
                for draft in drafts {
                    var item = try await item(draft, in: store, of: user, client, now)
                    for tag in tags { try item.add(tag: tag, path: "params.tags") }
                    if let note { item = try LibraryEdit.note(note).applied(to: item, at: now) ?? item }
                    items.append(item)
                }
                let outcome = try await store.perform(.save(items))
                return .library(outcome) { writer in
                    writer.member(.added, outcome.added)
                    writer.member(.updated, outcome.updated)
                }
            }
        }
    }

    private var remove: Method {
        Method(.libraryRemove, on: data) { _, _, parameters throws(SearchError) in
            let ids = try parameters.ids()
            return { store, _ throws(SearchError) in
                let outcome = try await store.perform(.remove(ids: ids))
                return .library(outcome) { $0.member(.removed, outcome.items.count) }
            }
        }
    }

    private var note: Method {
        Method(.libraryNote, on: data) { _, _, parameters throws(SearchError) in
            let id = try parameters.requiredString(.id)
            let edit: LibraryEdit
            switch (try parameters.note(), try parameters.string(.remove)) {
            case (let note?, nil): edit = .note(note)
            case (nil, let removed?): edit = .removeNote(id: removed)
            default:
                throw Parameters.invalid(
                    "params.note",
                    "one of \"note\" and \"remove\" is needed",
                    hint: "Give a note, or the id of a note to remove."
                )
            }
            return { [edit] store, _ throws(SearchError) in
                .library(try await store.perform(.edit(ids: [id], edit)))
            }
        }
    }

    private var tag: Method {
        Method(.libraryTag, on: data) { _, _, parameters throws(SearchError) in
            let ids = try parameters.ids()
            let (added, removed) = (try parameters.tags(.add), try parameters.tags(.remove))
            guard !added.isEmpty || !removed.isEmpty else {
                throw Parameters.invalid("params.add", "no tag is given", hint: "Give \"add\", \"remove\" or both.")
            }
            let request = LibraryRequest.edit(ids: ids, .tags(add: added, remove: removed))
            return { store, _ throws(SearchError) in
                let outcome = try await store.perform(request)
                return .library(outcome) { $0.member(.updated, outcome.updated) }
            }
        }
    }

    private var refresh: Method {
        Method(.libraryRefresh, on: data) { _, user, parameters throws(SearchError) in
            let ids = try parameters.optionalIDs()
            return { _, _ throws(SearchError) in
                let outcome = try await user.queueRefreshes(ids)
                return .object { writer in
                    writer.member(.queued, outcome.queued)
                    writer.member(.left, outcome.left)
                }
            }
        }
    }

    private var backup: Method {
        Method(.libraryBackup, on: data) { _, _, _ in
            { store, _ throws(SearchError) in .object(try await store.backUp().write) }
        }
    }

    private var get: Method {
        Method(.libraryGet, on: data) { _, _, parameters throws(SearchError) in
            let id = try parameters.requiredString(.id)
            return { store, _ throws(SearchError) in
                let (item, revision) = (try await store.item(id), try await store.revision())
                guard let item else {
                    throw SearchError(
                        .notFound,
                        "No saved item has this id.",
                        retryable: false,
                        hint: "library/list lists the saved items.",
                        path: "params.id"
                    )
                }
                return .object { writer in
                    writer.member(.item, item.json)
                    writer.member(.revision, Int(revision))
                }
            }
        }
    }

    private var list: Method {
        Method(.libraryList, on: data, memory: LibraryQuery.pageBytesMax) { _, _, parameters throws(SearchError) in
            let query = try parameters.libraryQuery()
            return { store, _ throws(SearchError) in
                let page = try await store.page(query)
                return .object { writer in
                    if let groups = page.groups { Self.write(groups, to: &writer) } else { writer.items(page.items) }
                    writer.member(.total, page.total)
                    writer.member(.revision, Int(page.revision))
                    writer.name(.next)
                    if let next = page.next { writer.string(next.text) } else { writer.null() }
                }
            }
        }
    }

    private static func write(_ groups: [LibraryPage.Group], to writer: inout JSONWriter) {
        writer.array(.groups) { writer in
            for group in groups {
                writer.object { writer in
                    writer.member(.name, group.name)
                    writer.member(.count, group.count)
                    writer.items(group.items)
                }
            }
        }
    }

    private var watch: Method {
        Method(.libraryWatch, on: data, memory: LibraryChanges.bytesMax) { _, user, parameters throws(SearchError) in
            let since = try parameters.integer(.since, in: 0...Int.max)
            return { store, stream throws(SearchError) in
                // The feed starts before the library is read, so no change is missed.
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
        var part: LibraryChanges?
        if let since { part = try await store.changes(after: LibraryPosition(after: since)) }
        let hasChanges = part != nil
        if part == nil { part = try await store.changes(after: LibraryPosition(after: 0)) }
        guard let part else { throw SearchError(.internal, "the library's changes could not be read") }
        guard !Task.isCancelled else { throw SearchError(.cancelled, "the request was cancelled") }
        // The code from here to the answer must not wait, because the answer must precede the feed's first notice.
        // The feed may run for hours, so it must not capture the items.
        let (next, revision) = (part.next, part.change.revision)
        let number = try stream.session.subscriptions.begin { subscription in
            await feed.run(subscription, from: next, after: revision)
        }
        return .object { writer in
            writer.member(.subscription, Int(number))
            if hasChanges {
                LibraryNotice(part.change, isWritten: true).write(to: &writer)
            } else {
                writer.member(.revision, Int(revision))
                writer.items(part.change.inserted)
            }
        }
    }

    private var unwatch: Method {
        Method(.libraryUnwatch, for: .ownData) { call, parameters throws(SearchError) in
            guard let number = try parameters.integer(.subscription, in: 0...Int.max) else {
                throw parameters.mismatch(.subscription, "the number of a subscription")
            }
            try parameters.finish()
            guard call.session.subscriptions.end(UInt64(number)) else {
                throw SearchError(
                    .notFound,
                    "this connection has no such subscription",
                    retryable: false,
                    hint: "Give the number from the answer of library/watch on this connection.",
                    path: "params.subscription"
                )
            }
            return .answered(.object { _ in })
        }
    }

    private enum Draft: Sendable {
        case item(SavedItem)
        case id(String, path: String)
    }

    private static func drafts(_ parameters: inout Parameters, _ now: Int64) throws(SearchError) -> [Draft] {
        let hit = try parameters.object(.hit)
        let id = try parameters.string(.id)
        let list = try parameters.list(.items, countMax: WireBounds.libraryItemsMax)
        switch (hit, id, list) {
        case (let hit?, nil, nil): return [.item(try SavedItem(hit.value, savedNow: now, path: "params.hit"))]
        case (nil, let id?, nil): return [.id(id, path: "params.id")]
        case (nil, nil, let list?) where !list.isEmpty:
            var drafts: [Draft] = []
            for (index, element) in list.enumerated() {
                drafts.append(try draft(element.value, now, path: "params.items[\(index)]"))
            }
            return drafts
        case (nil, nil, _):
            let path = list == nil ? "params.hit" : "params.items"
            throw Parameters.invalid(path, "does not say what to save", hint: "Give \"hit\", \"id\" or \"items\".")
        default:
            let problem = "\"hit\", \"id\" and \"items\" can't be combined"
            throw Parameters.invalid("params", problem, hint: "Give one of them.")
        }
    }

    private static func draft(_ value: JSONValue, _ now: Int64, path: String) throws(SearchError) -> Draft {
        if let id = value.string { return .id(id, path: path) }
        if value.members?.count == 1 {
            if let hit = value[.hit] { return .item(try SavedItem(hit, savedNow: now, path: "\(path).hit")) }
            if let id = value[.id]?.string { return .id(id, path: "\(path).id") }
        }
        return .item(try SavedItem(value, savedNow: now, path: path))
    }

    private func item(
        _ draft: Draft,
        in store: PersonalStore,
        of user: UserData,
        _ client: ClientIdentity,
        _ now: Int64
    ) async throws(SearchError) -> SavedItem {
        switch draft {
        case .item(let item): return item
        case .id(let id, let path):
            if let saved = try await store.item(id) { return saved }
            return SavedItem(try await known(id, of: user, client, path: path), savedAt: now)
        }
    }

    private func known(
        _ id: String,
        of user: UserData,
        _ client: ClientIdentity,
        path: String
    ) async throws(SearchError) -> SavedHit {
        let unknown = SearchError(
            .notFound,
            "No hit on this machine has this id.",
            retryable: false,
            hint: "Search for it first, or give the whole hit.",
            path: path
        )
        guard var request = ItemRequest(id: id) else { throw unknown }
        request.terms.offline = true
        request.terms.client = client
        request.ownHit = data.hitFinder(of: id, for: user)
        do throws(SearchError) {
            let found = try await finder.find(request, of: registry.current[request.source]?.profile)
            guard let document = try? JSONDocument(found.hit.bytes) else { throw unknown }
            return try SavedHit(document.root.value, path: path)
        } catch {
            throw error.kind == .notFound ? unknown : error
        }
    }
}

extension Reply {
    static func library(_ outcome: LibraryOutcome, _ more: (inout JSONWriter) -> Void = { _ in }) -> Reply {
        .object { writer in
            writer.items(outcome.items)
            more(&writer)
            writer.member(.revision, Int(outcome.revision))
        }
    }
}

extension JSONWriter {
    fileprivate mutating func items(_ items: [SavedItem]) {
        array(.items) { writer in
            for item in items { writer.raw(item.jsonBytes) }
        }
    }

    fileprivate mutating func items(_ items: [[UInt8]]) {
        array(.items) { writer in
            for item in items { writer.raw(item) }
        }
    }
}
