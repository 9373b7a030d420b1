import EventLoop
import Glibc

/// Where the programs are that are measured.
struct Programs {
    let directory: String
    /// This program, for its echo server.
    let searchbench: String

    /// Beside this program, unless another directory is given.
    init(directory: String?) throws(BenchmarkError) {
        // The path comes from realpath's own memory: it is copied, then freed.
        guard let path = unsafe realpath("/proc/self/exe", nil) else {
            throw SystemCall.failure("finding this program")
        }
        defer { unsafe free(path) }
        searchbench = unsafe String(cString: path)
        let parent = searchbench.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        self.directory = directory ?? parent
    }

    var searchd: String { "\(directory)/searchd" }
    var searchctl: String { "\(directory)/searchctl" }
    var sandbox: String { "\(directory)/searchd-sandbox" }
}
