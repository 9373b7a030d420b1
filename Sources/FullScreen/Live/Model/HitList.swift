import Client
import JSON
import RPC
import SearchModel

/// The list that is shown: hits in their order, which of them is selected, and which is the first in view; pure.
///
/// Invariant: `selected` is an index of `items`, or 0 when there are none; `top` ≤ `selected`.
struct HitList {
    /// More are not kept: no reader scrolls as far.
    static let itemsMax = 20_000
    private static let judgedMax = 30

    struct Item {
        let id: ExactText
        let hit: JSONCursor
        let isImage: Bool
        /// The name of the group that begins with it.
        var heading: String?

        init(_ hit: JSONCursor, heading: String? = nil) {
            id = ExactText(hit[.id]?.string ?? "")
            self.hit = hit
            isImage = hit[.kind]?.string?.hasSameBytes(as: "image") == true
            self.heading = heading
        }
    }

    private(set) var items: [Item] = []
    private(set) var selected = 0
    private(set) var top = 0
    /// Whether these are the hits of another query, until those of the new one come.
    private(set) var isStale = false
    private var ids: Set<ExactText> = []
    /// Whether the user has chosen what is selected: then it stays so, wherever it comes to stand.
    private var isPinned = false
    /// Where the hits begin that the answer under way has brought.
    private var arrivedFrom = 0

    var current: Item? { items.indices.contains(selected) ? items[selected] : nil }
    var isFull: Bool { items.count >= Self.itemsMax }
    /// Whether it is a list of pictures, as far as its beginning tells.
    var isOfImages: Bool { !items.isEmpty && items.prefix(Self.judgedMax).allSatisfy(\.isImage) }

    // MARK: Arriving

    /// Another list is asked for: this one stays until its first hits come.
    mutating func begin() {
        isStale = true
        isPinned = false
    }

    /// The hits behind these are asked for.
    mutating func beginMore() { arrivedFrom = items.count }

    mutating func received(_ hits: [JSONCursor]) { received(hits.map { Item($0) }) }

    mutating func received(_ more: [Item]) {
        guard !more.isEmpty else { return }
        if isStale { clear() }
        for item in more where !isFull && ids.insert(item.id).inserted { items.append(item) }
    }

    /// The answer is complete: what it brought is put into its order, and what it does not name is left out.
    mutating func finish(order: [String]?) {
        if isStale { clear() }
        guard let order, arrivedFrom <= items.count else { return }
        var arrived = Dictionary(items[arrivedFrom...].map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let sorted = order.compactMap { arrived.removeValue(forKey: ExactText($0)) }
        arrived.keys.forEach { ids.remove($0) }
        let current = current?.id
        items.replaceSubrange(arrivedFrom..., with: sorted)
        follow(current)
    }

    /// All of the list at once, as it is now: what is selected stays so where it is still there.
    mutating func replace(_ all: [Item]) {
        let (current, index) = (current?.id, selected)
        let wasPinned = isPinned || !isStale
        isStale = false
        items = Array(all.prefix(Self.itemsMax))
        ids = Set(items.map(\.id))
        arrivedFrom = 0
        isPinned = wasPinned
        selected = min(index, max(0, items.count - 1))
        follow(current)
    }

    mutating func clear() {
        self = HitList()
    }

    private mutating func follow(_ id: ExactText?) {
        guard isPinned, let id, let index = items.firstIndex(where: { $0.id == id }) else {
            if !isPinned { (selected, top) = (0, 0) }
            selected = min(selected, max(0, items.count - 1))
            top = min(top, selected)
            return
        }
        // On the screen it stays where it is, as far as the list allows.
        top = max(0, min(top + index - selected, index))
        selected = index
    }

    // MARK: Moving

    mutating func move(by count: Int) { select(selected + count) }

    /// Selects another item, as a key asks for it.
    mutating func move(_ action: LiveAction, _ layout: LiveLayout) {
        let (page, row) = (layout.page, layout.grid?.perRow ?? 1)
        switch action {
        case .down: move(by: row)
        case .up: move(by: -row)
        case .left: if layout.grid != nil { move(by: -1) }
        case .right: if layout.grid != nil { move(by: 1) }
        case .pageDown: move(by: page)
        case .pageUp: move(by: -page)
        case .halfDown: move(by: max(row, page / 2))
        case .halfUp: move(by: -max(row, page / 2))
        case .top: select(0)
        default: select(.max)
        }
    }

    mutating func select(_ index: Int) {
        selected = min(max(0, index), max(0, items.count - 1))
        top = min(top, selected)
        isPinned = true
    }

    /// Brings what is selected into view.
    mutating func scroll(rows: Int, itemRows: Int) {
        var used = items.isEmpty ? 0 : (top...selected).reduce(0) { $0 + self.rows(of: $1, itemRows) }
        while used > rows, top < selected {
            used -= self.rows(of: top, itemRows)
            top += 1
        }
    }

    /// Brings what is selected into view, in a grid.
    mutating func scroll(in grid: HitGrid) {
        let row = selected / grid.perRow
        let first = min(top / grid.perRow, row)
        top = max(first, row - grid.rows + 1) * grid.perRow
    }

    /// The items in view and the row on which each begins.
    func visible(rows: Int, itemRows: Int) -> [(index: Int, row: Int)] {
        var visible: [(index: Int, row: Int)] = []
        var row = 0
        var index = top
        while index < items.count, row < rows {
            visible.append((index, row))
            row += self.rows(of: index, itemRows)
            index += 1
        }
        return visible
    }

    /// The item at a cell of the area in which the list is shown; nil where there is none.
    func index(row: Int, column: Int, _ layout: LiveLayout) -> Int? {
        if let grid = layout.grid {
            let index = top + grid.index(row: row, column: column)
            return items.indices.contains(index) ? index : nil
        }
        return visible(rows: layout.list.rows, itemRows: layout.itemRows).last { $0.row <= row }?.index
    }

    /// With the heading in front of it.
    private func rows(of index: Int, _ itemRows: Int) -> Int { itemRows + (items[index].heading == nil ? 0 : 1) }
}
