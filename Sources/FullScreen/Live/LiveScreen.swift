import Client
import Hangul
import SearchModel
import Terminal

/// Draws the screen of `live`.
struct LiveScreen {
    private let model: LiveModel
    private let layout: LiveLayout
    private let clock: LocalClock

    init(_ model: LiveModel) {
        self.model = model
        layout = model.layout
        clock = model.clock
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

    private var isNarrow: Bool { layout.columns < 40 }

    private func drawField(on screen: inout Screen) {
        let place = model.isLibrary ? "library" : model.search.isOffline ? "offline" : "search"
        let isFocused = model.focus == .field
        let label = isNarrow ? "› " : "\(place)› "
        let start = screen.write(label, row: 0, column: 0, isFocused ? Look(.cyan, isBold: true) : .dim)
        let field = model.pane.field
        let shown = field.shown(columns: layout.columns - start)
        let end = screen.write(shown.text, row: 0, column: start, Look(isBold: isFocused))
        if isFocused, model.overlay == nil {
            screen.cursor = Screen.Position(row: 0, column: min(start + shown.cursor, layout.columns - 1))
        }
        guard field.isEmpty, !isNarrow else { return }
        let hint = model.isLibrary ? "words, initials (ㄱㅇㅇ), tags" : "type to search · ↑ earlier searches"
        screen.write(hint, row: 0, column: end + 1, .dim)
    }

    private func drawSecondRow(on screen: inout Screen) {
        guard let row = layout.secondRow else { return }
        if model.focus == .field, !model.suggestions.isEmpty {
            let isMeant = model.areSuggestionsMeant && model.chosenSuggestion == nil && !isNarrow
            var column = isMeant ? screen.write("Did you mean:", row: row, column: 1, Look(.yellow)) + 1 : 1
            for (index, text) in model.suggestions.enumerated() {
                let shown = text.cut(columns: layout.columns - 2)
                guard column + DisplayWidth.columns(of: shown) < layout.columns else { return }
                let look = index == model.chosenSuggestion ? Look.reversed : .dim
                column = screen.write(shown, row: row, column: column, look) + 2
            }
            return
        }
        let choices =
            model.isLibrary
            ? [model.librarySort.label(model.library.field.text), NumberText.names(model.search.kinds)]
            : [model.search.choices]
        screen.write(choices.filter { !$0.isEmpty }.joined(separator: " · "), row: row, column: 1, .dim)
    }

    private func drawList(on screen: inout Screen) {
        let pane = model.pane
        guard layout.list.rows > 0 else { return }
        guard !pane.list.items.isEmpty else { return drawNotice(on: &screen) }
        let marks = QueryMarks(query: pane.list.query)
        for (place, item) in pane.list.items.dropFirst(pane.list.top).prefix(layout.grid.drawnCount).enumerated() {
            var area = layout.grid.area(of: place, in: layout.list)
            let key = HitPicture.key(of: item, layout)
            let picture = key.flatMap { model.pictures[$0] }
            if !layout.grid.isTiled, let box = key?.box {
                area.columns -= box.columns + 1
                // Omit the picture of an item that is only partly visible.
                if let picture, area.rows == box.rows {
                    screen.place(picture, row: area.row, column: layout.list.endColumn - picture.columns)
                }
            }
            let row = HitRow(
                item: item,
                area: area,
                marks: marks,
                isSelected: pane.list.top + place == pane.list.selected,
                isFocused: model.focus != .field,
                isSaved: model.isSaved(item.id) && !model.isLibrary
            )
            if layout.grid.isTiled {
                row.drawTile(picture, on: &screen)
            } else {
                row.drawLines(layout.grid.itemRows, clock, on: &screen)
            }
        }
    }

    private func drawNotice(on screen: inout Screen) {
        var notice = model.pane.notice
        if !model.isLibrary, model.typed.query == nil {
            notice =
                [
                    "Hits appear as you type. ↓ moves to the hits. Enter opens a hit.",
                    "F1 lists the keys. In the list, L shows your library.",
                ] + model.missingKeys
        } else if !model.isLibrary, !model.isSearching {
            notice = strip.filter { $0.role != .good }.map(\.text) + notice
        }
        let area = layout.list
        let lines = notice.flatMap { Layout(columns: max(1, area.columns - 2)).lines($0) }
        for (index, line) in lines.prefix(area.rows).enumerated() {
            screen.write(line, row: area.row + index, column: area.column + 1, end: area.endColumn)
        }
    }

    private func drawDetails(on screen: inout Screen) {
        guard let details = model.details, let area = layout.details else { return }
        let hasList = layout.list.rows > 0
        if hasList, layout.list.columns < layout.columns {
            for row in layout.list.row..<area.row + area.rows {
                screen.write("│", row: row, column: area.column - 1, .dim)
            }
        } else if hasList {
            let line = String(repeating: "─", count: layout.columns)
            screen.write(line, row: layout.list.row + layout.list.rows, column: 0, .dim)
        }
        if let space = layout.detailsPicture, let address = HitPicture.address(of: details.hit),
            let picture = model.pictures[PictureKey(address: address, box: space.box)]
        {
            screen.place(picture, row: space.row, column: space.column)
        }
        let lines = details.lines(columns: area.columns, zone: clock.zone)
        let first = min(details.firstLine, max(0, lines.count - 1))
        for (index, line) in lines.dropFirst(first).prefix(area.rows).enumerated() {
            let look = first + index == 0 ? Look.bold : Look.plain
            screen.write(line, row: area.row + index, column: area.column, end: area.endColumn, look)
        }
        if model.focus == .details, hasList {
            screen.write("▌", row: area.row, column: area.column - 1, Look(.cyan, isBold: true))
        }
    }

    private var strip: [SourceStrip.Piece] { model.strip.pieces(isSearching: model.isSearching, clock: clock) }

    private func drawStrip(on screen: inout Screen) {
        guard let row = layout.sourceRow, !model.isLibrary else { return }
        var column = 1
        let isShort = model.web.list.items.isEmpty && !model.isSearching
        for piece in strip where !isShort || piece.role == .good {
            let look: Look =
                switch piece.role {
                case .bad: .bad
                case .waiting: Look(.yellow)
                case .good: .dim
                }
            let columns = layout.columns - column
            let text = DisplayWidth.columns(of: piece.text) <= columns ? piece.text : piece.short
            column = screen.write(text.cut(columns: columns), row: row, column: column, look) + 2
        }
    }

    private func drawStatus(on screen: inout Screen) {
        guard let row = layout.statusRow else { return }
        let isInField = model.focus == .field
        let quit = model.isLibrary || model.focus == .details ? "back" : "quit"
        let keys = isInField ? "↓ list  F1 help  Ctrl-C quit" : "/ search  ? help  q \(quit)"
        let hints = [keys, isInField ? "F1 help" : "? help"]
        let (text, look) = status
        let start = isNarrow ? 0 : 1
        let linesMax = max(1, layout.rows / 4)
        let lines = LineWrap.lines(Cell.cells(text), columns: max(1, layout.columns - start), linesMax: linesMax)
        if lines.count > 1, look != .plain {
            let first = row + 1 - lines.count
            clear(first..<row + 1, on: &screen)
            for (line, row) in zip(lines, first...row) {
                screen.write(line.map(\.text).joined(), row: row, column: start, look)
            }
            return
        }
        let space = layout.columns - DisplayWidth.columns(of: text) - 3
        if let hint = hints.first(where: { DisplayWidth.columns(of: $0) < space }) {
            screen.write(hint, row: row, column: layout.columns - DisplayWidth.columns(of: hint) - 1, .dim)
        }
        screen.write(text.cut(columns: layout.columns - start), row: row, column: start, look)
    }

    private var status: (text: String, look: Look) {
        if !model.isConnected { return ("✗ searchd is not running; waiting for it", .bad) }
        if let silence = model.silence { return ("✗ \(silence)", .bad) }
        if let message = model.message { return (message.text, message.isBad ? .bad : .good) }
        if !model.isLibrary, let mistake = model.typed.mistake { return (mistake, Look(.yellow)) }
        if !model.isLibrary, model.typed.query == nil, !model.typed.filterText.isEmpty {
            return (TypedQuery.onlyFilters, Look(.yellow))
        }
        let list = model.pane.list
        guard !list.items.isEmpty else { return ("", .plain) }
        if !model.isLibrary, let sorted = model.sortedText {
            return ("\(NumberText.grouped(list.selected + 1)) · \(sorted)", .plain)
        }
        return (list.positionText(hasMore: list.next != nil || model.isLoading), .plain)
    }

    private func drawHelp(_ firstLine: Int, on screen: inout Screen) {
        let lines = LiveHelp.lines(columns: screen.columns)
        clear(0..<screen.rows, on: &screen)
        let last = screen.rows - 1
        for (row, line) in lines.dropFirst(firstLine).prefix(last).enumerated() {
            screen.write(line, row: row, column: 0, line.hasPrefix(" ") ? .plain : .bold)
        }
        screen.write(lines.count > last ? "↑ ↓ more · q closes" : "any key closes", row: last, column: 0, .dim)
    }

    private func draw(_ picker: Picker, on screen: inout Screen) {
        clear(1..<screen.rows, on: &screen)
        screen.write(picker.title.cut(columns: screen.columns), row: 1, column: 0, .bold)
        let rows = max(1, screen.rows - 3)
        let first = max(0, min(picker.selected - rows / 2, picker.entries.count - rows))
        let width = picker.entries.map { DisplayWidth.columns(of: VisibleText.visible($0.name)) }.max() ?? 0
        for (row, entry) in picker.entries.dropFirst(first).prefix(rows).enumerated() {
            let isSelected = first + row == picker.selected
            let mark = picker.chosen.contains(entry.name) ? "✓ " : "  "
            let name = DisplayWidth.padded(VisibleText.visible(entry.name), width)
            if isSelected { screen.write("▌", row: row + 2, column: 0, Look(.cyan, isBold: true)) }
            let end = screen.write(mark + name, row: row + 2, column: 2, Look(isBold: isSelected)) + 2
            screen.write(entry.about.cut(columns: screen.columns - end), row: row + 2, column: end, .dim)
        }
    }

    private func draw(_ prompt: ItemPrompt, on screen: inout Screen) {
        let row = screen.rows - 1
        let keys = Layout(columns: screen.columns).lines(prompt.keys)
        let first = layout.sourceRow == nil ? row : row - keys.count
        clear(first..<screen.rows, on: &screen)
        for (line, row) in zip(keys, first..<row) { screen.write(line, row: row, column: 0, .dim) }
        let label = prompt.label(columns: screen.columns)
        let start = screen.write(label, row: row, column: 0, Look(.yellow, isBold: true))
        let shown = prompt.field.shown(columns: screen.columns - start)
        screen.write(shown.text, row: row, column: start)
        screen.cursor = Screen.Position(row: row, column: min(start + shown.cursor, screen.columns - 1))
    }

    private func clear(_ rows: Range<Int>, on screen: inout Screen) {
        let blanks = String(repeating: " ", count: screen.columns)
        for row in rows.clamped(to: 0..<screen.rows) { screen.write(blanks, row: row, column: 0) }
    }
}

enum LiveHelp {
    private static let gap = 2

    private static let sections: [(title: String, entries: [(label: String, help: String)])] = [
        ("In the list and the details", LiveKeys.list.map { ($0.label, $0.help) }),
        (
            "In the search field",
            LiveKeys.field.map { ($0.label, $0.help) } + TextField.keys.map { ($0.label, $0.help) }
        ),
        ("Everywhere", LiveKeys.always.map { ($0.label, $0.help) }),
        ("With the mouse", [("click", "select, or show details"), ("wheel", "go up and down")]),
        (
            "In a note",
            [
                ("↑ ↓", "change the stars"), ("Alt-Enter", "add a line, shown as ↵"),
                ("Enter", "save it; remove if empty"), ("Esc", "cancel"),
            ]
        ),
    ]

    static func lines(columns: Int) -> [String] {
        let layout = Layout(columns: columns)
        return sections.flatMap { layout.lines($0.title) + rows($0.entries, columns) + [""] }
            + layout.lines(PictureTerminal.advice)
    }

    static func sentence(_ keys: [LiveKeys.Binding]) -> String {
        keys.map { "\($0.label): \($0.help)" }.joined(separator: "; ")
    }

    private static func rows(_ entries: [(label: String, help: String)], _ columns: Int) -> [String] {
        let labels = entries.map { DisplayWidth.columns(of: $0.label) }.max() ?? 0
        let cells = entries.map { "  \(DisplayWidth.padded($0.label, labels))  \($0.help)" }
        let width = (cells.map { DisplayWidth.columns(of: $0) }.max() ?? 0) + gap
        let count = (columns + gap) / width
        guard count > 1 else {
            return Layout(columns: columns).table(entries.map { (name: $0.label, text: $0.help) }, indent: 2)
        }
        let height = (cells.count + count - 1) / count
        return (0..<height).map { row in
            let places = Array(stride(from: row, to: cells.count, by: height))
            return places.dropLast().map { DisplayWidth.padded(cells[$0], width) }.joined() + cells[places.last ?? row]
        }
    }
}
