import EventLoop

/// Hits of several sources on a terminal, a line each, until the answer says which belong to it and in which order.
///
/// Pure. What it shows is only ever the last thing on the screen, so that it can be taken back.
struct HitPreview {
    /// How long a search may take before they appear: most take less, and a flash can't be read.
    static let patience = Duration.milliseconds(300)
    /// Lines of the screen that are not for hits: the progress line, and where the cursor stands.
    static let linesLeft = 2

    private let linesMax: Int
    private let appearsAt: Instant
    private var pending: [String] = []
    private var shown = 0

    /// - Parameters:
    ///   - linesMax: How many hits are shown; none where nothing can be taken back.
    ///   - appearsAt: Before this they wait.
    init(linesMax: Int, appearsAt: Instant) {
        self.linesMax = linesMax
        self.appearsAt = appearsAt
    }

    /// When `text` is to be asked for; nil when nothing waits to be shown.
    var dueAt: Instant? { pending.isEmpty || shown >= linesMax ? nil : appearsAt }

    /// Takes lines, each with its end.
    mutating func add(_ lines: [String]) {
        pending += lines
    }

    /// What is to be shown now.
    mutating func text(at now: Instant) -> [UInt8] {
        guard now >= appearsAt else { return [] }
        let lines = pending.prefix(max(0, linesMax - shown))
        pending = []
        shown += lines.count
        return Array(lines.joined().utf8)
    }

    /// Takes back what is shown, to make room for the answer.
    mutating func takeBack() -> [UInt8] {
        pending = []
        defer { shown = 0 }
        return shown == 0 ? [] : Array("\u{1B}[\(shown)A\r\u{1B}[J".utf8)
    }
}
