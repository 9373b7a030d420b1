import JSON
package import SearchModel

/// A change of a saved item.
package enum LibraryEdit: Sendable {
    case note(Note)
    case removeNote(id: String)
    case tags(add: [Tag], remove: [Tag])
    case refresh(SavedHit)

    /// Returns nil if nothing changes; throws `notFound` for an unknown note.
    package func applied(to item: SavedItem, at now: Int64) throws(SearchError) -> SavedItem? {
        var changed = item
        switch self {
        case .note(var note):
            note.at = now
            if note.id.isEmpty {
                try changed.add(note)
            } else {
                let index = try Self.index(of: note.id, in: item)
                if !note.hasSameContent(as: item.notes[index]) { changed.notes[index] = note }
            }
        case .removeNote(let id): changed.notes.remove(at: try Self.index(of: id, in: item))
        case .tags(let added, let removed):
            changed.tags.removeAll { removed.contains($0) }
            for tag in added where !removed.contains(tag) { try changed.add(tag: tag, path: "params.add") }
        case .refresh(let record): changed = try Self.refreshed(item, to: record, at: now)
        }
        guard changed != item else { return nil }
        changed.updatedAt = now
        try changed.checkSize(path: "params")
        return changed
    }

    private static func index(of id: String, in item: SavedItem) throws(SearchError) -> Int {
        if let index = item.note(id) { return index }
        let message = "The item has no note \(id)."
        throw SearchError(.notFound, message, hint: "library/get lists its notes.", path: "params.note.id")
    }

    /// Changes of these members are recorded; other members, such as the snippet, depend on the query.
    private static let watchedMembers: [Member] = [.title, .author, .published, .url]
    private static let watchedExtras = [
        "price", "salePrice", "currency", "version", "rating", "isbn", "publisher",
    ]

    /// Keeps members that the new `record` lacks, and adds changes of watched members to `changes`.
    private static func refreshed(
        _ item: SavedItem,
        to record: SavedHit,
        at now: Int64
    ) throws(SearchError) -> SavedItem {
        var changed = item
        changed.hit = try item.hit.updated(by: record)
        let members = watchedMembers.map { ($0.description, item.hit[$0], changed.hit[$0]) }
        let extras = watchedExtras.map { ($0, item.hit.extra($0), changed.hit.extra($0)) }
        var found: [FieldChange] = []
        for case (let field, let old?, let new?) in members + extras where old.bytes != new.bytes {
            found.append(FieldChange(at: now, field: field, from: old, to: new))
        }
        // If the price also changed, the change of the sale price is not recorded.
        if found.contains(where: { $0.field == "price" }) { found.removeAll { $0.field == "salePrice" } }
        changed.changes += found
        changed.changes.removeFirst(max(0, changed.changes.count - SavedItem.changesMax))
        while changed.bytes > SavedItem.bytesMax, !changed.changes.isEmpty { changed.changes.removeFirst() }
        return changed
    }
}
