import CPlatform
import Client
import EventLoop
import Glibc
import Terminal

/// How pictures are drawn.
struct PictureStyle {
    /// The path of chafa.
    let program: String
    let kind: GraphicsKind
    let colours: Capabilities.Colours
    let cell: CellSize

    /// Returns the command line that draws a picture from standard input.
    func words(for box: PictureBox) -> [String] {
        let units = PictureSize.units(kind, box, cell)
        let isSymbols = kind == .symbols
        let names: [Capabilities.Colours: String] = [.sixteen: "16", .palette: "256", .exact: "full"]
        return [
            program, "--format", isSymbols ? "symbols" : "kitty", "--size", "\(units.columns)x\(units.rows)",
            // The units of kitty's protocol are square.
            "--font-ratio", isSymbols ? "\(cell.width)/\(cell.height)" : "1/1",
            "--colors", isSymbols ? names[colours] ?? "16" : "full", "--animate", "off", "--polite", "on",
            "--symbols", "block", "--optimize", "0", "--threads", "1", "-",
        ]
    }
}

/// A process that draws one picture, with limits on memory and time; `PictureReader` checks its output.
final class PictureDrawing {
    static let memoryBytesMax = 512 << 20
    static let processorSecondsMax: UInt32 = 2
    static let timeout = Duration.seconds(4)
    static let outputBytesMax = 4 << 20
    private static let readBytesMax = 64 << 10

    let key: PictureKey
    let dueAt: Instant
    private let reader: PictureReader
    private let process: pid_t
    private var unsent: ArraySlice<UInt8>
    /// -1 after everything is sent.
    private var input: Int32 = -1
    private let output: Int32
    private var received: [UInt8] = []

    /// Fails if the program cannot be started.
    init?(_ key: PictureKey, _ bytes: [UInt8], _ style: PictureStyle, number: UInt32, now: Instant) {
        var (input, output): (Int32, Int32) = (-1, -1)
        // The list lives through the call, which keeps none of it and fills both locals.
        process = unsafe withCStrings(style.words(for: key.box)) {
            unsafe platform_spawn_decoder($0, Self.memoryBytesMax, Self.processorSecondsMax, &input, &output)
        }
        guard process > 0 else { return nil }
        self.key = key
        (self.input, self.output) = (input, output)
        unsent = bytes[...]
        dueAt = now.advanced(by: Self.timeout)
        reader = PictureReader(style.kind, key.box, style.cell, number: number)
    }

    deinit {
        endInput()
        close(output)
        kill(process, SIGKILL)
        // The killed child ends soon.
        while waitpid(process, nil, 0) < 0, platform_errno() == EINTR {}
    }

    /// What poll(2) waits for.
    var polled: [pollfd] {
        let writing = input < 0 ? [] : [pollfd(fd: input, events: Int16(POLLOUT), revents: 0)]
        return writing + [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
    }

    /// The picture after the end; nil if the output is not valid.
    var picture: Picture? { reader.picture(received) }

    /// Moves bytes without waiting; returns whether it has ended.
    func move(at now: Instant) -> Bool {
        do throws(ClientError) {
            while input >= 0 {
                let count = try DescriptorIO.write(unsent, to: input)
                unsent = unsent.dropFirst(count)
                if unsent.isEmpty { endInput() } else if count == 0 { break }
            }
        } catch {
            // The program may not need the last bytes.
            endInput()
        }
        guard now < dueAt else { return fail() }
        while let read = try? DescriptorIO.read(output, bytesMax: Self.readBytesMax) {
            if read.isEmpty { return true }
            received += read
            if received.count > Self.outputBytesMax { return fail() }
        }
        return false
    }

    private func fail() -> Bool {
        received = []
        return true
    }

    private func endInput() {
        if input >= 0 { close(input) }
        input = -1
    }
}

/// Draws pictures, few at a time.
struct PictureDrawer {
    static let runningMax = 2

    private let style: PictureStyle
    private var running: [PictureDrawing] = []
    private var waiting: [(key: PictureKey, bytes: [UInt8])] = []
    private var lastNumber: UInt32 = 0x5EA_0000

    init(_ style: PictureStyle) { self.style = style }

    var polled: [pollfd] { running.flatMap(\.polled) }
    /// When a drawing times out.
    var dueAt: Instant? { running.map(\.dueAt).min() }

    mutating func add(_ key: PictureKey, _ bytes: [UInt8]) { waiting.append((key, bytes)) }

    /// Continues all drawings; returns the finished ones, with nil for an invalid picture.
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
            let done = running.filter { $0.move(at: now) }
            if done.isEmpty { return ended }
            ended += done.map { ($0.key, $0.picture) }
            running.removeAll { drawing in done.contains { $0 === drawing } }
        }
    }
}
