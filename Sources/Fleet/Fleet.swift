package import EventLoop
package import Upstream

/// What this host shares with other hosts, put together; on the loop.
package struct Fleet: Sendable {
    package let engine: FleetEngine
    package let limits: FleetLimits
    package let pages: FleetPages

    /// - Parameters:
    ///   - settings: The engine.
    ///   - loop: The loop of all parts.
    ///   - ledger: The journal of this host.
    ///   - wallClock: Seconds since 1970.
    ///   - report: Called when the engine becomes unusable, and when it can be used again.
    package init(
        _ settings: FleetSettings,
        on loop: EventLoop,
        ledger: SQLiteQuotaStore,
        wallClock: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (_ trouble: EngineTrouble?, _ figures: FleetEngine.Figures) -> Void
    ) {
        engine = FleetEngine(settings, on: loop, report: report)
        limits = FleetLimits(engine: engine, ledger: ledger, wallClock: wallClock)
        pages = FleetPages(engine: engine)
    }

    /// Connects; calls `follow` on the loop for each change of another host.
    package func start(follow: @escaping @Sendable (SharedChange) -> Void) {
        limits.onLoop { $0.begin(follow: follow) }
        engine.start { [limits, pages] notice in
            if case .outcome(let page, let kind, let left, let body) = notice {
                pages.onLoop { $0.received(page, kind, left: left, body) }
            } else {
                limits.onLoop { $0.received(notice) }
            }
        } connected: { [limits] in
            limits.onLoop { $0.reportAll() }
        }
    }
}
