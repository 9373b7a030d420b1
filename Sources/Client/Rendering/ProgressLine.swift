import EventLoop
import SearchModel

/// One line of progress on standard error.
final class ProgressLine {
    static let patience = Duration.milliseconds(100)

    private let console: Console
    private let isOn: Bool
    private let appearsAt: Instant
    private var isShown = false
    private var pending: String?

    init(console: Console, isOn: Bool, patience: Duration = .zero) {
        self.console = console
        self.isOn = isOn
        appearsAt = Instant.now.advanced(by: patience)
    }

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
