import Terminal

/// What the mouse points to; pure.
enum MouseTarget: Equatable {
    case field
    case suggestions
    /// A cell of the list, from 0.
    case list(row: Int, column: Int)
    case details

    /// Nil where nothing is.
    init?(_ mouse: Mouse, _ layout: LiveLayout) {
        let details = [layout.details, layout.detailsPicture].compactMap(\.self)
        if details.contains(where: { $0.contains(row: mouse.row, column: mouse.column) }) {
            self = .details
        } else if mouse.row == 0 {
            self = .field
        } else if mouse.row == layout.secondRow {
            self = .suggestions
        } else if layout.list.contains(row: mouse.row, column: mouse.column) {
            self = .list(row: mouse.row - layout.list.row, column: mouse.column - layout.list.column)
        } else {
            return nil
        }
    }
}
