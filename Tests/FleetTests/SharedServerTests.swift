import EventLoop
import JSON
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Engine
@testable import Fleet
@testable import Upstream

/// Hosts that share a real Redis server.
@Suite(.enabled(if: RedisServer.program != nil, RedisServer.isMissing))
struct SharedServerTests {
    @Test func `hosts with the same key share a quota, and a host with another key has another quota`() async throws {
        let server = try RedisServer()
        let granted = try await onFleetLoop { [address = server.address] loop in
            let hosts = [Host(address, on: loop), Host(address, on: loop), Host(address, on: loop, key: "other key")]
            for host in hosts { try await host.ready() }
            var granted = [0, 0, 0]
            for _ in 0..<6 {
                for index in 0..<3 where try await hosts[index].charge([quota(5)]) != nil { granted[index] += 1 }
            }
            hosts.forEach { $0.close() }
            return granted
        }
        #expect(granted[0] + granted[1] == 5)
        #expect(granted[2] == 5)
    }

    @Test func `a refund allows exactly one more call`() async throws {
        let server = try RedisServer()
        let granted = try await onFleetLoop { [address = server.address] loop in
            let host = Host(address, on: loop)
            try await host.ready()
            let first = try #require(try await host.charge([quota(1)]))
            let second = try await host.charge([quota(1)]) != nil
            host.fleet.limits.correct(first, by: [-1])
            try await until("the refund is known", on: loop) { try await host.charge([quota(1)]) != nil }
            let fourth = try await host.charge([quota(1)]) != nil
            host.close()
            return [second, fourth]
        }
        #expect(granted == [false, false])
    }

    @Test func `the calls of all hosts share one rate, and a call that can't wait is refused`() async throws {
        let server = try RedisServer()
        let rate = SharedRate(owner: "a", interval: 50_000, burst: 1, perMinute: 0)
        let (starts, refusal) = try await onFleetLoop { [address = server.address] loop in
            let hosts = [Host(address, on: loop), Host(address, on: loop)]
            for host in hosts { try await host.ready() }
            var starts: [Instant] = []
            for index in 0..<6 {
                let charge = try await hosts[index % 2].charge([], [rate], within: .seconds(9))
                starts.append(try #require(charge?.start))
            }
            var refusal: SearchError.Kind?
            do throws(SearchError) {
                _ = try await hosts[0].fleet.limits.charge(
                    [],
                    [rate],
                    of: Host.source,
                    within: .milliseconds(10),
                    for: 1
                )
            } catch {
                refusal = error.kind
            }
            hosts.forEach { $0.close() }
            return (starts, refusal)
        }
        // The sixth call starts 250 ms after the first, or a little earlier if the clocks of host and server differ.
        #expect(starts[0].duration(to: starts[5]) > Duration.milliseconds(230))
        #expect(refusal == .rateLimited)
    }

    @Test func `the limit per minute applies to the calls of all hosts together`() async throws {
        let server = try RedisServer()
        let rate = SharedRate(owner: "a", interval: 0, burst: 1, perMinute: 3)
        let granted = try await onFleetLoop { [address = server.address] loop in
            let hosts = [Host(address, on: loop), Host(address, on: loop)]
            for host in hosts { try await host.ready() }
            var granted = 0
            for index in 0..<6 {
                if let _ = try? await hosts[index % 2].charge([], [rate], within: .seconds(1)) { granted += 1 }
            }
            hosts.forEach { $0.close() }
            return granted
        }
        #expect(granted == 3)
    }

    @Test(arguments: [false, true])
    func `after the server lost its data, the hosts report their used calls to it`(isRestarted: Bool) async throws {
        let server = try RedisServer()
        let ledgers = [TemporaryDirectory(), TemporaryDirectory()]
        let granted = try await onFleetLoop { [address = server.address] loop in
            var hosts = ledgers.map { directory in
                let ledger = SQLiteQuotaStore(directory.file("quota"), on: loop, wallClock: { Host.wall })
                return Host(address, on: loop, ledger: ledger, quotas: [quota(10)])
            }
            for host in hosts { try await host.ready() }
            var granted = 0
            for _ in 0..<4 { for host in hosts where try await host.charge([quota(10)]) != nil { granted += 1 } }
            hosts[0].close()
            if isRestarted {
                server.kill()
                try server.start()
            } else {
                let flush = RedisCommand("FLUSHALL")
                try await send(flush, to: address, on: loop)
            }
            let ledger = SQLiteQuotaStore(ledgers[0].file("quota"), on: loop, wallClock: { Host.wall })
            hosts[0] = Host(address, on: loop, ledger: ledger, quotas: [quota(10)])
            for host in hosts { try await host.ready() }
            for _ in 0..<4 { for host in hosts where try await host.charge([quota(10)]) != nil { granted += 1 } }
            hosts.forEach { $0.close() }
            return granted
        }
        #expect(granted == 10)
    }

    @Test func `a pause and a breaker apply to running hosts and to a host that connects later`() async throws {
        let server = try RedisServer()
        let (changes, late) = try await onFleetLoop { [address = server.address] loop in
            let hosts = [Host(address, on: loop), Host(address, on: loop)]
            for host in hosts { try await host.ready() }
            hosts[0].fleet.limits.share(
                .pause(owner: "a", wait: .seconds(60), reason: .quotaExhausted, resetsAt: "2026-01-01T00:00:00Z")
            )
            hosts[0].fleet.limits.share(.breaker(Host.source, wait: .seconds(60)))
            hosts[0].fleet.limits.share(.breaker(sourceName("free.one"), wait: .seconds(60)))
            try await until("the changes arrive", on: loop) { hosts[1].notices.count == 3 }
            let newcomer = Host(address, on: loop)
            try await until("a newcomer gets the changes", on: loop) { newcomer.notices.count >= 3 }
            let changes = hosts[1].notices
            (hosts + [newcomer]).forEach { $0.close() }
            return (changes, newcomer.notices)
        }
        #expect(
            changes.first
                == .pause(owner: "a", wait: .seconds(60), reason: .quotaExhausted, resetsAt: "2026-01-01T00:00:00Z")
        )
        #expect(
            late.contains {
                if case .breaker(SourceName("free.one"), let wait) = $0 { wait > .seconds(50) } else { false }
            }
        )
        #expect(
            late.contains {
                if case .pause("a", let wait, .quotaExhausted, _) = $0 { wait > .seconds(50) } else { false }
            }
        )
    }

    @Test func `one host makes a call, and the waiting hosts get the page or the error`() async throws {
        let server = try RedisServer()
        let (outcomes, second, late) = try await onFleetLoop { [address = server.address] loop in
            let hosts = (0..<4).map { _ in Host(address, on: loop) }
            for host in hosts { try await host.ready() }
            let end = loop.now.advanced(by: .seconds(30))
            guard case .call = await hosts[0].fleet.pages.find([1], claims: true, by: end) else {
                return ([String](), "", "")
            }
            let waiting = hosts.dropFirst().map { host in
                Task(executorPreference: loop) { Self.text(await host.fleet.pages.find([1], claims: true, by: end)) }
            }
            try await waitForHosts(4, of: Digest.text([1]), address, on: loop)
            hosts[0].fleet.pages.finish([1], .page([7, 8], left: .seconds(5)))
            var outcomes: [String] = []
            for task in waiting { outcomes.append(await task.value) }
            let late = Self.text(await hosts[2].fleet.pages.find([1], claims: true, by: end))
            _ = await hosts[0].fleet.pages.find([2], claims: true, by: end)
            let failing = Task(executorPreference: loop) {
                Self.text(await hosts[1].fleet.pages.find([2], claims: true, by: end))
            }
            try await waitForHosts(2, of: Digest.text([2]), address, on: loop)
            hosts[0].fleet.pages.finish([2], .failure([9]))
            let second = await failing.value
            hosts.forEach { $0.close() }
            return (outcomes, second, late)
        }
        #expect(outcomes == ["page [7, 8]", "page [7, 8]", "page [7, 8]"])
        #expect(late == "page [7, 8]")
        #expect(second == "failure [9]")
    }

    @Test func `if the calling host dies, another host makes the call within two seconds`() async throws {
        let server = try RedisServer()
        let (outcome, delay) = try await onFleetLoop { [address = server.address] loop in
            let hosts = [Host(address, on: loop), Host(address, on: loop)]
            for host in hosts { try await host.ready() }
            let end = loop.now.advanced(by: .seconds(30))
            _ = await hosts[0].fleet.pages.find([1], claims: true, by: end)
            hosts[0].close()
            let begun = loop.now
            let outcome = Self.text(await hosts[1].fleet.pages.find([1], claims: true, by: end))
            hosts[1].close()
            return (outcome, begun.duration(to: loop.now))
        }
        #expect(outcome == "call")
        #expect(delay < .seconds(2))
    }

    @Test func `if the server is down, only a host with “offlineShare” makes calls, and reports them later`()
        async throws
    {
        let server = try RedisServer()
        let answerMax = Duration.milliseconds(200)
        let (refusal, delays, alone, later) = try await onFleetLoop { [address = server.address] loop in
            let hosts = [
                Host(address, on: loop, quotas: [quota(20)]) { $0.answerMax = answerMax },
                Host(address, on: loop, offlineShare: 0.25, quotas: [quota(20)]),
            ]
            for host in hosts { try await host.ready() }
            server.suspend()
            var (refusal, delays): (SearchError?, [Duration]) = (nil, [])
            for _ in 0..<2 {
                let begun = loop.now
                do throws(SearchError) {
                    _ = try await hosts[0].fleet.limits.charge([quota(20)], [], of: Host.source, within: .zero, for: 1)
                } catch {
                    refusal = error
                }
                delays.append(begun.duration(to: loop.now))
            }
            server.kill()
            var alone = 0
            for _ in 0..<8 { if let _ = try? await hosts[1].charge([quota(20)]) { alone += 1 } }
            try server.start()
            // This host has no offlineShare, so `ready` returns only after the shared server grants calls.
            let host = Host(address, on: loop, quotas: [quota(20)])
            try await host.ready()
            var later = 0
            for _ in 0..<20 { if let _ = try await host.charge([quota(20)]) { later += 1 } }
            (hosts + [host]).forEach { $0.close() }
            return (refusal, delays, alone, later)
        }
        #expect(refusal?.kind == .unavailable)
        #expect(refusal?.hint != nil)
        // After the first call, the host knows that the server does not respond.
        #expect(delays[0] >= answerMax)
        #expect(delays[1] < answerMax)
        #expect(alone == 5)
        #expect(later == 15)
    }

    @Test func `a wrong password, missing rights and keys of another program are reported with a hint`()
        async throws
    {
        let server = try RedisServer(["--requirepass", "right"])
        let troubles = try await onFleetLoop { [address = server.address] loop in
            try await send(RedisCommand("SET", "theirs:1", "x"), to: address, on: loop, password: "right")
            let rules = RedisCommand("ACL", "SETUSER", "weak", "on", ">weak", "+@all", "-@scripting", "~*", "&*")
            try await send(rules, to: address, on: loop, password: "right")
            let changes: [@Sendable (inout FleetSettings) -> Void] = [
                { _ in }, { $0.password = Secret("wrong") },
                { ($0.user, $0.password) = ("weak", Secret("weak")) },
                { ($0.password, $0.prefix) = (Secret("right"), "theirs") },
            ]
            var troubles: [String] = []
            for change in changes {
                let host = Host(address, on: loop, settings: change)
                try await until("the trouble is known", on: loop) {
                    host.fleet.engine.trouble.map { !$0.message.contains("not connected yet") } ?? false
                }
                troubles.append(host.fleet.engine.trouble?.hint ?? "")
                host.close()
            }
            return troubles
        }
        #expect(troubles[0].contains("Set fleet.password"))
        #expect(troubles[1].contains("Check fleet.user and fleet.password"))
        #expect(troubles[2].contains("ACL SETUSER weak"))
        #expect(troubles[3].contains("Set another fleet.prefix"))
    }

    private static func text(_ outcome: SharedOutcome) -> String {
        switch outcome {
        case .page(let bytes, _): "page \(bytes)"
        case .failure(let bytes): "failure \(bytes)"
        case .call: "call"
        case .none: "none"
        }
    }
}

@discardableResult
private func send(
    _ command: RedisCommand,
    to address: SharedServerAddress,
    on loop: EventLoop,
    password: String? = nil
) async throws -> Reply? {
    let connection: SharedServerConnection = await withCheckedContinuation { continuation in
        @Sendable func open() {
            let isOpen = Locked(false)
            SharedServerConnection.open(to: address, on: loop) { _ in
                guard !isOpen.withLock({ $0 }) else { return }
                _ = loop.schedule(at: loop.now.advanced(by: .milliseconds(10))) { open() }
            } then: { connection in
                isOpen.withLock { $0 = true }
                continuation.resume(returning: connection)
            }
        }
        open()
    }
    if let password { connection.send(RedisCommand("AUTH", password)) { _ in } }
    let reply = await withCheckedContinuation { continuation in
        connection.send(command) { continuation.resume(returning: $0) }
    }
    connection.close(.closed)
    return reply
}

private func waitForHosts(_ count: Int, of page: String, _ address: SharedServerAddress, on loop: EventLoop)
    async throws
{
    try await until("\(count) hosts wait", on: loop) {
        try await send(RedisCommand("LLEN", "searchd:{\(page)}:hosts"), to: address, on: loop)?.int == count
    }
}
