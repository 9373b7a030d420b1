import SearchModel
import Terminal

/// Draws one hit of a list of pictures: the picture, and its title below; pure.
struct HitTile {
    let area: LiveLayout.Area
    let marks: QueryMarks

    func draw(_ item: HitList.Item, _ state: HitRow.State, _ picture: Picture?, on screen: inout Screen) {
        let end = area.column + area.columns - 1
        for row in area.row..<area.row + area.rows where state.isSelected {
            screen.write("▌", row: row, column: area.column, state.isFocused ? Look(.cyan, isBold: true) : .dim)
        }
        if let picture {
            let room = area.columns - 2 - picture.columns
            screen.place(picture, row: area.row, column: area.column + 1 + max(0, room / 2))
        }
        let hit = FoundHit(item.hit)
        let row = area.row + area.rows - 1
        var column = area.column + 1
        if state.isSaved { column = screen.write("★", row: row, column: column, end: end, Look(.yellow)) }
        let title = hit.title.isEmpty ? HitText.untitled : hit.title
        let cells = Cell.cells(title, marks: QueryMarks.joined(hit.titleMarks + marks.ranges(in: title)))
        for cell in LineWrap.cut(cells, columns: end - column) {
            var look = Look(isBold: state.isSelected && state.isFocused, isDim: state.isStale)
            if cell.isMarked { look.isUnderlined = true }
            column = screen.write(cell.text, row: row, column: column, end: end, look)
        }
    }
}
