import Engine
import EventLoop
import JSON
import Personal
import RPC
import SearchModel
import Upstream

/// Saves hits: as they are given, or by the ids of those that this machine knows.
struct LibrarySaveMethod: Method {
    let description = MethodDescription.librarySave
    let permission = MethodPermission.ownData
    let capabilities = ["library"]
    let data: PersonalData
    let finder: ItemFinder
    let directory: DirectoryBox
    /// Seconds since 1970.
    let wallClock: @Sendable () -> Int64

    /// What is to be saved, before ids are looked up.
    private enum Draft: Sendable {
        case item(SavedItem)
        case id(String, path: String)
    }

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        let user = try data.user(of: call)
        var parameters = try Parameters(call.params)
        let now = wallClock()
        let drafts = try Self.drafts(&parameters, now)
        let tags = try parameters.tags(.tags)
        let note = try parameters.note()
        try parameters.finish()
        let client = call.client
        return .running(channel: nil, memory: SavedItem.bytesMax) { [self] _ throws(SearchError) in
            try await user.use { store throws(SearchError) in
                var items: [SavedItem] = []
                for draft in drafts {
                    var item = try await item(draft, in: store, of: user, client, now)
                    for tag in tags { try item.add(tag: tag, path: "params.tags") }
                    if let note { item = try LibraryEdit.note(note).applied(to: item, at: now) ?? item }
                    items.append(item)
                }
                let outcome = try await store.perform(.save(items))
                return .library(outcome) { $0.member(.added, outcome.added) }
            }
        }
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
        case (nil, nil, nil), (nil, nil, _?):
            throw Parameters.invalid(
                list == nil ? "params.hit" : "params.items",
                "nothing to save is given",
                hint: "Give \"hit\", \"id\" or \"items\"."
            )
        default:
            throw Parameters.invalid(
                "params",
                "\"hit\", \"id\" and \"items\" exclude each other",
                hint: "Give one of them."
            )
        }
    }

    /// One of several: a hit or an item, the id of a hit, or what this method takes alone.
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

    /// A hit that this machine knows; no source is asked.
    private func known(
        _ id: String,
        of user: UserData,
        _ client: ClientIdentity,
        path: String
    ) async throws(SearchError) -> SavedHit {
        guard var request = ItemRequest(id: id) else { throw Self.unknown(path) }
        request.offline = true
        request.client = client
        request.ownHit = data.hitFinder(of: id, for: user)
        do throws(SearchError) {
            let found = try await finder.find(request, of: directory.current[request.source]?.profile)
            guard let document = try? JSONDocument(found.hit.bytes) else { throw Self.unknown(path) }
            return try SavedHit(document.root.value, path: path)
        } catch {
            throw error.kind == .notFound ? Self.unknown(path) : error
        }
    }

    private static func unknown(_ path: String) -> SearchError {
        SearchError(
            .notFound,
            "No hit on this machine has this id.",
            retryable: false,
            hint: "Search for it first, or give the whole hit.",
            path: path
        )
    }
}
