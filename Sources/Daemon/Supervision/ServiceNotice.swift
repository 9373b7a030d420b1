import CPlatform
import EventLoop
import Glibc

/// Tells the service manager how the daemon is doing (sd_notify's datagrams to NOTIFY_SOCKET); from any thread.
final class ServiceNotice: Sendable {
    private let address: String?
    /// The line that was told last; the same one is not told twice.
    private let status = Locked("")

    init(_ surroundings: ProcessEnvironment) {
        address = surroundings.variable("NOTIFY_SOCKET")
    }

    func ready(_ status: String) {
        self.status.withLock { $0 = status }
        send("READY=1\nSTATUS=\(status)\n")
    }

    /// The time tells the manager which readiness is the one from after the reload.
    func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(platform_monotonic_ns() / 1000)\n") }

    func readyAgain() { ready(status.withLock { $0 }) }

    func stopping() { send("STOPPING=1\nSTATUS=finishing what is in flight\n") }

    func alive() { send("WATCHDOG=1\n") }

    /// One line on how the daemon is doing.
    func tell(_ status: String) {
        let isNew = self.status.withLock { last in
            defer { last = status }
            return last != status
        }
        if isNew { send("STATUS=\(status)\n") }
    }

    /// Best effort: without a manager there is nobody to tell, and a full queue is the manager's trouble.
    private func send(_ message: String) {
        guard let address, address.utf8.count < 108, address.hasPrefix("/") || address.hasPrefix("@") else { return }
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        // The address fits into the zeroed field; an abstract one begins with NUL instead of @.
        unsafe withUnsafeMutableBytes(of: &name.sun_path) { field in
            unsafe field.copyBytes(from: address.utf8)
            if address.hasPrefix("@") { unsafe field[0] = 0 }
        }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + address.utf8.count)
        var text = message
        let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        // Name and text live through the call.
        _ = text.withUTF8 { bytes in
            unsafe withUnsafePointer(to: &name) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe sendto(descriptor, bytes.baseAddress, bytes.count, flags, pointer, length)
                }
            }
        }
    }
}
