import CPlatform
import Catalogue
import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport

@testable import Fleet
@testable import Upstream

/// A host of a fleet, with its ledger and the changes from other hosts.
final class Host: Sendable {
    let fleet: Fleet
    let changes = Locked<[SharedChange]>([])
    let loop: EventLoop

    /// Must be called on the loop.
    init(
        _ address: SharedServerAddress,
        on loop: EventLoop,
        key: String = "first key",
        ledger: SQLiteQuotaStore? = nil,
        offlineShare: Double = 0,
        quotas: [CountedQuota] = [],
        rates: [SharedRate] = [],
        settings: (inout FleetSettings) -> Void = { _ in }
    ) {
        self.loop = loop
        var chosen = FleetSettings(address: address, offlineShare: offlineShare)
        // On a busy machine, the server of a test responds late.
        chosen.answerMax = .seconds(10)
        settings(&chosen)
        let wallClock = { @Sendable in Self.wall }
        let ledger = ledger ?? SQLiteQuotaStore(nil, on: loop, wallClock: wallClock)
        fleet = Fleet(chosen, on: loop, ledger: ledger, wallClock: wallClock) { _, _ in }
        fleet.limits.configure([SharedAccount(name: "a", secrets: ["key": Secret(key)], quotas: quotas, rates: rates)])
        fleet.start { [changes] change in changes.withLock { $0.append(change) } }
    }

    static var wall: Int64 { platform_realtime_ns() / 1_000_000_000 }

    func ready() async throws {
        try await until("the shared server grants calls", on: loop) {
            guard fleet.limits.obstacle(Self.source) == nil else { return false }
            return try await fleet.limits.charge([], [], of: Self.source, within: .zero, for: 1) != nil
        }
    }

    static let source = sourceName("a.one")

    func charge(_ quotas: [CountedQuota], _ rates: [SharedRate] = [], within wait: Duration = .zero) async throws
        -> QuotaCharge?
    {
        let charge = try await fleet.limits.charge(quotas, rates, of: Self.source, within: wait, for: 1)
        return charge.flatMap { $0.isAccepted ? $0 : nil }
    }

    func close() { fleet.engine.close() }

    var notices: [SharedChange] {
        changes.withLock { $0 }.filter { if case .usage = $0 { false } else { true } }
    }
}

func quota(_ limit: Int, _ name: String = "a-day") -> CountedQuota {
    CountedQuota(
        key: QuotaKey(owner: "a", name: name),
        quota: Quota(name: name, limit: limit, period: .day, scope: .account, zone: .fixed(minutes: 0))
    )
}

func onFleetLoop<Value: Sendable>(_ body: @Sendable (EventLoop) async throws -> Value) async throws -> Value {
    try await Gate.heavy.pass {
        let thread = try LoopThread(named: "fleet")
        let result: Result<Value, any Error>
        do {
            result = .success(try await withTaskExecutorPreference(thread.loop) { try await body(thread.loop) })
        } catch {
            result = .failure(error)
        }
        thread.stop()
        return try result.get()
    }
}

func until(_ what: String, on loop: EventLoop, _ condition: () async throws -> Bool) async throws {
    let deadline = loop.now.advanced(by: Waiting.patience)
    while try await !condition() {
        guard loop.now < deadline else { throw TestFailure("timed out waiting until \(what)") }
        try await loop.sleep(until: loop.now.advanced(by: .milliseconds(2)))
    }
}
