package import EventLoop
package import Upstream

/// Creates and connects the parts that share limits and pages with other hosts.
///
/// Used only on the loop.
package struct Fleet: Sendable {
    package let engine: SharedServer
    package let limits: FleetLimits
    package let pages: FleetPages

    /// `ledger` stores the quota usage that this host knows.
    package init(
        _ settings: FleetSettings,
        on loop: EventLoop,
        ledger: SQLiteQuotaStore,
        wallClock: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (_ trouble: SharedServerError?, _ figures: SharedServer.Figures) -> Void
    ) {
        engine = SharedServer(settings, on: loop, report: report)
        limits = FleetLimits(engine: engine, ledger: ledger, wallClock: wallClock)
        pages = FleetPages(engine: engine)
    }

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
