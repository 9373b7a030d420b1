import JSON
import Personal
import RPC
import SearchModel

/// The parameters that several methods of the library have.
extension Parameters {
    mutating func ids() throws(SearchError) -> [String] {
        guard let ids = try optionalIDs() else { throw idsMismatch }
        return ids
    }

    mutating func optionalIDs() throws(SearchError) -> [String]? {
        guard let ids = try strings(.ids, countMax: WireBounds.libraryItemsMax) else { return nil }
        guard !ids.isEmpty else { throw idsMismatch }
        return ids
    }

    private var idsMismatch: SearchError { mismatch(.ids, "a list of 1 to \(WireBounds.libraryItemsMax) ids") }

    mutating func tags(_ name: Member) throws(SearchError) -> [Tag] {
        guard let texts = try strings(name, countMax: SavedItem.tagsMax) else { return [] }
        var tags: [Tag] = []
        for (index, text) in texts.enumerated() {
            tags.append(try Tag(value: .string(text), path: "params.\(name)[\(index)]"))
        }
        return tags
    }

    mutating func note() throws(SearchError) -> NoteDraft? {
        guard let note = try object(.note) else { return nil }
        return try NoteDraft(note.value, path: "params.note")
    }

    /// An instant, or the first or last second of a date in UTC.
    mutating func instant(_ name: Member, isEnd: Bool) throws(SearchError) -> Int64? {
        guard let text = try string(name) else { return nil }
        if text.utf8.count <= 40 {
            if let seconds = RFC3339.epochSeconds(text) { return seconds }
            if let start = RFC3339.epochSeconds(text + "T00:00:00Z") { return isEnd ? start + 86_399 : start }
        }
        throw mismatch(name, "a date as 2024-03-09, or an instant as 2024-03-09T11:51:51+09:00")
    }
}

extension Reply {
    /// Items as they are now, and the revision of their library.
    static func library(_ outcome: LibraryOutcome, _ more: (inout JSONWriter) -> Void = { _ in }) -> Reply {
        .writing { writer in
            writer.object { writer in
                writer.items(outcome.items)
                more(&writer)
                writer.member(.revision, Int(outcome.revision))
            }
        }
    }
}

extension JSONWriter {
    mutating func items(_ items: [SavedItem]) {
        array(.items) { writer in
            for item in items { writer.raw(item.jsonBytes) }
        }
    }

    mutating func items(_ items: [KeptItem]) {
        array(.items) { writer in
            for item in items { writer.raw(item.bytes) }
        }
    }
}
