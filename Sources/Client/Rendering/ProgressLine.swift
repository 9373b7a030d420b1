/// One line on standard error that is replaced as things go on, and gone when they are done.
final class ProgressLine {
    private let console: Console
    private let isOn: Bool
    private var isShown = false

    /// - Parameters:
    ///   - console: Where to show it.
    ///   - isOn: Whether standard error is a terminal that can take a line back.
    init(console: Console, isOn: Bool) {
        self.console = console
        self.isOn = isOn
    }

    /// Shows a text, cut to the width, in place of the one before.
    func show(_ text: String) {
        guard isOn else { return }
        let line = LineWrap.lines(Cell.cells(text), columns: console.columns - 1, linesMax: 1).first ?? []
        console.write("\r\u{1B}[K" + line.map(\.text).joined(), to: console.errors)
        isShown = true
    }

    func clear() {
        guard isShown else { return }
        console.write("\r\u{1B}[K", to: console.errors)
        isShown = false
    }
}
