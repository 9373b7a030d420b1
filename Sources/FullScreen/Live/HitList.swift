import Client
import JSON
import RPC
import SearchModel

/// A list of hits, with a selected hit and a first visible hit.
///
/// `selected` is an index of `items`, or 0 if the list is empty. `top` is the index of the first visible hit, and is at
/// most `selected`.
struct HitList {
    static let itemsMax = 20_000
    private static let judgedMax = 30

    struct Item {
        let id: ExactText
        let hit: JSONCursor
        let isImage: Bool

        init(_ hit: JSONCursor) {
            id = ExactText(hit[.id]?.string ?? "")
            self.hit = hit
            isImage = hit[.kind]?.string?.hasSameBytes(as: "image") == true
        }
    }

    private(set) var items: [Item] = []
    private(set) var selected = 0
    private(set) var top = 0
    private(set) var query = ""
    /// From `begin` until `showNext`, the query of the new list; otherwise nil.
    private var nextQuery: String?
    private var nextHits: [JSONCursor] = []
    var next: String?
    var total: HitTotal?
    private var ids: Set<ExactText> = []
    /// Whether the user selected the item, which then stays selected when the list changes.
    private var isPinned = false
    private var pageStart = 0
    private var isPaused = false

    var current: Item? { items.indices.contains(selected) ? items[selected] : nil }
    var isOfImages: Bool { !items.isEmpty && items.prefix(Self.judgedMax).allSatisfy(\.isImage) }

    var isStale: Bool { nextQuery != nil }

    /// Begins a new list.
    ///
    /// The old list is shown until `showNext` is called.
    mutating func begin(_ query: String) {
        (nextQuery, nextHits) = (query, [])
        isPinned = false
    }

    var hasNextHits: Bool { !nextHits.isEmpty }

    mutating func showNext() {
        guard let nextQuery else { return }
        let hits = nextHits
        self = HitList()
        query = nextQuery
        add(hits)
    }

    mutating func beginPage() { pageStart = items.count }

    mutating func add(_ hits: [JSONCursor]) {
        guard !isStale else { return nextHits += hits }
        for hit in hits where items.count < Self.itemsMax {
            let item = Item(hit)
            if ids.insert(item.id).inserted { items.append(item) }
        }
    }

    mutating func finish(order: [String]?, next: String?) {
        showNext()
        self.next = items.count < Self.itemsMax ? next : nil
        defer { isPaused = items.count == pageStart }
        guard let order, pageStart <= items.count else { return }
        var page = Dictionary(items[pageStart...].map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let sorted = order.compactMap { page.removeValue(forKey: ExactText($0)) }
        page.keys.forEach { ids.remove($0) }
        let current = current?.id
        items.replaceSubrange(pageStart..., with: sorted)
        follow(current)
    }

    mutating func replace(_ hits: [JSONCursor], next: String?) {
        let old = self
        self = HitList()
        query = old.nextQuery ?? old.query
        add(hits)
        self.next = next
        guard !old.isStale else { return }
        (selected, top, isPinned) = (old.selected, old.top, true)
        follow(old.current?.id)
    }

    mutating func keep() { (nextQuery, nextHits, isPinned) = (nil, [], true) }

    private mutating func follow(_ id: ExactText?) {
        if !isPinned { (selected, top) = (0, 0) }
        if isPinned, let id, let index = items.firstIndex(where: { $0.id == id }) {
            top = max(0, min(top + index - selected, index))
            selected = index
        }
        selected = min(selected, max(0, items.count - 1))
        top = min(top, selected)
    }

    func needsMore(ahead: Int) -> Bool { next != nil && !isStale && !isPaused && selected + ahead >= items.count }

    func positionText(hasMore: Bool) -> String {
        let loaded = NumberText.grouped(items.count)
        let all = total.flatMap { $0.count > items.count ? $0.text : nil }
        let end = hasMore ? all ?? "more than \(loaded)" : all.map { "\(loaded), \($0) in all" } ?? loaded
        return "\(NumberText.grouped(selected + 1)) of \(end)"
    }

    mutating func move(_ action: LiveAction, _ grid: ItemGrid) {
        isPaused = false
        switch action {
        case .down: select(selected + grid.perRow)
        case .up: select(selected - grid.perRow)
        case .left: if grid.perRow > 1 { select(selected - 1) }
        case .right: if grid.perRow > 1 { select(selected + 1) }
        case .pageDown: select(selected + grid.count)
        case .pageUp: select(selected - grid.count)
        case .top: select(0)
        default: select(.max)
        }
    }

    mutating func select(_ index: Int) {
        selected = min(max(0, index), max(0, items.count - 1))
        top = min(top, selected)
        isPinned = true
    }

    mutating func scroll(_ grid: ItemGrid) {
        let row = selected / grid.perRow
        let first = min(top / grid.perRow, row)
        top = max(first, row - grid.rows + 1) * grid.perRow
    }
}
