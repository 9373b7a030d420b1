import EventLoop

/// When each host gets its next request: one a second; pure.
struct HostTurns {
    private struct Host {
        /// The next free turn.
        var next: Instant
        /// When the last request was sent.
        var sentAt: Instant?
    }

    static let interval = Duration.seconds(1)
    static let hostsMax = 4096

    private var hosts: [String: Host] = [:]

    /// Takes the next turn of a host and returns when it is; nil if it is after the deadline.
    mutating func take(_ host: String, at now: Instant, before deadline: Instant) -> Instant? {
        if hosts.count >= Self.hostsMax { hosts = hosts.filter { now < $0.value.next } }
        let turn = max(now, hosts[host]?.next ?? now)
        guard turn < deadline, hosts[host] != nil || hosts.count < Self.hostsMax else { return nil }
        hosts[host, default: Host(next: turn)].next = turn.advanced(by: Self.interval)
        return turn
    }

    /// Returns when a request may be sent whose turn has come, and which may have waited for something else since then.
    mutating func send(_ host: String, at now: Instant) -> Instant {
        let time = max(now, hosts[host]?.sentAt?.advanced(by: Self.interval) ?? now)
        hosts[host, default: Host(next: time)].sentAt = time
        return time
    }
}
