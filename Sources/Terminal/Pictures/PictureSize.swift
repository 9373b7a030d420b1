/// In which units a picture is drawn into its box; pure.
package enum PictureSize {
    /// The program draws in squares of so many dots where it draws dots.
    static let unit = 8
    /// A picture of more dots would only be more bytes.
    static let widthMax = 640
    static let heightMax = 480

    /// The columns and rows that the program is given, which for dots are squares of `unit`.
    package static func units(_ kind: GraphicsKind, _ box: PictureBox, _ cell: CellSize) -> (columns: Int, rows: Int) {
        guard kind != .symbols else { return (box.columns, box.rows) }
        let width = min(box.columns * cell.width, widthMax)
        let height = min(box.rows * cell.height, heightMax)
        return (max(1, width / unit), max(1, height / unit))
    }
}
