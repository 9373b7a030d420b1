import Client
import Hangul
import SearchModel
import Terminal

/// What `live` shows at one moment; pure.
struct LiveScreen {
    private let model: LiveModel
    private let layout: LiveLayout
    private let now: Int64
    private let zone: LocalZone

    /// - Parameters:
    ///   - model: What is shown.
    ///   - now: Seconds since 1970: items have an age.
    init(_ model: LiveModel, now: Int64) {
        self.model = model
        self.now = now
        zone = model.zone
        layout = model.layout
    }

    var screen: Screen {
        var screen = Screen(columns: model.columns, rows: model.rows)
        drawField(on: &screen)
        drawSecondRow(on: &screen)
        drawList(on: &screen)
        drawDetails(on: &screen)
        drawStrip(on: &screen)
        drawStatus(on: &screen)
        switch model.overlay {
        case nil: break
        case .help(let firstLine): drawHelp(firstLine, on: &screen)
        case .picker(let picker): draw(picker, on: &screen)
        case .prompt(let prompt): draw(prompt, on: &screen)
        }
        return screen
    }

    // MARK: Field

    private static func label(_ place: TwoSearches.Place, columns: Int) -> String {
        columns < 40 ? "› " : "\(place.rawValue)› "
    }

    /// Where the text of the search field begins.
    static func fieldColumn(_ place: TwoSearches.Place, columns: Int) -> Int {
        DisplayWidth.columns(of: label(place, columns: columns))
    }

    private func drawField(on screen: inout Screen) {
        let label = Self.label(model.searches.place, columns: model.columns)
        let isFocused = model.focus == .field
        let start = screen.write(label, row: 0, column: 0, isFocused ? Look(.cyan, isBold: true) : .dim)
        let shown = model.field.shown(columns: model.columns - start)
        let end = screen.write(shown.text, row: 0, column: start, Look(isBold: isFocused))
        if isFocused, model.overlay == nil {
            screen.cursor = Screen.Position(row: 0, column: min(start + shown.cursor, model.columns - 1))
        }
        guard model.field.isEmpty, model.columns >= 40 else { return }
        let hint = model.isLibrary ? "words, initials (ㄱㅇㅇ), tags" : "type to search · ↑ earlier searches"
        screen.write(hint, row: 0, column: end + 1, .dim)
    }

    private func drawSecondRow(on screen: inout Screen) {
        guard let row = layout.secondRow else { return }
        if model.focus == .field, !model.isLibrary, !model.web.field.suggestions.texts.isEmpty {
            for (index, span) in model.web.field.suggestions.spans(columns: model.columns).enumerated() {
                let look = index == model.web.field.suggestions.chosen ? Look.reversed : Look.dim
                screen.write(span.text, row: row, column: span.columns.lowerBound, look)
            }
            return
        }
        screen.write(model.isLibrary ? libraryChoices : model.search.choices, row: row, column: 1, .dim)
    }

    private var libraryChoices: String {
        [model.library.question.choices, FigureText.names(model.search.kinds)].filter { !$0.isEmpty }.joined(
            separator: " · "
        )
    }

    // MARK: List

    private func drawList(on screen: inout Screen) {
        let area = layout.list
        let pane = model.pane
        guard area.rows > 0 else { return }
        if let explanation = explanation { return write(explanation, in: area, on: &screen) }
        if let grid = layout.grid { return drawTiles(grid, on: &screen) }
        let marks = QueryMarks(query: model.field.text)
        for (index, line) in pane.list.visible(rows: area.rows, itemRows: layout.itemRows) {
            let item = pane.list.items[index]
            var text = area
            if let box = layout.thumbnail, let address = HitPicture.thumbnail(of: item.hit) {
                text.columns -= box.columns + 1
                let row = line + (item.heading == nil ? 0 : 1)
                // One that is only partly in view is not drawn.
                if row + box.rows <= area.rows, let picture = model.pictures[PictureKey(address: address, box: box)] {
                    screen.place(picture, row: area.row + row, column: area.column + area.columns - picture.columns)
                }
            }
            let row = HitRow(marks: marks, now: now, zone: zone, area: text, itemRows: layout.itemRows)
            row.draw(item, row: area.row + line, state(index), on: &screen)
        }
    }

    private func drawTiles(_ grid: HitGrid, on screen: inout Screen) {
        let list = model.pane.list
        for (place, item) in list.items.dropFirst(list.top).prefix(grid.count).enumerated() {
            let address = HitPicture.address(of: item.hit)
            let picture = address.flatMap { model.pictures[PictureKey(address: $0, box: grid.box)] }
            let tile = HitTile(area: grid.tile(place, in: layout.list), marks: QueryMarks(query: model.field.text))
            tile.draw(item, state(list.top + place), picture, on: &screen)
        }
    }

    private func state(_ index: Int) -> HitRow.State {
        let list = model.pane.list
        return HitRow.State(
            isSelected: index == list.selected,
            isFocused: model.focus != .field,
            isSaved: model.isSaved(list.items[index].id) && !model.isLibrary,
            isStale: list.isStale
        )
    }

    /// What stands there instead of a list.
    private var explanation: [String]? {
        if !model.isLibrary, model.search.searched == nil {
            return ["Hits come as you type. ↓ goes to them, Enter opens one.", "L is your library, ? lists the keys."]
        }
        if model.isLibrary, model.field.isEmpty, model.pane.isAnswered, model.pane.list.items.isEmpty,
            model.pane.failure == nil
        {
            return ["Nothing is saved yet: s saves a hit. L goes back."]
        }
        return model.pane.explanation(query: model.field.text)
    }

    private func write(_ paragraphs: [String], in area: LiveLayout.Area, on screen: inout Screen) {
        let lines = paragraphs.flatMap { Layout(columns: max(1, area.columns - 2)).lines($0) }
        for (index, line) in lines.prefix(area.rows).enumerated() {
            screen.write(line, row: area.row + index, column: area.column + 1, end: area.column + area.columns)
        }
    }

    // MARK: Details

    private func drawDetails(on screen: inout Screen) {
        guard let details = model.details.item, let area = layout.details else { return }
        if layout.list.columns < layout.columns, layout.list.rows > 0 {
            for row in layout.list.row..<area.row + area.rows {
                screen.write("│", row: row, column: area.column - 1, .dim)
            }
        } else if layout.list.rows > 0 {
            screen.write(
                String(repeating: "─", count: layout.columns),
                row: layout.list.row + layout.list.rows,
                column: 0,
                .dim
            )
        }
        if let room = layout.detailsPicture, let address = model.details.picture,
            let picture = model.pictures[PictureKey(address: address, box: room.box)]
        {
            screen.place(picture, row: room.row, column: room.column)
        }
        let lines = details.lines(columns: area.columns, zone: zone)
        let first = min(details.firstLine, max(0, lines.count - 1))
        for (index, line) in lines.dropFirst(first).prefix(area.rows).enumerated() {
            let look = first + index == 0 ? Look.bold : Look.plain
            screen.write(line, row: area.row + index, column: area.column, end: area.column + area.columns, look)
        }
        if model.focus == .details, layout.list.rows > 0 {
            screen.write("▌", row: area.row, column: area.column - 1, Look(.cyan, isBold: true))
        }
    }

    // MARK: Bottom

    private func drawStrip(on screen: inout Screen) {
        guard let row = layout.stripRow, !model.isLibrary else { return }
        var column = 1
        for piece in model.web.strip.pieces(clock: LocalClock(now: now, zone: zone)) {
            let look: Look =
                switch piece.look {
                case .bad: .bad
                case .waiting: Look(.yellow)
                case .good: .dim
                }
            let cells = LineWrap.cut(Cell.cells(piece.text), columns: layout.columns - column)
            column = screen.write(cells.map(\.text).joined(), row: row, column: column, look) + 2
        }
    }

    private func drawStatus(on screen: inout Screen) {
        guard let row = layout.statusRow else { return }
        let isBack = model.isLibrary || model.focus == .details
        let hint =
            model.focus == .field ? "↓ list  F1 help  Ctrl-C quit" : "/ search  ? help  q \(isBack ? "back" : "quit")"
        let short = model.focus == .field ? "F1 help" : "? help"
        let (text, look) = status
        let width = DisplayWidth.columns(of: text) + 1
        for candidate in [hint, short] where width + 2 + DisplayWidth.columns(of: candidate) < layout.columns {
            let start = layout.columns - DisplayWidth.columns(of: candidate) - 1
            screen.write(candidate, row: row, column: start, .dim)
            break
        }
        let cells = LineWrap.cut(Cell.cells(text), columns: layout.columns - 1)
        screen.write(cells.map(\.text).joined(), row: row, column: layout.columns < 40 ? 0 : 1, look)
    }

    private var status: (text: String, look: Look) {
        if case .lost = model.connection { return ("✗ searchd is gone; waiting for it", .bad) }
        if let message = model.message { return (message.text, message.isBad ? .bad : .good) }
        if model.connection == .starting { return ("… connecting", .dim) }
        let pane = model.pane
        guard !pane.list.items.isEmpty, !pane.list.isStale else { return (pane.isUnderWay ? "…" : "", .dim) }
        let position = "\(FigureText.grouped(pane.list.selected + 1)) of "
        let seen = pane.list.items.count
        return (position + pane.totals.text(seen: seen, hasMore: pane.cursor != nil || pane.isUnderWay), .plain)
    }
}

/// What stands above the list.
extension LiveScreen {
    func drawHelp(_ firstLine: Int, on screen: inout Screen) {
        let lines = LiveHelp.lines(columns: screen.columns)
        clear(0..<screen.rows, on: &screen)
        let room = screen.rows - 1
        for (row, line) in lines.dropFirst(firstLine).prefix(room).enumerated() {
            screen.write(line, row: row, column: 0, line.hasPrefix(" ") ? .plain : .bold)
        }
        let hint = lines.count > room ? "↑ ↓ more · q closes" : "any key closes"
        screen.write(hint, row: screen.rows - 1, column: 0, .dim)
    }

    func draw(_ picker: Picker, on screen: inout Screen) {
        clear(1..<screen.rows, on: &screen)
        let title = LineWrap.cut(Cell.cells(picker.title), columns: screen.columns).map(\.text).joined()
        screen.write(title, row: 1, column: 0, .bold)
        let room = max(1, screen.rows - 3)
        let first = max(0, min(picker.selected - room / 2, picker.entries.count - room))
        let names = picker.entries.map { DisplayWidth.columns(of: VisibleText.visible($0.name)) }.max() ?? 0
        for (row, entry) in picker.entries.dropFirst(first).prefix(room).enumerated() {
            let isSelected = first + row == picker.selected
            let mark = picker.chosen.contains(entry.name) ? "✓ " : "  "
            let name = DisplayWidth.padded(VisibleText.visible(entry.name), names)
            if isSelected { screen.write("▌", row: row + 2, column: 0, Look(.cyan, isBold: true)) }
            let end = screen.write(mark + name, row: row + 2, column: 2, Look(isBold: isSelected))
            let about = LineWrap.cut(Cell.cells(entry.about), columns: screen.columns - end - 2)
            screen.write(about.map(\.text).joined(), row: row + 2, column: end + 2, .dim)
        }
    }

    func draw(_ prompt: ItemPrompt, on screen: inout Screen) {
        let row = screen.rows - 1
        clear(row..<screen.rows, on: &screen)
        let start = screen.write(
            prompt.label(columns: screen.columns),
            row: row,
            column: 0,
            Look(.yellow, isBold: true)
        )
        let shown = prompt.field.shown(columns: screen.columns - start)
        screen.write(shown.text, row: row, column: start)
        screen.cursor = Screen.Position(row: row, column: min(start + shown.cursor, screen.columns - 1))
    }

    private func clear(_ rows: Range<Int>, on screen: inout Screen) {
        let blanks = String(repeating: " ", count: screen.columns)
        for row in rows.clamped(to: 0..<screen.rows) { screen.write(blanks, row: row, column: 0) }
    }
}

/// The help of `live`, from the tables of its keys; pure.
enum LiveHelp {
    private static let columnColumns = 38
    private static let gap = 2

    /// The keys with what they do, in as many columns as fit.
    static func lines(columns: Int) -> [String] {
        let count = max(1, (columns + gap) / (columnColumns + gap))
        let width = max(1, (columns + gap) / count - gap)
        let sections = [
            ("In the list and the details", LiveKeys.list.map { ($0.label, $0.help) }),
            (
                "In the search field",
                LiveKeys.field.map { ($0.label, $0.help) } + EditingKeys.table.map { ($0.label, $0.help) }
            ),
            ("Everywhere", LiveKeys.always.map { ($0.label, $0.help) }),
            (
                "With the mouse",
                [("click", "select; once more, its details"), ("wheel", "up and down")]
            ),
            (
                "In a note",
                [
                    ("↑ ↓", "its stars"), ("Alt-Enter", "a new line, shown as ↵"),
                    ("Enter", "keep it; an empty one goes"), ("Esc", "leave it as it was"),
                ]
            ),
            ("The line at the bottom", HitTotals.meanings),
        ]
        let pictures = Layout(columns: columns).lines(PictureTerminal.advice)
        return sections.enumerated().flatMap { index, section in
            (index == 0 ? [] : [""]) + [section.0] + rows(section.1, count, width)
        } + [""] + pictures
    }

    /// `↓ j: next; ↑ k: the one before`.
    static func sentence(_ keys: [LiveKeys.Binding]) -> String {
        keys.map { "\($0.label): \($0.help)" }.joined(separator: "; ")
    }

    private static func rows(_ entries: [(label: String, help: String)], _ count: Int, _ width: Int) -> [String] {
        let labels = entries.map { DisplayWidth.columns(of: $0.label) }.max() ?? 0
        let cells = entries.map { entry in
            let text = "  \(DisplayWidth.padded(entry.label, labels))  \(entry.help)"
            return LineWrap.cut(Cell.cells(text), columns: width).map(\.text).joined()
        }
        let height = (cells.count + count - 1) / count
        return (0..<height).map { row in
            stride(from: row, to: cells.count, by: height).map { DisplayWidth.padded(cells[$0], width + gap) }.joined()
        }
    }
}
