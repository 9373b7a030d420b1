import JSON
import RPC
import SearchModel

/// Walks a library from its oldest item to its newest, page by page from the end of the list; pure.
///
/// That order makes the library that imports it list its items as this one does. A page takes in the item that was
/// written last, which shows that nothing has moved; what is saved meanwhile comes at the end.
struct ExportPages {
    static let itemsMax = 500
    /// How often in a row the library may change between two requests.
    private static let changesMax = 20

    private var total: Int?
    private var taken = 0
    private var last: String?
    private var pageItems = itemsMax
    private var changes = 0

    /// The part of the list to ask for; nil when all of it is written.
    var next: (offset: Int, limit: Int)? {
        guard let total else { return (0, 1) }
        let count = min(pageItems, total - taken)
        return count > 0 ? (total - taken - count, count + (last == nil ? 0 : 1)) : nil
    }

    /// Takes the part that was asked for.
    ///
    /// - Returns: The items to write now, the oldest first; none when it must be asked for again.
    /// - Throws: When items were removed meanwhile, so that the rest can't be told from what is written.
    mutating func received(_ page: JSONCursor) throws(ClientError) -> [JSONCursor] {
        guard let asked = next else { return [] }
        let items = page[.items]?.elements ?? []
        let count = page[.total]?.int ?? 0
        guard count == total else {
            if total != nil { changes += 1 }
            guard changes <= Self.changesMax, count >= taken else { throw Self.changed }
            total = count
            return []
        }
        guard items.count == asked.limit else {
            // It was cut where it had too many bytes.
            guard pageItems > 1 else { throw Self.changed }
            pageItems = max(1, min(items.count, pageItems) / 2)
            return []
        }
        if let last, items.last?[.id]?.string?.hasSameBytes(as: last) != true { throw Self.changed }
        let new = Array((last == nil ? items : items.dropLast()).reversed())
        last = new.last?[.id]?.string
        taken += new.count
        changes = 0
        return new
    }

    private static let changed = ClientError(
        .init(.unavailable),
        "the library was changed while it was exported, and what is printed is not all of it",
        hint: "Export it again."
    )
}
