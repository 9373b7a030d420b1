import Daemon
import EventLoop
import Glibc

/// Serves lines with a whole daemon in this process, and ends the program when one takes too much time or memory.
final class LineTrial: Sendable {
    /// Processor time for one line: ten times what the daemon may take, since it is watched at every step here.
    private static let nanosecondsMax: Int64 = 100_000_000
    /// What each element of a batch, a list or an object may add.
    private static let nanosecondsPerElementMax: Int64 = 50_000
    private static let residentPagesMax = 1 << 18
    private static let answerSecondsMax = 120

    static let shared = LineTrial()

    private let descriptor: Int32
    private let number = Locked(0)

    /// Starts the daemon, and returns when it serves.
    private init() {
        // The environment does not change while this runs; the text is copied at once.
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        // The template ends in zero, and mkdtemp writes within it.
        var template = Array("\(parent)/searchd-fuzz-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { Self.end("no directory can be made") }
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        Self.write(Self.configuration, to: "\(directory)/config.json5")
        for name in ["state", "cache"] {
            // The path lasts as long as the call.
            _ = unsafe mkdir("\(directory)/\(name)", 0o700)
        }
        let words = [
            "--socket", "\(directory)/socket", "--config", "\(directory)/config.json5", "--state", "\(directory)/state",
            "--cache", "\(directory)/cache", "--log-level", "error",
        ]
        Self.start { _ = DaemonProgram.run(words) }
        descriptor = Self.connect("\(directory)/socket")
    }

    /// Sends one line, waits until it was served, and judges.
    func run(_ line: [UInt8]) {
        let id = number.withLock { number in
            number += 1
            return number
        }
        let before = Self.processorTime
        let mark = "\"id\":\"fuzz\(id)\""
        send(line + Array("\n{\"jsonrpc\":\"2.0\",\(mark),\"method\":\"server/ping\"}\n".utf8))
        receive(Array(mark.utf8))
        let took = Self.processorTime - before
        let elements = Int64(line.count { $0 == UInt8(ascii: ",") })
        guard took <= Self.nanosecondsMax + elements * Self.nanosecondsPerElementMax else {
            let beginning = String(decoding: line.prefix(200), as: UTF8.self)
            Self.end("a line of \(line.count) bytes took \(took / 1_000_000) ms: \(beginning)")
        }
        guard Self.residentPages <= Self.residentPagesMax else {
            Self.end("\(Self.residentPages / 256) MiB are resident after a line of \(line.count) bytes")
        }
    }

    /// Every source that needs no key leads to a port on which nobody listens.
    private static let configuration = """
        { accounts: {
            itunes: { baseURL: "http://127.0.0.1:9" }, wikipedia: { baseURL: "http://127.0.0.1:9" },
            openlibrary: { baseURL: "http://127.0.0.1:9" }, hackernews: { baseURL: "http://127.0.0.1:9" },
        } }
        """
}

// MARK: The system

extension LineTrial {
    /// libFuzzer keeps the input that was tried last, and ends too.
    private static func end(_ reason: String) -> Never {
        let line = Array("FAILED: \(reason)\n".utf8)
        // The count is that of the array.
        _ = unsafe Glibc.write(2, line, line.count)
        abort()
    }

    private static var processorTime: Int64 {
        var time = timespec()
        // The structure outlives the call, which can't fail for this clock.
        _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static var residentPages: Int {
        // The path lasts as long as the call.
        let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 128)
        // The count keeps the read within the array.
        let count = unsafe read(file, &text, text.count)
        let fields = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? Int(String(decoding: fields[1], as: UTF8.self)) ?? 0 : 0
    }

    private static func start(_ body: @escaping @Sendable () -> Void) {
        final class Start {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        // The reference is taken back once, by the new thread.
        let start = unsafe Unmanaged.passRetained(Start(body))
        let failure = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                // Taken back once, here.
                unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            start.toOpaque()
        )
        if failure != 0 { end("no thread can be started") }
    }

    /// Waits until the daemon listens.
    private static func connect(_ path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The path is one of ours, and short; the zero after it is there from the start.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        for _ in 0..<5_000 {
            // connect reads the structure for as long as it lasts, and its length is given.
            let outcome = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            if outcome == 0 { return descriptor }
            usleep(2_000)
        }
        end("the daemon does not listen")
    }

    private static func write(_ text: String, to path: String) {
        // The path and the bytes last as long as the calls.
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        let bytes = Array(text.utf8)
        guard file >= 0, unsafe Glibc.write(file, bytes, bytes.count) == bytes.count else {
            end("\(path) can't be written")
        }
        close(file)
    }

    /// The daemon reads while it answers, and what it answers here fits into the socket until it is read.
    private func send(_ bytes: [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            // The count keeps the call within the array.
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(
                    descriptor,
                    $0.baseAddress.map { unsafe $0 + offset },
                    $0.count - offset,
                    Int32(MSG_NOSIGNAL)
                )
            }
            guard count > 0 else { Self.end("the daemon has closed the connection") }
            offset += count
        }
    }

    /// Reads until the mark has come; what came before it is of no interest.
    private func receive(_ mark: [UInt8]) {
        var kept: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while kept.firstRange(of: mark) == nil {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // One structure, which outlives the call.
            guard unsafe poll(&waiting, 1, Int32(Self.answerSecondsMax * 1_000)) > 0 else {
                Self.end("a line was not answered within \(Self.answerSecondsMax) s")
            }
            // The count keeps the read within the chunk.
            let count = unsafe read(descriptor, &chunk, chunk.count)
            guard count > 0 else { Self.end("the daemon has closed the connection") }
            kept = kept.suffix(mark.count) + chunk[..<count]
        }
    }
}
