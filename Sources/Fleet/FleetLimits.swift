import Catalogue
package import EventLoop
import JSON
import RPC
package import SearchModel
package import Upstream

/// Limits that hosts share: rates, quotas, pauses and circuit breakers of accounts with the same secrets.
///
/// Each host also stores the total usage in its ledger, so the hosts can restore the usage if the server loses it.
package actor FleetLimits: SharedLimits, LoopActor {
    private struct Account {
        let shared: SharedAccount
        let digest: String
        /// The end of the grace period.
        ///
        /// Until then, hosts report their usage, and the server grants no call.
        var readyAt: Instant?
        var isReporting = false
        var mustReport = false
        /// The number of charges that the server may have granted, but that are not in the ledger yet.
        var pendingCharges = 0
        /// For each source or account with a rate, the time of its next call.
        ///
        /// Used only while the server is unavailable.
        var nextAlone: [String: Instant] = [:]

        /// The account's name in the ledger; it depends on the secrets, because each key has its own quotas.
        var ledgerName: String { "\(shared.name)#\(digest.prefix(12))" }
        /// The account's name in the ledger for calls that were counted without the server.
        var aloneName: String { ledgerName + "~" }
    }

    private static let breakers = "breakers"
    private static let reportPause = Duration.milliseconds(5)

    package nonisolated let loop: EventLoop
    private let engine: SharedServer
    private let ledger: SQLiteQuotaStore
    private let wallClock: @Sendable () -> Int64
    /// The server's time minus the wall clock, in seconds.
    private var clockDifference: Int64 = 0
    private var accounts: [String: Account] = [:]
    private var follow: @Sendable (SharedChange) -> Void = { _ in }

    package init(engine: SharedServer, ledger: SQLiteQuotaStore, wallClock: @escaping @Sendable () -> Int64) {
        (self.engine, self.ledger, self.wallClock, loop) = (engine, ledger, wallClock, engine.loop)
    }

    package func begin(follow: @escaping @Sendable (SharedChange) -> Void) {
        self.follow = follow
    }

    // MARK: Accounts

    package nonisolated func configure(_ accounts: [SharedAccount]) {
        onLoop { $0.replace(accounts) }
    }

    private func replace(_ shared: [SharedAccount]) {
        let before = accounts
        accounts = [:]
        for account in shared {
            let secrets = account.secrets.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.reveal())" }
            let digest = Digest.text(Array(([account.name] + secrets).joined(separator: "\n").utf8))
            var made = Account(shared: account, digest: digest)
            if let known = before[account.name], known.digest == digest {
                (made.readyAt, made.isReporting, made.nextAlone) = (known.readyAt, known.isReporting, known.nextAlone)
                made.pendingCharges = known.pendingCharges
            }
            accounts[account.name] = made
        }
        reportAll()
    }

    private func key(_ digest: String) -> String { "\(engine.settings.prefix):{\(digest)}" }

    package nonisolated func obstacle(_ source: SourceName) -> Skip? {
        onLoop { $0.findObstacle(source) }
    }

    private func findObstacle(_ source: SourceName) -> Skip? {
        if let trouble = engine.trouble {
            guard engine.settings.offlineShare == 0 else { return nil }
            return .unshared(source, trouble.message, wait: nil, hint: trouble.hint)
        }
        guard let readyAt = accounts[source.account]?.readyAt, loop.now < readyAt else { return nil }
        let reason = "the shared server does not know yet how much quota the hosts have used"
        return .unshared(source, reason, wait: loop.now.duration(to: readyAt), hint: "Try again in two seconds.")
    }

    // MARK: Charging

    package func charge(_ quotas: [CountedQuota], for user: UInt32) async throws(SearchError) -> QuotaCharge {
        try await ledger.charge(quotas, for: user)
    }

    package func charge(
        _ quotas: [CountedQuota],
        _ rates: [SharedRate],
        of source: SourceName,
        within wait: Duration,
        for user: UInt32
    ) async throws(SearchError) -> QuotaCharge? {
        guard let account = accounts[source.account] else { throw .gone(source) }
        accounts[source.account]?.pendingCharges += 1
        defer { accounts[source.account]?.pendingCharges -= 1 }
        for _ in 0..<2 {
            let windows = quotas.map { $0.quota.period(at: wallClock() + clockDifference) }
            let call = chargeCall(account, quotas, windows, rates, within: wait)
            switch await engine.run(call) {
            case .failure(let trouble):
                return try await chargeAlone(quotas, rates, of: source, account, trouble, within: wait, for: user)
            case .success(let reply):
                let usages = zip(quotas, windows).enumerated().map { index, counted in
                    (counted.0, QuotaUsage(key: counted.0.key, window: counted.1, others: reply[index + 2].int ?? 0))
                }
                switch reply[0].text {
                case "ok": return try await granted(usages, wait: reply[1].int ?? 0, account, for: user)
                case "full":
                    let recorded = try await recorded(usages, account, for: nil)
                    return QuotaCharge(user: user, isAccepted: false, usages: recorded, amounts: [])
                case "rate": throw Skip.rate(source, wait: .microseconds(reply[1].int ?? 0)).error
                case "clock": clockDifference = Int64(reply[1].int ?? 0) / 1_000_000 - wallClock()
                default:
                    refused(reply, account)
                    return nil
                }
            }
        }
        throw Skip.unshared(source, "a quota is being reset at this moment", wait: nil, hint: "Try again.").error
    }

    private func chargeCall(
        _ account: Account,
        _ quotas: [CountedQuota],
        _ windows: [Range<Int64>],
        _ rates: [SharedRate],
        within wait: Duration
    ) -> ScriptCall {
        let key = key(account.digest)
        let wait = min(wait, .seconds(3600)).saturatingNanoseconds / 1000
        var arguments = [engine.run(of: key), engine.channel, "\(wait)", "\(quotas.count)"]
        for (counted, window) in zip(quotas, windows) {
            let quota = counted.quota
            arguments += [
                counted.key.text, "\(window.lowerBound)", "\(window.upperBound)", "\(quota.cost)", "\(quota.limit)",
            ]
        }
        for rate in rates {
            arguments += [rate.owner, "\(rate.interval)", "\(rate.burst)", "\(rate.perMinute)"]
        }
        return ScriptCall(.charge, keys: [key] + rates.map { "\(key):\($0.owner)" }, arguments)
    }

    private func granted(
        _ usages: [(CountedQuota, QuotaUsage)],
        wait: Int,
        _ account: Account,
        for user: UInt32
    ) async throws(SearchError) -> QuotaCharge {
        let start = loop.now.advanced(by: .microseconds(wait))
        engine.count { $0.sharedCalls += 1 }
        let recorded = try await recorded(usages, account, for: user)
        return QuotaCharge(
            user: user,
            isAccepted: true,
            usages: recorded,
            amounts: usages.map(\.0.quota.cost),
            start: start
        )
    }

    private func recorded(
        _ usages: [(CountedQuota, QuotaUsage)],
        _ account: Account,
        for user: UInt32?
    ) async throws(SearchError) -> [QuotaUsage] {
        guard !usages.isEmpty else { return [] }
        let renamed = usages.map { counted, usage in
            (CountedQuota(counted, account: account.ledgerName), usage.renamed(account: account.ledgerName))
        }
        return try await ledger.record(renamed, for: user).map { $0.renamed(account: account.shared.name) }
    }

    private func refused(_ reply: Reply, _ account: Account) {
        switch reply[0].text {
        case "grace":
            grace(reply[1].int ?? 0, account.shared.name)
            report(account.shared.name)
        case "pause":
            if let owner = reply[1].text { followPause(of: owner, reply[2].int ?? 0, reply[3].text ?? "") }
        default: break
        }
    }

    private func grace(_ microseconds: Int, _ name: String) {
        accounts[name]?.readyAt = microseconds > 0 ? loop.now.advanced(by: .microseconds(microseconds + 1000)) : nil
    }

    private func followPause(of owner: String, _ microseconds: Int, _ value: String) {
        let words = value.split(separator: " ").map(String.init)
        guard words.count == 3 else { return }
        let (reason, reset) = (SkipReason(rawValue: words[1]) ?? .rateLimit, words[2] == "-" ? nil : words[2])
        // A wait of zero would mean that there is no pause.
        let wait = Duration.microseconds(max(microseconds, 1000))
        follow(.pause(owner: owner, wait: wait, reason: reason, resetsAt: reset))
    }

    package nonisolated func correct(_ charge: QuotaCharge, by amounts: [Int]) {
        perform { limits in
            guard let name = charge.usages.first?.key.account, let account = limits.accounts[name] else {
                return limits.ledger.correct(charge, by: amounts)
            }
            let key = limits.key(account.digest)
            var arguments = [limits.engine.run(of: key)]
            for (usage, amount) in zip(charge.usages, amounts) {
                arguments += [usage.key.text, "\(usage.window.lowerBound)", "\(amount)"]
            }
            let call = ScriptCall(.correct, keys: [key], arguments)
            let usages = charge.usages.map { $0.renamed(account: account.ledgerName) }
            let journal = QuotaCharge(user: charge.user, isAccepted: true, usages: usages, amounts: charge.amounts)
            limits.ledger.correct(journal, by: amounts)
            Task(executorPreference: limits.loop) { [engine = limits.engine] in
                _ = await engine.run(call, isPatient: true)
            }
        }
    }

    // MARK: Without the shared server

    private func chargeAlone(
        _ quotas: [CountedQuota],
        _ rates: [SharedRate],
        of source: SourceName,
        _ account: Account,
        _ trouble: SharedServerError,
        within wait: Duration,
        for user: UInt32
    ) async throws(SearchError) -> QuotaCharge? {
        let share = engine.settings.offlineShare
        guard share > 0, !account.isReporting else {
            engine.count { $0.refusedCalls += 1 }
            throw Skip.unshared(source, trouble.message, wait: nil, hint: trouble.hint).error
        }
        let start = rates.map { accounts[source.account]?.nextAlone[$0.owner] ?? loop.now }.reduce(loop.now, max)
        guard loop.now.duration(to: start) <= wait else {
            throw Skip.rate(source, wait: loop.now.duration(to: start)).error
        }
        for rate in rates {
            let minute = rate.perMinute > 0 ? 61_200_000 / Int64(rate.perMinute) : 0
            let interval = Duration.microseconds(max(rate.interval, minute)) / share
            accounts[source.account]?.nextAlone[rate.owner] = start.advanced(by: interval)
        }
        if quotas.isEmpty { return QuotaCharge(user: user, isAccepted: true, usages: [], amounts: [], start: start) }
        let parts = quotas.map { CountedQuota($0, account: account.aloneName, share: share) }
        let charge = try await ledger.charge(parts, for: user)
        guard charge.isAccepted else {
            engine.count { $0.refusedCalls += 1 }
            let reason = "\(trouble.message); this host has used up its share (fleet.offlineShare)"
            throw Skip.unshared(source, reason, wait: nil, hint: trouble.hint).error
        }
        return QuotaCharge(user: user, isAccepted: true, usages: [], amounts: [], start: start)
    }

    // MARK: Usage

    package func usage(_ quotas: [CountedQuota]) async throws(SearchError) -> QuotaOverview {
        let renamed = quotas.map { counted in
            CountedQuota(counted, account: accounts[counted.key.account]?.ledgerName ?? counted.key.account)
        }
        var (usages, callers) = try await ledger.usage(renamed)
        usages = zip(usages, quotas).map { $0.renamed(account: $1.key.account) }
        callers = callers.reduce(into: [:]) { all, caller in
            let name = String(caller.key.prefix { $0 != "#" })
            all[name, default: [:]].merge(caller.value, uniquingKeysWith: max)
        }
        return (usages, callers)
    }

    package func set(_ quota: CountedQuota, used: Int, isMinimum: Bool) async throws(SearchError) -> QuotaUsage {
        guard let account = accounts[quota.key.account] else {
            return try await ledger.set(quota, used: used, isMinimum: isMinimum)
        }
        let window = quota.quota.period(at: wallClock() + clockDifference)
        let counted = CountedQuota(quota, account: account.ledgerName)
        let usage = try await ledger.set(counted, used: used, isMinimum: isMinimum)
        let (key, arguments) = (key(account.digest), [quota.key.text, "\(window.lowerBound)", "\(usage.total)"])
        if isMinimum {
            await sendReport(account.shared.name, key, [quota], arguments + ["0"], [])
        } else if case .failure(let trouble) = await engine.run(ScriptCall(.set, keys: [key], arguments)) {
            throw SearchError(.unavailable, trouble.message, retryable: true, hint: trouble.hint)
        }
        return usage.renamed(account: account.shared.name)
    }

    // MARK: Reports after a connection

    package func reportAll() {
        guard engine.trouble == nil else { return }
        for name in accounts.keys { report(name) }
        Task(executorPreference: loop) { _ = await self.sendReport(Self.breakers, self.key(Self.breakers), [], [], []) }
    }

    private func report(_ name: String) {
        accounts[name]?.mustReport = true
        guard accounts[name]?.isReporting == false else { return }
        accounts[name]?.isReporting = true
        Task(executorPreference: loop) { await self.reportUntilKnown(name) }
    }

    private func reportUntilKnown(_ name: String) async {
        while let account = accounts[name], account.mustReport, !engine.isClosed {
            // The report must include the calls that were just granted, so it waits until they are in the ledger.
            if account.pendingCharges == 0 {
                accounts[name]?.mustReport = false
                if await reportNow(account) { continue }
                accounts[name]?.mustReport = true
            }
            try? await loop.sleep(until: loop.now.advanced(by: Self.reportPause))
        }
        accounts[name]?.isReporting = false
    }

    private func reportNow(_ account: Account) async -> Bool {
        let quotas = account.shared.quotas
        let known = quotas.map { CountedQuota($0, account: account.ledgerName) }
        let alone = quotas.map { CountedQuota($0, account: account.aloneName) }
        let recent = wallClock() + clockDifference - 122
        guard let usages = try? await ledger.usage(known).usages, let used = try? await ledger.usage(alone).usages
        else { return false }
        var calls: [String: Int] = [:]
        for (quota, known) in zip(quotas, known) where quota.quota.period == .minute {
            guard let count = try? await ledger.calls(of: known.key, since: recent) else { return false }
            calls[quota.key.owner] = max(calls[quota.key.owner] ?? 0, count)
        }
        var arguments: [String] = []
        for (index, usage) in usages.enumerated() {
            let total = usage.isGuess ? 0 : usage.total
            let extra = used[index].isGuess ? 0 : used[index].total
            arguments += [quotas[index].key.text, "\(usage.window.lowerBound)", "\(total)", "\(extra)"]
        }
        let minutes = account.shared.rates.filter { $0.perMinute > 0 }
        for rate in minutes {
            arguments += ["\(calls[rate.owner] ?? 0)", "\(rate.perMinute)"]
        }
        let totals = await sendReport(
            account.shared.name,
            key(account.digest),
            quotas,
            arguments,
            minutes.map(\.owner)
        )
        guard let totals else { return false }
        for quota in alone { _ = try? await ledger.set(quota, used: 0, isMinimum: false) }
        let received = zip(quotas, zip(usages, totals)).map { quota, known in
            (quota, QuotaUsage(key: quota.key, window: known.0.window, others: known.1))
        }
        if let recorded = try? await recorded(received, account, for: nil) { follow(.usage(recorded)) }
        return true
    }

    /// Returns the usage of the quotas that the server knows, or nil if the server cannot be reached.
    @discardableResult
    private func sendReport(
        _ name: String,
        _ key: String,
        _ quotas: [CountedQuota],
        _ known: [String],
        _ minutes: [String]
    ) async -> [Int]? {
        let start = [engine.run(of: key), engine.channel, engine.host, "\(quotas.count)"]
        let keys = [key, "\(key):reported"] + minutes.map { "\(key):\($0)" }
        let call = ScriptCall(.report, keys: keys, start + known)
        guard case .success(let reply) = await engine.run(call, isPatient: true) else { return nil }
        grace(reply[0].int ?? 0, name)
        for pause in reply.elements.dropFirst(quotas.count + 1) {
            guard let field = pause[0].text, let left = pause[1].int else { continue }
            let owner = String(field.dropFirst(2))
            if field.hasPrefix("p:") {
                followPause(of: owner, left, pause[2].text ?? "")
            } else if let source = SourceName(owner) {
                follow(.breaker(source, wait: .microseconds(left)))
            }
        }
        return (0..<quotas.count).map { reply[$0 + 1].int ?? 0 }
    }

    // MARK: Pauses and breakers

    package nonisolated func share(_ change: SharedChange) {
        perform { limits in
            guard let call = limits.note(change) else { return }
            Task(executorPreference: limits.loop) { [engine = limits.engine] in
                _ = await engine.run(call, isPatient: true)
            }
        }
    }

    private func note(_ change: SharedChange) -> ScriptCall? {
        var (kind, owner, wait, rest) = ("breaker", "", Duration.zero, "")
        switch change {
        case .usage: return nil
        case .pause(let paused, let time, let reason, let reset):
            (kind, owner, wait) = ("pause", paused, time)
            rest = " \(reason.rawValue) \(reset.flatMap { $0.contains(" ") ? nil : $0 } ?? "-")"
        case .breaker(let source, let time): (owner, wait) = (source.text, time)
        }
        let digest = accounts[String(owner.prefix { $0 != "." })]?.digest ?? Self.breakers
        let microseconds = wait.saturatingNanoseconds / 1000
        let message = "\(kind) \(digest) \(owner) \(microseconds) \(engine.host)\(rest)"
        let arguments = [engine.channel, message, "\(kind.prefix(1)):\(owner)", "\(microseconds)", rest]
        return ScriptCall(.note, keys: [key(digest)], arguments)
    }

    func received(_ notice: Notice) {
        switch notice {
        case .lost(let key):
            for account in accounts.values where self.key(account.digest) == key { report(account.shared.name) }
        case .pause(let digest, let owner, let wait, let reason, let reset):
            guard accounts[String(owner.prefix { $0 != "." })]?.digest == digest else { return }
            let reason = SkipReason(rawValue: reason) ?? .rateLimit
            follow(.pause(owner: owner, wait: wait, reason: reason, resetsAt: reset))
        case .breaker(let digest, let name, let wait):
            guard let source = SourceName(name), (accounts[source.account]?.digest ?? Self.breakers) == digest else {
                return
            }
            follow(.breaker(source, wait: wait))
        case .outcome: break
        }
    }
}

extension QuotaKey {
    fileprivate var text: String { "\(owner)/\(countName)" }
}

extension CountedQuota {
    fileprivate init(_ other: CountedQuota, account: String, share: Double = 1) {
        var quota = other.quota
        quota.limit = Int(Double(quota.limit) * share)
        self.init(key: other.key.renamed(account: account), quota: quota)
    }
}

extension QuotaUsage {
    fileprivate func renamed(account: String) -> QuotaUsage {
        var usage = self
        usage.key = key.renamed(account: account)
        return usage
    }
}
