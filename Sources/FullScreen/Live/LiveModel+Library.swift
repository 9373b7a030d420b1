import Client
import JSON
import RPC
import SearchModel

/// A requested change of the library.
struct LibraryChange: Equatable {
    enum Kind: Equatable {
        case save, forget, note, tag
    }

    let kind: Kind
    /// Nil if only the answer tells how to undo the change.
    var undo: LiveUndo?
}

/// A request that undoes a change of the library, and the text that is then shown.
struct LiveUndo: Equatable {
    static let countMax = 100

    let method: MethodName
    let params: [UInt8]
    let text: String
}

extension LiveModel {
    mutating func forget(_ item: HitList.Item) {
        send(.libraryRemove, .change(LibraryChange(kind: .forget))) { $0.member(.ids, [item.id.text]) }
    }

    mutating func save(_ item: HitList.Item, _ more: (inout JSONWriter) -> Void = { _ in }) {
        send(.librarySave, .change(LibraryChange(kind: .save))) { writer in
            writer.array(.items) { $0.raw(SavedMembers.json(of: item.hit, SavedMembers.ofHit)) }
            more(&writer)
        }
    }

    mutating func apply(_ prompt: ItemPrompt) {
        if prompt.isNote { note(prompt) } else { tag(prompt) }
    }

    /// Removes the note if the prompt has neither text nor stars.
    private mutating func note(_ prompt: ItemPrompt) {
        let (item, old) = (prompt.item.id, prompt.note)
        let isEmpty = prompt.field.isEmpty && prompt.rating == 0
        if isEmpty, old == nil { return }
        let id = old?[.id]?.string
        let note = Self.note(id: id, old, text: prompt.field.text, rating: prompt.rating)
        guard prompt.saved != nil else { return save(prompt.item) { $0.member(.note, raw: note) } }
        var change = LibraryChange(kind: .note)
        if let old {
            let text = old[.text]?.string ?? ""
            let before = Self.note(id: isEmpty ? nil : id, old, text: text, rating: old[.rating]?.int ?? 0)
            let params = Self.noteParams(item) { $0.member(.note, raw: before) }
            change.undo = LiveUndo(method: .libraryNote, params: params, text: "the old note is back")
        }
        let params = Self.noteParams(item) { writer in
            if isEmpty { writer.member(.remove, id) } else { writer.member(.note, raw: note) }
        }
        send(.libraryNote, .change(change), params: params)
    }

    private mutating func tag(_ prompt: ItemPrompt) {
        let (before, after) = (prompt.tags, TagList.tags(prompt.field.text))
        guard prompt.saved != nil else {
            return save(prompt.item) { if !after.isEmpty { $0.member(.tags, after) } }
        }
        let added = after.filter { tag in !before.contains { $0.hasSameBytes(as: tag) } }
        let removed = before.filter { tag in !after.contains { $0.hasSameBytes(as: tag) } }
        guard !added.isEmpty || !removed.isEmpty else { return }
        let id = prompt.item.id
        let undo = LiveUndo(
            method: .libraryTag,
            params: Self.tagParams(id, added: removed, removed: added),
            text: "the old tags are back"
        )
        let params = Self.tagParams(id, added: added, removed: removed)
        send(.libraryTag, .change(LibraryChange(kind: .tag, undo: undo)), params: params)
    }

    mutating func undo() -> String? {
        guard let undo = undos.popLast() else { return nil }
        send(undo.method, .other, params: undo.params)
        return undo.text
    }

    mutating func finish(_ change: LibraryChange, _ result: JSONCursor) {
        let items = (result[.items]?.elements ?? []) + [result[.item]].compactMap(\.self)
        guard let item = items.first else {
            if change.kind == .forget { message = ("the item had already been removed", false) }
            return
        }
        let id = ExactText(item[.id]?.string ?? "")
        let name = SavedText(item).name
        var undo = change.undo
        switch change.kind {
        case .save:
            saved.insert(id)
            if result[.added]?.int ?? 0 > 0 {
                let params = JSONWriter.bytes { $0.member(.ids, [id.text]) }
                undo = LiveUndo(method: .libraryRemove, params: params, text: "\(name) is no longer saved")
            }
            message = ("saved \(name) · u undoes it", false)
        case .forget:
            saved.remove(id)
            let params = JSONWriter.bytes { writer in
                writer.array(.items) { writer in for item in items { writer.raw(SavedMembers.json(of: item)) } }
            }
            undo = LiveUndo(method: .librarySave, params: params, text: "\(name) is saved again")
            message = ("removed \(name) · u undoes it", false)
        case .note:
            if undo == nil, let note = item[.notes]?.elements.last?[.id]?.string {
                let params = Self.noteParams(id) { $0.member(.remove, note) }
                undo = LiveUndo(method: .libraryNote, params: params, text: "the note is removed")
            }
            message = ("changed the note of \(name) · u undoes it", false)
        case .tag:
            let tags = SavedText(item).tags
            message = ("\(name): \(tags.isEmpty ? "no tags" : tags)", false)
        }
        if let undo { undos = (undos + [undo]).suffix(LiveUndo.countMax) }
    }

    private static func note(id: String?, _ old: JSONCursor?, text: String, rating: Int) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.id, id)
            writer.member(.title, old?[.title]?.string)
            writer.member(.text, text.isEmpty ? nil : text)
            writer.member(.rating, rating == 0 ? nil : rating)
        }
    }

    private static func noteParams(_ id: ExactText, _ more: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.id, id.text)
            more(&writer)
        }
    }

    private static func tagParams(_ id: ExactText, added: [String], removed: [String]) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.ids, [id.text])
            if !added.isEmpty { writer.member(.add, added) }
            if !removed.isEmpty { writer.member(.remove, removed) }
        }
    }
}
