import EventLoop
import SearchModel

/// One line of progress on standard error.
final class ProgressLine {
    /// A search that is faster shows no line.
    static let patience = Duration.milliseconds(100)

    private let console: Console
    private let isOn: Bool
    private let appearsAt: Instant
    private var isShown = false
    /// The text, until the line may appear.
    private var pending: String?

    /// `isOn` if standard error is a terminal that can erase a line.
    init(console: Console, isOn: Bool, patience: Duration = .zero) {
        self.console = console
        self.isOn = isOn
        appearsAt = Instant.now.advanced(by: patience)
    }

    /// Shows a text, cut to the width, in place of the one before.
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

    /// The daemon's next line; shows the line when its time comes.
    func nextLine(of exchange: inout DaemonConnection, until deadline: Instant) throws(ClientError) -> [UInt8]? {
        if let pending, appearsAt < deadline {
            do throws(ClientError) {
                return try exchange.nextLine(until: appearsAt)
            } catch  where error.code == .init(.timeout) {
                show(pending)
            }
        }
        return try exchange.nextLine(until: deadline)
    }

    func clear() {
        pending = nil
        guard isShown else { return }
        console.write("\r\u{1B}[K", to: console.errors)
        isShown = false
    }
}
