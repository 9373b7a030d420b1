import CPlatform
import EventLoop
import Glibc

/// The log of a daemon that we start: `searchd/searchd.log` in the user's state directory.
struct DaemonLog {
    /// A longer log is begun anew at the next start.
    static let bytesMax = 1 << 20

    /// The directory; nil when the user has none, and then nothing is kept.
    private let directory: String?

    init(environment: Environment) {
        directory = environment.stateHome.map { $0 + "/searchd" }
    }

    var path: String? { directory.map { $0 + "/searchd.log" } }

    /// The error for a daemon that did not start.
    var hint: String? { path.map { "“searchctl logs” shows its log, \($0)." } }

    /// Opens the log for appending; /dev/null when it can't be written.
    func open() throws(ClientError) -> FileDescriptor {
        if let directory, let path {
            // What can not be made shows when the log is opened.
            Transfers.makeDirectories(directory)
            // The path lives through the call.
            let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if descriptor >= 0 {
                let file = FileDescriptor(owning: descriptor)
                if lseek(file.raw, 0, SEEK_END) > Self.bytesMax { _ = ftruncate(file.raw, 0) }
                return file
            }
        }
        // The path lives through the call.
        let descriptor = unsafe Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ClientError(.system, SystemError(call: "/dev/null", number: platform_errno()).description)
        }
        return FileDescriptor(owning: descriptor)
    }
}
