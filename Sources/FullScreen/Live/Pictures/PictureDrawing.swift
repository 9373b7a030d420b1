import Client
import EventLoop
import Glibc
import Terminal

/// How the terminal shows pictures.
struct PictureStyle {
    let program: String
    let kind: GraphicsKind
    let colours: Capabilities.Colours
    let cell: CellSize

    func words(for box: PictureBox) -> [String] {
        let units = PictureSize.units(kind, box, cell)
        let isSymbols = kind == .symbols
        let names: [Capabilities.Colours: String] = [.sixteen: "16", .palette: "256", .exact: "full"]
        return [
            program, "--format", isSymbols ? "symbols" : "kitty", "--size", "\(units.columns)x\(units.rows)",
            // With kitty's protocol, the size is in squares. Otherwise it is in cells.
            "--font-ratio", isSymbols ? "\(cell.width)/\(cell.height)" : "1/1",
            "--colors", isSymbols ? names[colours] ?? "16" : "full", "--animate", "off", "--polite", "on",
            "--symbols", "block", "--optimize", "0", "--threads", "1", "-",
        ]
    }
}

/// A process that draws one picture, with limits on memory and time.
///
/// `PictureReader` checks the output.
struct PictureDrawing {
    static let memoryBytesMax = 512 << 20
    static let processorSecondsMax: UInt32 = 2
    static let timeout = Duration.seconds(4)
    static let outputBytesMax = 4 << 20

    let key: PictureKey
    let process: FilterProcess
    private let reader: PictureReader

    init?(_ key: PictureKey, _ bytes: [UInt8], _ style: PictureStyle, number: UInt32, now: Instant) {
        let started = FilterProcess(
            style.words(for: key.box),
            bytes,
            memoryBytesMax: Self.memoryBytesMax,
            secondsMax: Self.processorSecondsMax,
            timeout: Self.timeout,
            outputBytesMax: Self.outputBytesMax,
            at: now
        )
        guard let started else { return nil }
        (self.key, process) = (key, started)
        reader = PictureReader(style.kind, key.box, style.cell, number: number)
    }

    var picture: Picture? { reader.picture(process.received) }
}

/// A queue of pictures to draw, and the processes that draw them.
struct PictureDrawer {
    static let runningMax = 2

    private let style: PictureStyle
    private var running: [PictureDrawing] = []
    private var waiting: [(key: PictureKey, bytes: [UInt8])] = []
    private var lastNumber: UInt32 = 0x5EA_0000

    init(_ style: PictureStyle) { self.style = style }

    var polled: [pollfd] { running.flatMap(\.process.polled) }
    var dueAt: Instant? { running.map(\.process.dueAt).min() }

    mutating func add(_ key: PictureKey, _ bytes: [UInt8]) { waiting.append((key, bytes)) }

    /// Returns the finished drawings.
    ///
    /// A picture is nil if it could not be drawn.
    mutating func move(at now: Instant) -> [(key: PictureKey, picture: Picture?)] {
        var ended: [(key: PictureKey, picture: Picture?)] = []
        while true {
            while running.count < Self.runningMax, !waiting.isEmpty {
                let (key, bytes) = waiting.removeFirst()
                lastNumber += 1
                if let drawing = PictureDrawing(key, bytes, style, number: lastNumber, now: now) {
                    running.append(drawing)
                } else {
                    ended.append((key, nil))
                }
            }
            let done = running.filter { $0.process.move(at: now) }
            if done.isEmpty { return ended }
            ended += done.map { ($0.key, $0.picture) }
            running.removeAll { drawing in done.contains { $0.process === drawing.process } }
        }
    }
}
