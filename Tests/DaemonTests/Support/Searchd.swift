import CPlatform
import EventLoop
import Glibc
import TestSupport

/// Runs searchd, or another program, as a separate process.
final class Searchd {
    let pid: pid_t
    private let directory: TemporaryDirectory
    private let name: String
    /// Only the process has the other end of this pipe, so the exit of the process ends the pipe.
    private let leash: FileDescriptor
    private let ready: FileDescriptor
    private var status: Int32?

    static func program(_ name: String = "searchd") throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let program = path.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
        guard unsafe access(program, X_OK) == 0 else {
            throw TestFailure("\(program) is missing: swift build --product \(name)")
        }
        return program
    }

    /// Starts the program.
    ///
    /// With `--ready-fd 3`, `readyText` returns what searchd writes to descriptor 3. `prelude` has shell commands that
    /// run first, in the same process.
    init(
        _ arguments: [String],
        program: String = "searchd",
        in directory: TemporaryDirectory,
        environment: [String: String] = [:],
        prelude: String = "",
        listener: Int32? = nil
    ) throws {
        self.directory = directory
        var generator = SystemRandomNumberGenerator()
        name = "run-\(generator.next())"
        let script = "\(prelude)\nexec \"$0\" \"$@\""
        let words = ["sh", "-c", script, try Self.program(program)] + arguments
        let variables = (["HOME": directory.path].merging(environment) { $1 }).map { "\($0.key)=\($0.value)" }
        let (leash, itsLeash) = try Self.pipe()
        let (ready, itsReady) = try Self.pipe()
        let output = unsafe open(directory.file("\(name).out"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let errors = unsafe open(directory.file("\(name).err"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { for descriptor in [itsLeash, itsReady, output, errors] { close(descriptor) } }
        self.leash = FileDescriptor(owning: leash)
        self.ready = FileDescriptor(owning: ready)
        let files = [(output, 1), (errors, 2), (listener ?? itsReady, 3), (itsLeash, 9)] as [(Int32, Int32)]
        pid = try Self.spawn(words, variables, files)
    }

    deinit {
        if status == nil {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
    }

    var output: String { directory.contents(of: "\(name).out") ?? "" }
    var errors: String { directory.contents(of: "\(name).err") ?? "" }

    /// The lines of the log, without notices.
    var complaints: [Substring] { errors.split(separator: "\n").filter { !$0.contains(" notice: ") } }

    func readyText() throws -> String {
        try Waiting.readToEnd(ready.raw, "the ready message of searchd, which printed: \(errors)")
    }

    func signal(_ number: Int32) {
        kill(pid, number)
    }

    /// Returns the exit status, or 128 plus the number of the signal.
    func waitForExit() throws -> Int32 {
        if let status { return status }
        _ = try Waiting.readToEnd(leash.raw, "the end of searchd, which printed: \(errors)")
        var raw: Int32 = 0
        guard unsafe waitpid(pid, &raw, 0) == pid else { throw TestFailure("waitpid: errno \(platform_errno())") }
        let signal = raw & 0x7F
        let exit = signal == 0 ? (raw >> 8) & 0xFF : 128 + signal
        status = exit
        return exit
    }

    /// Uses a socket pair, because `pipe` cannot create close-on-exec descriptors.
    private static func pipe() throws -> (ours: Int32, its: Int32) {
        var ends: [Int32] = [0, 0]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw TestFailure("socketpair: errno \(platform_errno())")
        }
        return (ends[0], ends[1])
    }

    private static func spawn(
        _ words: [String],
        _ variables: [String],
        _ files: [(from: Int32, to: Int32)]
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        var (none, all) = (sigset_t(), sigset_t())
        var child: pid_t = 0
        // All pointers are valid until this function returns or frees the arrays below.
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for file in files { unsafe posix_spawn_file_actions_adddup2(&actions, file.from, file.to) }
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        let failure = unsafe withCStrings(words) { words in
            unsafe withCStrings(variables) { variables in
                unsafe posix_spawn(&child, "/bin/sh", &actions, &attributes, words, variables)
            }
        }
        guard failure == 0 else { throw TestFailure("posix_spawn: errno \(failure)") }
        return child
    }

    private static func withCStrings<Result>(
        _ strings: [String],
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var copies = unsafe strings.map { unsafe strdup($0) } + [nil]
        // This function owns the copies, and frees them after the call.
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe copies.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("never empty") }
            return unsafe body(base)
        }
    }
}
