import JSON

/// What a client knows of a library that follows its changes over the ends of the daemon; pure.
///
/// Invariant: after each change `items` is the library as of `revision`, unless there are `problems`.
struct LibraryFollower {
    private(set) var revision = 0
    private(set) var items: LibraryItems = [:]
    /// What a follower must never see.
    private(set) var problems: [String] = []
    private(set) var changes = 0

    /// The answer to `library/watch` since the revision known.
    mutating func began(_ answer: JSONCursor) {
        guard let now = answer["revision"]?.int, now >= revision else {
            return problems.append("resumed at revision \(answer["revision"]?.int ?? -1) after \(revision)")
        }
        revision = now
        if let all = answer["items"] {
            items = LibraryItems(all)
        } else {
            take(answer)
        }
    }

    /// A notice.
    mutating func told(_ notice: JSONCursor) {
        guard let now = notice["revision"]?.int, now > revision else {
            return problems.append("was told of revision \(notice["revision"]?.int ?? -1) after \(revision)")
        }
        guard notice["reset"]?.bool != true else { return problems.append("was reset at revision \(now)") }
        (revision, changes) = (now, changes + 1)
        for id in LibraryItems(notice["inserted"]).keys where items[id] != nil {
            problems.append("saw \(id) inserted twice")
        }
        for id in LibraryItems(notice["updated"]).keys where items[id] == nil {
            problems.append("saw \(id) change that it had not seen inserted")
        }
        take(notice)
    }

    private mutating func take(_ change: JSONCursor) {
        change["deleted"]?.forEachElement { id in if let id = id.string { items[id] = nil } }
        for member in ["inserted", "updated"] { items.merge(LibraryItems(change[member])) { $1 } }
    }
}
