import Engine
import EventLoop
import SearchModel
import Storage
import Upstream

/// The same figures as metrics.
extension DaemonFigures {
    var metrics: [MetricFamily] {
        let groups = [
            memoryFigures, loopFigures, connectionFigures, searchFigures, FigureValues(engine.cache),
            engine.disk.map { FigureValues($0) }, FigureValues(engine.pictures), flightFigures, queueFigures,
        ]
        return serverMetrics + groups.compactMap(\.self).flatMap(\.metrics) + upstreamMetrics + limitMetrics
    }

    private var serverMetrics: [MetricFamily] {
        var build = MetricFamily("searchd_build_info", "The program's version; always 1.")
        build.add(1, ("version", version))
        var up = MetricFamily("searchd_uptime_seconds", "For how long the daemon has been up.")
        up.add(uptime.milliseconds / 1000)
        var requests = MetricFamily("searchd_requests_total", "Requests answered, by method and outcome.")
        for (method, outcomes) in counters.outcomes.sorted(by: { $0.key < $1.key }) {
            for (outcome, count) in outcomes.inOrder { requests.add(count, ("method", method), ("outcome", outcome)) }
        }
        var notifications = MetricFamily("searchd_notifications_total", "Notifications received.")
        notifications.add(counters.notifications)
        return [build, up, requests, notifications]
    }

    private var upstreamMetrics: [MetricFamily] {
        var calls = MetricFamily("searchd_upstream_calls_total", "Calls to sources, by HTTP status or kind of error.")
        var latency = MetricFamily("searchd_upstream_seconds", "How long sources took to answer.")
        for (source, figures) in engine.upstream.sorted(by: { $0.key < $1.key }) {
            for (outcome, count) in figures.calls.inOrder {
                calls.add(count, ("source", source.text), ("status", outcome))
            }
            if figures.latency.count > 0 { latency.add(figures.latency, ("source", source.text)) }
        }
        return [calls, latency]
    }

    private var limitMetrics: [MetricFamily] {
        var open = MetricFamily("searchd_source_open", "Whether a source has failed so often that it is not called.")
        var left = MetricFamily("searchd_quota_left", "Calls that a quota still allows.")
        var limit = MetricFamily("searchd_quota_limit", "Calls that a quota allows in all.")
        for (source, standing) in engine.standings.sorted(by: { $0.key < $1.key }) {
            open.add(standing.state == .open ? 1 : 0, ("source", source.text))
            for quota in standing.quotas {
                left.add(quota.left, ("source", source.text), ("quota", quota.name))
                limit.add(quota.limit, ("source", source.text), ("quota", quota.name))
            }
        }
        return [open, left, limit]
    }
}
