import Hangul
import JSON
import RPC
import SearchModel

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
