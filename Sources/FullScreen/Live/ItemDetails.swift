import Client
import Hangul
import JSON
import RPC

/// The pane with the details of the selected item.
struct ItemDetails {
    let id: ExactText
    let hit: JSONCursor
    var record: ItemRecord?
    var saved: JSONCursor?
    var failure: ClientError?
    var isLoading = false
    var firstLine = 0

    init(_ item: HitList.Item) { (id, hit) = (item.id, item.hit) }

    var isNew: Bool { record == nil && failure == nil && !isLoading }

    func lines(columns: Int, zone: LocalZone) -> [String] {
        let text = ItemText(columns: columns, style: Style(isOn: false), zone: zone)
            .text(record?.hit ?? hit, record, found: hit, saved: saved)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        if isLoading { lines.append("loading…") }
        if let failure = failure ?? record?.failure { lines.append("✗ " + VisibleText.visible(failure.message)) }
        return lines.flatMap { line in
            guard DisplayWidth.columns(of: line) > columns else { return [line] }
            let cells = Cell.cells(line)
            return LineWrap.lines(cells, columns: columns, linesMax: cells.count).map { $0.map(\.text).joined() }
        }
    }
}
