import CPlatform
import Glibc

/// A program, what it is told, and what is added to its environment.
struct Command {
    /// A path, or a name to be found in PATH.
    let program: String
    var arguments: [String] = []
    var environment: [String] = []

    var name: String { String(program.split(separator: "/").last ?? "") }

    /// Starts it with standard input and output at /dev/null, unless `output` is given, and errors in `log`.
    func spawn(log: String?, output: Int32?) throws(BenchmarkError) -> pid_t {
        var process: pid_t = 0
        // Both structures are made here, used by the one call that outlives neither, and destroyed here.
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if let output {
            unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, 2, log ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        // The signals that this program blocks for itself are open again in the child.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let number = unsafe withCStrings([program] + arguments) { arguments in
            unsafe withCStrings(environment + Self.inherited()) { environment in
                guard let arguments = unsafe arguments, let environment = unsafe environment else { return EINVAL }
                return unsafe posix_spawnp(&process, program, &actions, &attributes, arguments, environment)
            }
        }
        guard number == 0 else {
            // strerror's text is copied at once.
            let reason = unsafe String(cString: strerror(number))
            throw BenchmarkError(.program, "\(program) can't be started: \(reason)")
        }
        return process
    }

    /// The environment of this program, without what would lead the others astray.
    private static func inherited() -> [String] {
        let variables = SystemCall.contents(of: "/proc/self/environ") ?? []
        return variables.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            .filter { !$0.hasPrefix("SEARCHD_") }
    }
}

/// Lends a list of C strings that ends in nil, for as long as the body runs.
func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
) -> Result {
    // Each string is a copy of its own that is freed after the body; the list ends in nil.
    var pointers = unsafe strings.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
}
