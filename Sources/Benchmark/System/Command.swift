import CPlatform
import EventLoop
import Glibc

/// A program with its arguments, and what is added to its environment.
struct Command {
    /// A path, or a name to be found in PATH.
    let program: String
    var arguments: [String] = []
    var environment: [String] = []

    var name: String { String(program.split(separator: "/").last ?? "") }

    /// Starts it; its errors are added to the file `log`, its output goes to a descriptor, or to /dev/null for -1.
    func spawn(output: Int32, log: String) throws(BenchmarkError) -> pid_t {
        let errors = try SystemCall.open(log, O_WRONLY | O_CREAT | O_APPEND)
        // Both lists live through the call, which keeps none of them.
        let process = unsafe withCStrings([program] + arguments) { words in
            unsafe withCStrings(environment + Self.inherited()) { variables in
                unsafe platform_spawn(words, variables, output, errors.raw)
            }
        }
        guard process > 0 else {
            throw BenchmarkError(.program, SystemError(call: program, number: platform_errno()).description)
        }
        return process
    }

    /// Starts it on a terminal, in a session of its own.
    func spawn(onTerminal path: String) throws(BenchmarkError) -> pid_t {
        // The lists and the path live through the call, which keeps none of them.
        let process = unsafe withCStrings([program] + arguments) { words in
            unsafe withCStrings(environment + Self.inherited()) { variables in
                unsafe platform_spawn_on_terminal(words, variables, path)
            }
        }
        guard process > 0 else {
            throw BenchmarkError(.program, SystemError(call: program, number: platform_errno()).description)
        }
        return process
    }

    /// The environment of this program, without the variables that configure searchd.
    private static func inherited() -> [String] {
        let variables = SystemCall.contents(of: "/proc/self/environ") ?? []
        return variables.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            .filter { !$0.hasPrefix("SEARCHD_") }
    }
}
