import CPlatform
import Catalogue
import Engine
import EventLoop
import Glibc
import SearchModel
import Upstream

/// Reports the daemon's state to the service manager (sd_notify); thread-safe.
final class ServiceNotice: Sendable {
    private let address: String?
    private let status = Locked("")

    init(_ surroundings: ProcessEnvironment) {
        address = surroundings.variable("NOTIFY_SOCKET")
    }

    func ready(_ status: String) {
        self.status.withLock { $0 = status }
        send("READY=1\nSTATUS=\(status)\n")
    }

    /// The time lets the manager recognise the “ready” message of this reload.
    func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(platform_monotonic_ns() / 1000)\n") }

    func readyAgain() { ready(status.withLock { $0 }) }

    func stopping() { send("STOPPING=1\nSTATUS=finishing requests in flight\n") }

    func tell(_ status: String) {
        let isNew = self.status.withLock { last in
            defer { last = status }
            return last != status
        }
        if isNew { send("STATUS=\(status)\n") }
    }

    /// Sends a message now and then twice per watchdog interval.
    ///
    /// Must be called on the loop.
    func keepAlive(on loop: EventLoop, _ surroundings: ProcessEnvironment) {
        guard let pause = Self.watchdogPause(surroundings) else { return }
        send("WATCHDOG=1\n")
        _ = loop.schedule(at: loop.now.advanced(by: pause)) { [self] in keepAlive(on: loop, surroundings) }
    }

    static func watchdogPause(_ surroundings: ProcessEnvironment) -> Duration? {
        let process = surroundings.variable("WATCHDOG_PID")
        guard process == nil || process == "\(surroundings.processID)",
            let microseconds = surroundings.variable("WATCHDOG_USEC").flatMap(Int64.init), microseconds > 1
        else { return nil }
        return .microseconds(microseconds / 2)
    }

    /// Does nothing if there is no manager, or if the manager's queue is full.
    private func send(_ message: String) {
        guard let address, address.hasPrefix("/") || address.hasPrefix("@") else { return }
        guard let socket = try? UnixSocket.makeForDatagrams() else { return }
        let (descriptor, bytes, flags) = (socket.raw, Array(message.utf8), Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        // The call only reads the address and the bytes, which are valid until it returns.
        _ = try? unsafe UnixSocket.withAddress(address, mayBeAbstract: true) {
            let address = unsafe $0.assumingMemoryBound(to: sockaddr.self)
            return unsafe Int32(clamping: sendto(descriptor, bytes, bytes.count, flags, address, $1))
        }
    }
}

/// The daemon's state in one line, which `systemctl status` shows.
enum StatusLine {
    private static let namesMax = 3

    static func text(_ registry: SourceRegistry, health: [SourceName: SourceHealth]) -> String {
        let ready = registry.all.filter { $0.unavailable == nil }.map(\.source.name)
        let failing = ready.filter { health[$0]?.failingSince != nil }
        var parts = ["serving \(ready.count) source\(ready.count == 1 ? "" : "s")"]
        if !failing.isEmpty {
            let more = failing.count > namesMax ? " and \(failing.count - namesMax) more" : ""
            let names = failing.prefix(namesMax).map(\.text).joined(separator: ", ")
            parts.append("\(names)\(more) fail\(failing.count == 1 ? "s" : "")")
        }
        if !registry.refused.isEmpty { parts.append("\(registry.refused.count) with an invalid file") }
        return parts.joined(separator: "; ")
    }
}
