import EventLoop

/// Schedules requests so that each host gets at most one per second.
struct HostTurns {
    private struct Host {
        var next: Instant
        var sentAt: Instant?
    }

    static let interval = Duration.seconds(1)
    static let hostsMax = 4096

    private var hosts: [String: Host] = [:]

    /// Reserves the next free time of a host and returns it; nil if it is too late, or if too many hosts are busy.
    mutating func take(_ host: String, at now: Instant, before deadline: Instant) -> Instant? {
        if hosts.count >= Self.hostsMax { hosts = hosts.filter { now < $0.value.next } }
        let turn = max(now, hosts[host]?.next ?? now)
        guard turn < deadline, hosts[host] != nil || hosts.count < Self.hostsMax else { return nil }
        hosts[host, default: Host(next: turn)].next = turn.advanced(by: Self.interval)
        return turn
    }

    /// Returns the time at which a request may be sent: now, or one interval after the previous request.
    mutating func send(_ host: String, at now: Instant) -> Instant {
        let time = max(now, hosts[host]?.sentAt?.advanced(by: Self.interval) ?? now)
        hosts[host, default: Host(next: time)].sentAt = time
        return time
    }
}
