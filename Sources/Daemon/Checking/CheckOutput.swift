import Glibc

/// What a check prints: each finding on a line of its own, which editors can follow, and folded between words where a
/// person reads it on a terminal.
enum CheckOutput {
    private static let indent = "  "
    private static let columnsMin = 40

    static func print(_ lines: [String]) {
        let columns = terminalColumns()
        for line in lines.flatMap({ fold($0, columns: columns) }) { Swift.print(line) }
    }

    /// The lines that a text takes; pure.
    ///
    /// A word that is longer than a line stays whole. Every scalar is taken for one column: wider ones make a line
    /// longer than it should be, and break no word.
    static func fold(_ text: String, columns: Int?) -> [String] {
        guard let columns, text.unicodeScalars.count > columns else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            if !line.isEmpty, longer.unicodeScalars.count > columns {
                lines.append(line)
                line = indent + word
            } else {
                line = longer
            }
        }
        return lines + [line]
    }

    /// Nil where no terminal shows the output.
    private static func terminalColumns() -> Int? {
        var size = winsize()
        // The size lives through the call.
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return max(columnsMin, Int(size.ws_col))
    }
}
