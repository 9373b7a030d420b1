import Hangul

extension DisplayWidth {
    /// A text made as wide as a column of a table, on its left or its right side; a wider one stays.
    static func padded(_ text: String, _ columns: Int, toRight: Bool = false) -> String {
        let missing = columns - self.columns(of: text)
        guard missing > 0 else { return text }
        let blanks = String(repeating: " ", count: missing)
        return toRight ? blanks + text : text + blanks
    }
}
