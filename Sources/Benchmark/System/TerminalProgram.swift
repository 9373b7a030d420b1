import CPlatform
import EventLoop
import Glibc

/// A program on a terminal of its own, at whose other end this one sits: it types, and takes what is shown.
final class TerminalProgram {
    static let columns: UInt16 = 80
    static let rows: UInt16 = 24
    // TIOCSPTLCK and TIOCGPTN, which Glibc's module lacks.
    private static let lock: UInt = 0x4004_5431
    private static let number: UInt = 0x8004_5430
    private static let chunkBytes = 64 << 10
    /// What every terminal answers to a question for its kind; programs wait for that.
    private static let question = Array("\u{1B}[c".utf8)
    private static let kind = Array("\u{1B}[?62;22c".utf8)
    private static let environment = ["TERM=xterm-256color", "LC_ALL=C.UTF-8"]

    /// What came until nothing more came for a while.
    struct Shown {
        var bytes: [UInt8] = []
        /// When the last of it came; nil when nothing did.
        var endedAt: Int64?
    }

    let process: ChildProcess
    /// When it was about to be started.
    let startedAt: Int64
    private let person: FileDescriptor
    /// Keeps the terminal open when the program ends, so that what it has shown can still be read.
    private let program: FileDescriptor

    /// Starts it; the terminal is there before the time counts.
    init(_ command: Command) throws(BenchmarkError) {
        person = try SystemCall.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
        let raw = person.raw
        var (isLocked, number): (Int32, UInt32) = (0, 0)
        // The kernel reads and fills the locals during the calls.
        _ = try SystemCall.checked("unlocking a terminal") { unsafe ioctl(raw, Self.lock, &isLocked) }
        _ = try SystemCall.checked("numbering a terminal") { unsafe ioctl(raw, Self.number, &number) }
        let path = "/dev/pts/\(number)"
        program = try SystemCall.open(path, O_RDWR | O_NOCTTY)
        var size = winsize(ws_row: Self.rows, ws_col: Self.columns, ws_xpixel: 0, ws_ypixel: 0)
        // The kernel reads the local during the call.
        _ = try SystemCall.checked("sizing a terminal") { unsafe ioctl(raw, UInt(TIOCSWINSZ), &size) }
        var command = command
        command.environment += Self.environment
        startedAt = SystemCall.now
        process = try ChildProcess(command, onTerminal: path)
    }

    func type(_ text: String) throws(BenchmarkError) {
        try send(Array(text.utf8))
    }

    private func send(_ bytes: [UInt8]) throws(BenchmarkError) {
        let raw = person.raw
        // A terminal takes a few keys at once; the array lives through the call.
        let count = try SystemCall.checked("typing") { unsafe write(raw, bytes, bytes.count) }
        guard count == bytes.count else { throw process.failure("did not take what was typed") }
    }

    /// Takes what is shown until nothing more comes for so long, or a text has come.
    ///
    /// - Throws: When something is awaited and has not come within `patience`, or the program has ended.
    func shown(
        quietFor quiet: Duration,
        until text: String? = nil,
        patience: Duration = .seconds(20)
    ) throws(BenchmarkError) -> Shown {
        let wanted = text.map { Array($0.utf8) }
        let deadline = SystemCall.now + patience.nanoseconds
        var shown = Shown()
        while true {
            let isAwaited = wanted != nil
            let wait = isAwaited ? max(0, deadline - SystemCall.now) : quiet.nanoseconds
            guard try isReady(within: wait), let bytes = try read() else {
                if let text { throw process.failure("did not show “\(text)”") }
                return shown
            }
            shown.endedAt = SystemCall.now
            let last = shown.bytes.count
            shown.bytes += bytes
            let new = shown.bytes[max(0, last - 64)...]
            if Self.holds(new, Self.question) { try send(Self.kind) }
            if let wanted, Self.holds(new, wanted) { return shown }
            if !isAwaited, SystemCall.now > deadline { return shown }
        }
    }

    /// Whether bytes hold others that are not many.
    static func holds(_ bytes: ArraySlice<UInt8>, _ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        return bytes.indices.contains { index in bytes[index] == first && bytes[index...].starts(with: part) }
    }

    private func isReady(within nanoseconds: Int64) throws(BenchmarkError) -> Bool {
        var polled = pollfd(fd: person.raw, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(min(nanoseconds / 1_000_000, 60_000))
        // The kernel fills the one structure whose count is given.
        return try SystemCall.checked("waiting for a terminal") { unsafe poll(&polled, 1, milliseconds) } > 0
    }

    /// What there is to read; nil when nothing is.
    private func read() throws(BenchmarkError) -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        // The count keeps the read within the chunk.
        let count = unsafe Glibc.read(person.raw, &chunk, chunk.count)
        return count > 0 ? Array(chunk[..<count]) : nil
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
