import CPlatform
import Client
import EventLoop
import Glibc
import Terminal

/// How pictures are drawn: by which program, for which terminal.
struct PictureStyle {
    /// The path of chafa.
    let program: String
    let kind: GraphicsKind
    let colours: Capabilities.Colours
    let cell: CellSize

    /// The command line that reads a picture and writes it for a box; pure.
    func words(for box: PictureBox) -> [String] {
        let units = PictureSize.units(kind, box, cell)
        // Drawn in dots, its squares are as high as they are wide.
        let ratio = kind == .symbols ? "\(cell.width)/\(cell.height)" : "1/1"
        return [
            program, "--format", kind == .kitty ? "kitty" : "symbols", "--size", "\(units.columns)x\(units.rows)",
            "--font-ratio", ratio,
            "--colors", kind == .symbols ? colours.nameOfChafa : "full", "--animate", "off", "--polite", "on",
            "--symbols", "block", "--optimize", "0", "--threads", "1", "-",
        ]
    }

}

extension Capabilities.Colours {
    fileprivate var nameOfChafa: String {
        switch self {
        case .sixteen: "16"
        case .palette: "256"
        case .exact: "full"
        }
    }
}

/// One picture on its way through chafa, in a process of its own that has limits.
///
/// What it writes is read as text from the web is: `PictureReader` takes only a picture.
final class PictureDrawing {
    static let memoryBytesMax = 512 << 20
    static let processorSecondsMax: UInt32 = 2
    static let patience = Duration.seconds(4)
    static let outputBytesMax = 4 << 20
    private static let readBytesMax = 64 << 10

    let key: PictureKey
    let dueAt: Instant
    private let reader: PictureReader
    private let process: pid_t
    /// What is left to be written, to a descriptor that is -1 once that is done.
    private var unsent: ArraySlice<UInt8>
    private var input: Int32 = -1
    private let output: Int32
    private var received: [UInt8] = []

    /// Nil when it can't be started.
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
        dueAt = now.advanced(by: Self.patience)
        reader = PictureReader(style.kind, key.box, style.cell, number: number)
    }

    deinit {
        endInput()
        close(output)
        kill(process, SIGKILL)
        // It is ours, and has been killed: this does not wait long.
        while waitpid(process, nil, 0) < 0, platform_errno() == EINTR {}
    }

    /// What poll(2) has to wait for.
    var polled: [pollfd] {
        let writing = input < 0 ? [] : [pollfd(fd: input, events: Int16(POLLOUT), revents: 0)]
        return writing + [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
    }

    /// Moves what can be moved without waiting; whether it has ended, by itself, by a failure or by its deadline.
    func move(at now: Instant) -> Bool {
        if now >= dueAt { return fail() }
        do throws(ClientError) {
            while input >= 0 {
                let count = try Transfers.write(unsent, to: input)
                unsent = unsent.dropFirst(count)
                if unsent.isEmpty { endInput() } else if count == 0 { break }
            }
        } catch {
            // It reads no further: a picture may be whole before its last byte.
            endInput()
        }
        do throws(ClientError) {
            while let bytes = try Transfers.read(output, bytesMax: Self.readBytesMax) {
                if bytes.isEmpty { return true }
                received += bytes
                if received.count > Self.outputBytesMax { return fail() }
            }
        } catch {
            return fail()
        }
        return false
    }

    /// Nil when it was none, once it has ended.
    var picture: Picture? { reader.picture(received) }

    private func fail() -> Bool {
        received = []
        return true
    }

    private func endInput() {
        if input >= 0 { close(input) }
        input = -1
    }
}

/// Has pictures drawn, few at a time; the others wait for their turn.
struct PictureDrawer {
    static let runningMax = 2

    private let style: PictureStyle
    private var running: [PictureDrawing] = []
    private var waiting: [(key: PictureKey, bytes: [UInt8])] = []
    private var lastNumber: UInt32 = 0x5EA_0000

    init(_ style: PictureStyle) {
        self.style = style
    }

    var polled: [pollfd] { running.flatMap(\.polled) }
    /// When one of them takes too long.
    var dueAt: Instant? { running.map(\.dueAt).min() }

    mutating func add(_ key: PictureKey, _ bytes: [UInt8]) { waiting.append((key, bytes)) }

    /// Goes on with all of them; those that have ended, with nil for what is no picture.
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
