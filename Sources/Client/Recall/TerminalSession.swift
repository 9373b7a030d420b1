import EventLoop
import Glibc

/// What tells the session of a terminal from every other one, since names of terminals and numbers of processes come again.
enum TerminalSession {
    private static let statusBytesMax = 4096

    /// The number of the session's leader and when that began; the number alone where the leader can't be looked at.
    static func current() -> String {
        let leader = getsid(0)
        // The path lives through the call.
        let descriptor = unsafe open("/proc/\(leader)/stat", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return String(leader) }
        let file = FileDescriptor(owning: descriptor)
        guard let status = try? Transfers.read(file.raw, bytesMax: statusBytesMax),
            let start = start(inStatus: String(decoding: status, as: UTF8.self))
        else { return String(leader) }
        return "\(leader)-\(start)"
    }

    /// When a process began, in ticks since the machine did: the 22nd field of `/proc/PID/stat`; pure.
    ///
    /// The second one is the program's name in brackets, in which anything may stand.
    static func start(inStatus status: String) -> UInt64? {
        guard let bracket = status.lastIndex(of: ")") else { return nil }
        let fields = status[status.index(after: bracket)...].split(separator: " ")
        return fields.count >= 20 ? UInt64(fields[19]) : nil
    }
}
