import JSON
import RPC
import SearchModel

/// What is saved, noted and tagged, and how that is taken back.
extension LiveModel {
    mutating func saveOrForget() {
        guard let item = pane.list.current else { return }
        if isSaved(item.id) {
            send(.libraryRemove, .forget) { $0.member(.ids, [item.id.text]) }
        } else {
            save(item)
        }
    }

    private mutating func save(_ item: HitList.Item, _ more: (inout JSONWriter) -> Void = { _ in }) {
        send(.librarySave, .save) { writer in
            writer.array(.items) { $0.raw(SavedMembers.json(of: item.hit, SavedMembers.ofHit)) }
            more(&writer)
        }
    }

    /// Asks for the note, or the tags, of the selected item: with what it has, when it is saved.
    mutating func editKept(isNote: Bool) {
        guard let item = pane.list.current else { return }
        guard isSaved(item.id) else {
            overlay = .prompt(ItemPrompt(isNote ? .note(replacing: nil) : .tags([]), item, isSaved: false))
            return
        }
        send(.libraryGet, isNote ? .editNote(item.id) : .editTags(item.id)) { $0.member(.id, item.id.text) }
    }

    /// Does what a prompt was filled in for.
    mutating func apply(_ prompt: ItemPrompt) {
        let id = prompt.item.id.text
        let text = prompt.field.text
        switch prompt.subject {
        case .note(let replaced):
            if text.isEmpty, prompt.rating == 0 {
                guard let replaced else { return }
                return send(.libraryNote, .note(before: noteUndo(prompt))) { writer in
                    writer.member(.id, id)
                    writer.member(.remove, replaced)
                }
            }
            let note = Self.note(id: replaced, text: text, rating: prompt.rating)
            guard prompt.isSaved else { return save(prompt.item) { $0.member(.note, raw: note) } }
            send(.libraryNote, .note(before: noteUndo(prompt))) { writer in
                writer.member(.id, id)
                writer.member(.note, raw: note)
            }
        case .tags(let before):
            let after = TagList.tags(text)
            guard prompt.isSaved else {
                return save(prompt.item) { if !after.isEmpty { $0.member(.tags, after) } }
            }
            let added = after.filter { tag in !before.contains { $0.hasSameBytes(as: tag) } }
            let removed = before.filter { tag in !after.contains { $0.hasSameBytes(as: tag) } }
            guard !added.isEmpty || !removed.isEmpty else { return }
            let undo = LiveUndo(
                method: .libraryTag,
                params: Self.tagParams(id, added: removed, removed: added),
                text: "the tags are as before"
            )
            send(.libraryTag, .tag(undo), params: Self.tagParams(id, added: added, removed: removed))
        }
    }

    mutating func undo() {
        guard let undo = undos.popLast() else { return message = ("nothing to undo", false) }
        send(undo.method, .undo, params: undo.params)
        message = ("undone: \(undo.text)", false)
    }

    // MARK: Answers

    mutating func keepingAnswered(_ purpose: LiveRequests.Purpose, _ result: JSONCursor) {
        let changed = (result[.items]?.elements ?? []) + [result[.item]].compactMap(\.self)
        guard let first = changed.first else {
            if purpose == .forget { message = ("it was not saved any more", false) }
            return
        }
        let id = ExactText(first[.id]?.string ?? "")
        let name = SavedText(first).name
        switch purpose {
        case .save:
            saved.insert(id)
            if result[.added]?.int ?? 0 > 0 {
                let params = JSONWriter.bytes { $0.member(.ids, [id.text]) }
                keep(LiveUndo(method: .libraryRemove, params: params, text: "\(name) is no longer saved"))
            }
            message = ("saved \(name) · u undoes it", false)
        case .forget:
            saved.remove(id)
            let params = JSONWriter.bytes { writer in
                writer.array(.items) { writer in for item in changed { writer.raw(SavedMembers.json(of: item)) } }
            }
            keep(LiveUndo(method: .librarySave, params: params, text: "\(name) is saved again"))
            message = ("forgot \(name) · u undoes it", false)
        case .note(let before):
            keep(before ?? Self.removal(ofLastNoteOf: first, id))
            message = ("the note of \(name) is kept · u undoes it", false)
        case .tag(let undo):
            keep(undo)
            message = ("\(name): \(SavedText(first).tags.isEmpty ? "no tags" : SavedText(first).tags)", false)
        case .editNote(let asked): if pane.list.current?.id == asked { promptForNote(first) }
        case .editTags(let asked): if pane.list.current?.id == asked { promptForTags(first) }
        default: break
        }
        if details?.id == id, purpose != .forget { details?.saved = first }
    }

    private mutating func keep(_ undo: LiveUndo?) {
        guard let undo else { return }
        undos = (undos + [undo]).suffix(LiveUndo.countMax)
    }

    private mutating func promptForNote(_ item: JSONCursor) {
        guard let current = pane.list.current else { return }
        // What one line can't show is not replaced by one: another note is written then.
        let note = (item[.notes]?.elements ?? []).last { note in
            note[.title] == nil && note[.text]?.string?.utf8.contains(UInt8(ascii: "\n")) != true
        }
        let subject = ItemPrompt.Subject.note(replacing: note?[.id]?.string)
        let (text, rating) = (note?[.text]?.string ?? "", note?[.rating]?.int ?? 0)
        overlay = .prompt(ItemPrompt(subject, current, isSaved: true, text: text, rating: rating))
    }

    private mutating func promptForTags(_ item: JSONCursor) {
        guard let current = pane.list.current else { return }
        let tags = (item[.tags]?.elements ?? []).compactMap(\.string)
        let text = tags.isEmpty ? "" : tags.map { TagList.text([$0]) + ", " }.joined()
        overlay = .prompt(ItemPrompt(.tags(tags), current, isSaved: true, text: text))
    }

    /// What brings back the note that a prompt began with; nil when there was none.
    private func noteUndo(_ prompt: ItemPrompt) -> LiveUndo? {
        guard case .note(let id?) = prompt.subject, let original = prompt.original else { return nil }
        let isRemoval = prompt.field.isEmpty && prompt.rating == 0
        let note = Self.note(id: isRemoval ? nil : id, text: original.text, rating: original.rating)
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

    private static func note(id: String?, text: String, rating: Int) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.id, id)
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
