import Client
import Hangul
import JSON
import RPC
import SearchModel

/// The pane that shows all of the selected item, while it is open; pure.
struct DetailsPane {
    /// How long the selection rests before its details are looked up, which may cost a call.
    private static let restMilliseconds = 400

    /// Nil while the pane is closed.
    private(set) var item: ItemDetails?

    var isOpen: Bool { item != nil }
    /// The address of its picture; nil without one.
    var picture: ExactText? { item.flatMap { HitPicture.address(of: $0.hit) } }

    mutating func open(_ item: HitList.Item) { self.item = ItemDetails(item) }

    mutating func close() { item = nil }

    /// Shows another item once it is selected; closes when there is none.
    mutating func follow(_ current: HitList.Item?, isListing: Bool, _ outbox: inout LiveOutbox) {
        guard let shown = item, shown.id != current?.id else { return }
        guard let current else {
            if !isListing { close() }
            return
        }
        open(current)
        outbox.add(.wake(milliseconds: Self.restMilliseconds))
    }

    /// Asks for all of the item: its source, and the library where that has it.
    mutating func lookUp(isSaved: (ExactText) -> Bool, _ outbox: inout LiveOutbox) {
        guard let id = item?.id, item?.record == nil, item?.isLooking == false else { return }
        item?.isLooking = true
        outbox.send(.lookup, .lookup(id)) { $0.member(.id, id.text) }
        if isSaved(id) { outbox.send(.libraryGet, .savedItem(id)) { $0.member(.id, id.text) } }
    }

    mutating func lookedUp(_ id: ExactText, _ result: JSONCursor) {
        guard item?.id == id else { return }
        item?.isLooking = false
        item?.record = ItemRecord(result)
    }

    mutating func lookupFailed(_ id: ExactText, _ error: ClientError) {
        guard item?.id == id else { return }
        item?.isLooking = false
        item?.failure = error
    }

    /// The library's item, or nil when it is not there any more.
    mutating func received(saved: JSONCursor?, of id: ExactText) {
        if item?.id == id { item?.saved = saved }
    }

    mutating func received(change: JSONCursor) {
        for member in [Member.inserted, .updated] {
            change[member]?.forEachElement { received(saved: $0, of: ExactText($0[.id]?.string ?? "")) }
        }
        change[.deleted]?.forEachElement { received(saved: nil, of: ExactText($0.string ?? "")) }
    }

    // MARK: Scrolling

    mutating func scroll(by count: Int, in area: LiveLayout.Area, _ zone: LocalZone) {
        item?.scroll(by: count, in: area, zone)
    }

    mutating func scroll(_ action: LiveAction, in area: LiveLayout.Area, _ zone: LocalZone) {
        guard let lines = item?.lines(columns: area.columns, zone: zone).count else { return }
        let page = max(1, area.rows - 1)
        let distance: Int =
            switch action {
            case .down: 1
            case .up: -1
            case .pageDown: page
            case .pageUp: -page
            case .halfDown: max(1, page / 2)
            case .halfUp: -max(1, page / 2)
            case .top: -lines
            default: lines
            }
        scroll(by: distance, in: area, zone)
    }
}

/// All that is known of the selected item; pure.
struct ItemDetails {
    let id: ExactText
    let hit: JSONCursor
    var record: ItemRecord?
    /// The library's item; nil when it is not saved.
    var saved: JSONCursor?
    var failure: ClientError?
    var isLooking = false
    private(set) var firstLine = 0

    init(_ item: HitList.Item) {
        id = item.id
        hit = item.hit
    }

    /// Down, or up when it is negative; not beyond what fills an area.
    mutating func scroll(by count: Int, in area: LiveLayout.Area, _ zone: LocalZone) {
        let last = max(0, lines(columns: area.columns, zone: zone).count - area.rows)
        firstLine = min(max(0, firstLine + min(count, last)), last)
    }

    /// The lines for a pane of some width, none wider.
    func lines(columns: Int, zone: LocalZone) -> [String] {
        let text = ItemText(columns: columns, style: Style(isOn: false), zone: zone)
            .text(record?.hit ?? hit, record, found: hit, saved: saved)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        if isLooking { lines.append("looking it up…") }
        if let failure = failure ?? record?.failure { lines.append("✗ " + VisibleText.visible(failure.message)) }
        // An address stays whole where it can be copied from the terminal as it is; here it has to be read.
        return lines.flatMap { line in
            guard DisplayWidth.columns(of: line) > columns else { return [line] }
            let cells = Cell.cells(line)
            return LineWrap.lines(cells, columns: columns, linesMax: cells.count).map { $0.map(\.text).joined() }
        }
    }
}
