import Client
import JSON
import RPC
import SearchModel

/// What is saved, noted and tagged here, and how that is taken back; pure.
struct LibraryChanges {
    private var undos: [LiveUndo] = []

    // MARK: Asking

    func forget(_ id: ExactText, _ outbox: inout LiveOutbox) {
        outbox.send(.libraryRemove, .forget) { $0.member(.ids, [id.text]) }
    }

    func save(
        _ item: HitList.Item,
        _ outbox: inout LiveOutbox,
        _ more: (inout JSONWriter) -> Void = { _ in }
    ) {
        outbox.send(.librarySave, .save) { writer in
            writer.array(.items) { $0.raw(SavedMembers.json(of: item.hit, SavedMembers.ofHit)) }
            more(&writer)
        }
    }

    /// Does what a prompt was filled in for.
    func apply(_ prompt: ItemPrompt, _ outbox: inout LiveOutbox) {
        switch prompt.subject {
        case .note(let replaced): note(prompt, replacing: replaced, &outbox)
        case .tags(let before): tag(prompt, before: before, &outbox)
        }
    }

    private func note(_ prompt: ItemPrompt, replacing replaced: String?, _ outbox: inout LiveOutbox) {
        let id = prompt.item.id.text
        if prompt.isEmpty {
            guard let replaced else { return }
            return outbox.send(.libraryNote, .note(before: Self.noteUndo(prompt))) { writer in
                writer.member(.id, id)
                writer.member(.remove, replaced)
            }
        }
        let note = Self.note(id: replaced, title: prompt.title, text: prompt.text, rating: prompt.rating)
        guard prompt.isSaved else { return save(prompt.item, &outbox) { $0.member(.note, raw: note) } }
        outbox.send(.libraryNote, .note(before: Self.noteUndo(prompt))) { writer in
            writer.member(.id, id)
            writer.member(.note, raw: note)
        }
    }

    private func tag(_ prompt: ItemPrompt, before: [String], _ outbox: inout LiveOutbox) {
        let id = prompt.item.id.text
        let after = TagList.tags(prompt.field.text)
        guard prompt.isSaved else {
            return save(prompt.item, &outbox) { if !after.isEmpty { $0.member(.tags, after) } }
        }
        let added = after.filter { tag in !before.contains { $0.hasSameBytes(as: tag) } }
        let removed = before.filter { tag in !after.contains { $0.hasSameBytes(as: tag) } }
        guard !added.isEmpty || !removed.isEmpty else { return }
        let undo = LiveUndo(
            method: .libraryTag,
            params: Self.tagParams(id, added: removed, removed: added),
            text: "the tags are as before"
        )
        outbox.send(.libraryTag, .tag(undo), params: Self.tagParams(id, added: added, removed: removed))
    }

    /// Takes the last change back; what that was, or nil when there is none.
    mutating func undo(_ outbox: inout LiveOutbox) -> String? {
        guard let undo = undos.popLast() else { return nil }
        outbox.send(undo.method, .undo, params: undo.params)
        return undo.text
    }

    // MARK: Answers

    /// What has changed, as an answer of the daemon says.
    struct Answer {
        let items: [JSONCursor]
        let first: JSONCursor
        let id: ExactText
        let name: String

        /// Nil when nothing has changed.
        init?(_ result: JSONCursor) {
            items = (result[.items]?.elements ?? []) + [result[.item]].compactMap(\.self)
            guard let first = items.first else { return nil }
            self.first = first
            id = ExactText(first[.id]?.string ?? "")
            name = SavedText(first).name
        }
    }

    /// Keeps how a change is taken back; what is said of it.
    mutating func received(_ answer: Answer, of purpose: LiveOutbox.Purpose, wasAdded: Bool) -> String? {
        let name = answer.name
        switch purpose {
        case .save:
            if wasAdded {
                let params = JSONWriter.bytes { $0.member(.ids, [answer.id.text]) }
                keep(LiveUndo(method: .libraryRemove, params: params, text: "\(name) is no longer saved"))
            }
            return "saved \(name) · u undoes it"
        case .forget:
            let params = JSONWriter.bytes { writer in
                writer.array(.items) { writer in for item in answer.items { writer.raw(SavedMembers.json(of: item)) } }
            }
            keep(LiveUndo(method: .librarySave, params: params, text: "\(name) is saved again"))
            return "forgot \(name) · u undoes it"
        case .note(let before):
            keep(before ?? Self.removal(ofLastNoteOf: answer.first, answer.id))
            return "the note of \(name) is kept · u undoes it"
        case .tag(let undo):
            keep(undo)
            let tags = SavedText(answer.first).tags
            return "\(name): \(tags.isEmpty ? "no tags" : tags)"
        default: return nil
        }
    }

    private mutating func keep(_ undo: LiveUndo?) {
        guard let undo else { return }
        undos = (undos + [undo]).suffix(LiveUndo.countMax)
    }

    /// What brings back the note that a prompt began with; nil when there was none.
    private static func noteUndo(_ prompt: ItemPrompt) -> LiveUndo? {
        guard case .note(let id?) = prompt.subject, let original = prompt.original else { return nil }
        let note = note(
            id: prompt.isEmpty ? nil : id,
            title: prompt.title,
            text: original.text,
            rating: original.rating
        )
        let params = JSONWriter.bytes { writer in
            writer.member(.id, prompt.item.id.text)
            writer.member(.note, raw: note)
        }
        return LiveUndo(method: .libraryNote, params: params, text: "the note is as before")
    }

    private static func removal(ofLastNoteOf item: JSONCursor, _ id: ExactText) -> LiveUndo? {
        guard let note = item[.notes]?.elements.last?[.id]?.string else { return nil }
        let params = JSONWriter.bytes { writer in
            writer.member(.id, id.text)
            writer.member(.remove, note)
        }
        return LiveUndo(method: .libraryNote, params: params, text: "the note is gone")
    }

    private static func note(id: String?, title: String?, text: String, rating: Int) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.id, id)
            writer.member(.title, title)
            writer.member(.text, text.isEmpty ? nil : text)
            writer.member(.rating, rating == 0 ? nil : rating)
        }
    }

    private static func tagParams(_ id: String, added: [String], removed: [String]) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.ids, [id])
            if !added.isEmpty { writer.member(.add, added) }
            if !removed.isEmpty { writer.member(.remove, removed) }
        }
    }
}

/// How a change of the library is taken back; pure.
struct LiveUndo: Equatable {
    static let countMax = 100

    let method: MethodName
    let params: [UInt8]
    /// What has been taken back then.
    let text: String
}
