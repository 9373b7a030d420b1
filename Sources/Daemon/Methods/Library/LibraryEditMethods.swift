import JSON
import Personal
import RPC
import SearchModel

/// Removes saved items.
struct LibraryRemoveMethod: Method {
    let description = MethodDescription.libraryRemove
    let permission = MethodPermission.ownData
    let data: PersonalData

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        let user = try data.user(of: call)
        var parameters = try Parameters(call.params)
        let ids = try parameters.ids()
        try parameters.finish()
        return .running(channel: nil, memory: SavedItem.bytesMax) { _ throws(SearchError) in
            let outcome = try await user.use { store throws(SearchError) in try await store.perform(.remove(ids: ids)) }
            return .library(outcome) { $0.member(.removed, outcome.items.count) }
        }
    }
}

/// Adds, replaces or removes a note.
struct LibraryNoteMethod: Method {
    let description = MethodDescription.libraryNote
    let permission = MethodPermission.ownData
    let data: PersonalData

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        let user = try data.user(of: call)
        var parameters = try Parameters(call.params)
        let id = try parameters.requiredString(.id)
        let note = try parameters.note()
        let removed = try parameters.string(.remove)
        try parameters.finish()
        let edit: LibraryEdit
        switch (note, removed) {
        case (let note?, nil): edit = .note(note)
        case (nil, let removed?): edit = .removeNote(id: removed)
        default:
            throw Parameters.invalid(
                "params.note",
                "one of \"note\" and \"remove\" is needed",
                hint: "Give a note to write, or the id of one to remove."
            )
        }
        return .running(channel: nil, memory: SavedItem.bytesMax) { _ throws(SearchError) in
            .library(
                try await user.use { store throws(SearchError) in try await store.perform(.edit(ids: [id], edit)) }
            )
        }
    }
}

/// Adds tags and removes others.
struct LibraryTagMethod: Method {
    let description = MethodDescription.libraryTag
    let permission = MethodPermission.ownData
    let data: PersonalData

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        let user = try data.user(of: call)
        var parameters = try Parameters(call.params)
        let ids = try parameters.ids()
        let (added, removed) = (try parameters.tags(.add), try parameters.tags(.remove))
        try parameters.finish()
        guard !added.isEmpty || !removed.isEmpty else {
            throw Parameters.invalid("params.add", "no tag is given", hint: "Give \"add\", \"remove\" or both.")
        }
        let request = LibraryRequest.edit(ids: ids, .tags(add: added, remove: removed))
        return .running(channel: nil, memory: SavedItem.bytesMax) { _ throws(SearchError) in
            .library(try await user.use { store throws(SearchError) in try await store.perform(request) })
        }
    }
}
