import EventLoop

/// One line on standard error that is replaced as things go on, and gone when they are done.
final class ProgressLine {
    /// How long a search may take before the line appears: a flash can't be read.
    static let patience = Duration.milliseconds(100)

    private let console: Console
    private let isOn: Bool
    private let appearsAt: Instant
    private var isShown = false
    /// What is to be shown when the line may appear.
    private var pending: String?

    /// - Parameters:
    ///   - console: Where to show it.
    ///   - isOn: Whether standard error is a terminal that can take a line back.
    ///   - patience: After how long it may appear.
    init(console: Console, isOn: Bool, patience: Duration = .zero) {
        self.console = console
        self.isOn = isOn
        appearsAt = Instant.now.advanced(by: patience)
    }

    /// When `showPending` is to be called; nil when there is nothing to show then.
    var dueAt: Instant? { pending == nil ? nil : appearsAt }

    /// Shows a text, cut to the width, instead of the one before; nothing when there is none.
    func show(_ text: String?) {
        guard let text else { return clear() }
        guard isOn else { return }
        guard isShown || Instant.now >= appearsAt else {
            pending = text
            return
        }
        pending = nil
        let line = LineWrap.lines(Cell.cells(text), columns: console.columns - 1, linesMax: 1).first ?? []
        console.write("\r\u{1B}[K" + line.map(\.text).joined(), to: console.errors)
        isShown = true
    }

    func showPending() {
        if let pending { show(pending) }
    }

    func clear() {
        pending = nil
        guard isShown else { return }
        console.write("\r\u{1B}[K", to: console.errors)
        isShown = false
    }
}
