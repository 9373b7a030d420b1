import Engine
import SearchModel

/// The part of the metrics that tells how sources stand before their limits.
extension DaemonFigures {
    var limitMetrics: [MetricFamily] {
        var waits = MetricFamily("searchd_call_waits_total", .counter, "Calls that had to wait, by what for.")
        for reason in CallEvent.WaitReason.allCases {
            waits.add(engine.waits[reason] ?? 0, ("reason", reason.rawValue))
        }
        var states = MetricFamily(
            "searchd_source_open",
            .gauge,
            "Whether a source has failed so often that it is not asked."
        )
        var left = MetricFamily("searchd_quota_left", .gauge, "Calls that a quota still allows.")
        var limit = MetricFamily("searchd_quota_limit", .gauge, "Calls that a quota allows in all.")
        for (source, standing) in engine.standings.sorted(by: { $0.key < $1.key }) {
            states.add(standing.state == .open ? 1 : 0, ("source", source.text))
            for quota in standing.quotas {
                left.add(quota.left, ("source", source.text), ("quota", quota.name))
                limit.add(quota.limit, ("source", source.text), ("quota", quota.name))
            }
        }
        return [
            MetricFamily("searchd_calls_waiting", .gauge, "Calls that wait for their turn.", engine.waiting),
            MetricFamily("searchd_calls_running", .gauge, "Calls under way.", engine.running),
            waits, states, left, limit,
        ]
    }
}
