package import Engine
package import EventLoop
import JSON

/// The pages that hosts share, and the upstream calls that load them.
///
/// If a page is missing, one host claims the call, and the other hosts wait for the outcome of this call.
///
/// A claim ends if its host dies.
package actor FleetPages: SharedPages, LoopActor {
    private struct Wait {
        var waiters: [UInt64: CheckedContinuation<SharedOutcome?, Never>] = [:]
        var lookups = 0
        /// The number of received messages about the page.
        ///
        /// If the number changes during a lookup, the result of the lookup may be outdated.
        var received = 0
        var latest: SharedOutcome?
    }

    private static let claimLife = Duration.milliseconds(1500)
    private static let renewPause = Duration.milliseconds(600)
    private static let lookPause = Duration.milliseconds(20)

    package nonisolated let loop: EventLoop
    private let engine: SharedServer
    private var waits: [String: Wait] = [:]
    private var renewals: [String: Timer] = [:]
    private var lastWaiter: UInt64 = 0

    package init(engine: SharedServer) {
        (self.engine, loop) = (engine, engine.loop)
    }

    private func keys(_ page: String) -> [String] {
        let key = "\(engine.settings.prefix):{\(page)}"
        return [key, "\(key):hosts"]
    }

    package func find(_ name: [UInt8], claims: Bool, by deadline: Instant) async -> SharedOutcome {
        let page = Digest.text(name)
        let arguments = [engine.host, claims ? "\(Self.claimLife.saturatingNanoseconds / 1_000_000)" : "0"]
        let call = ScriptCall(.find, keys: keys(page), arguments)
        waits[page, default: Wait()].lookups += 1
        defer {
            waits[page]?.lookups -= 1
            removeIfUnused(page)
        }
        while !Task.isCancelled, loop.now < deadline {
            let received = waits[page]?.received
            guard case .success(let reply) = await engine.run(call) else { return .none }
            if case .bytes(let bytes) = reply[0], let left = reply[1].int, left > 0 {
                engine.count { $0.savedCalls += 1 }
                return .page(bytes, left: .milliseconds(left))
            }
            guard case .integer(let left) = reply, claims else { return .none }
            guard left != 0 else {
                renewLater(page)
                return .call
            }
            if let wait = waits[page], wait.received != received {
                if let latest = wait.latest { return latest }
                continue
            }
            let end = loop.now.advanced(by: .milliseconds(left) + Self.lookPause)
            if let outcome = await outcome(of: page, until: min(deadline, end)) { return outcome }
        }
        return .none
    }

    /// Waits for the outcome of another host's call.
    ///
    /// Returns nil if this host must repeat its lookup.
    private func outcome(of page: String, until end: Instant) async -> SharedOutcome? {
        lastWaiter += 1
        let id = lastWaiter
        let timer = schedule(at: end) { $0.wake(page, id) }
        let outcome = await suspend { continuation in
            waits[page, default: Wait()].waiters[id] = continuation
        } whenCancelled: {
            $0.wake(page, id)
        }
        loop.cancel(timer)
        return outcome
    }

    private func wake(_ page: String, _ id: UInt64) {
        waits[page]?.waiters.removeValue(forKey: id)?.resume(returning: nil)
        removeIfUnused(page)
    }

    private func removeIfUnused(_ page: String) {
        if let wait = waits[page], wait.waiters.isEmpty, wait.lookups == 0 { waits[page] = nil }
    }

    func received(_ page: String, _ kind: String, left: Duration, _ body: [UInt8]) {
        guard let wait = waits[page] else { return }
        waits[page]?.waiters = [:]
        let outcome: SharedOutcome? =
            switch kind {
            case "page": .page(body, left: left)
            case "failure": .failure(body)
            default: nil
            }
        waits[page]?.received += 1
        waits[page]?.latest = outcome
        for continuation in wait.waiters.values {
            if outcome != nil { engine.count { $0.savedCalls += 1 } }
            continuation.resume(returning: outcome)
        }
    }

    private func renewLater(_ page: String) {
        renewals[page].map(loop.cancel)
        renewals[page] = schedule(at: loop.now.advanced(by: Self.renewPause)) { pages in
            let life = "\(Self.claimLife.saturatingNanoseconds / 1_000_000)"
            let call = ScriptCall(.renew, keys: [pages.keys(page)[1]], [life])
            Task(executorPreference: pages.loop) { [engine = pages.engine] in
                _ = await engine.run(call, isPatient: true)
            }
            pages.renewLater(page)
        }
    }

    package nonisolated func finish(_ name: [UInt8], _ outcome: SharedOutcome) {
        onLoop { $0.end(Digest.text(name), outcome) }
    }

    private func end(_ page: String, _ outcome: SharedOutcome) {
        renewals.removeValue(forKey: page).map(loop.cancel)
        var (kind, left, body) = ("none", 0, [UInt8]())
        switch outcome {
        case .page(let bytes, let time): (kind, left, body) = ("page", Int(time.milliseconds), bytes)
        case .failure(let error): (kind, body) = ("failure", error)
        case .call, .none: break
        }
        var call = ScriptCall(.publish, keys: keys(page))
        let message = "outcome \(page) \(kind) \(left)\n"
        call.arguments = [
            Array(engine.host.utf8), Array("\(left)".utf8), body, Array(engine.hostChannels.utf8), Array(message.utf8),
        ]
        Task(executorPreference: loop) { [engine] in _ = await engine.run(call, isPatient: true) }
    }
}
