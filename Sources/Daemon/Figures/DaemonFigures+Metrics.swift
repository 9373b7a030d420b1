import Engine
import EventLoop
import SearchModel
import Storage

/// The same figures as metrics.
extension DaemonFigures {
    var metrics: [MetricFamily] {
        serverMetrics + connectionMetrics + searchMetrics + diskMetrics + upstreamMetrics + limitMetrics
    }

    private var serverMetrics: [MetricFamily] {
        var build = MetricFamily("searchd_build_info", .gauge, "The program's version; always 1.")
        build.add(1, ("version", version))
        var up = MetricFamily("searchd_uptime_seconds", .gauge, "For how long the daemon has been up.")
        up.add(uptime.milliseconds / 1000)
        var requests = MetricFamily("searchd_requests_total", .counter, "Requests answered, by method and outcome.")
        for (method, outcomes) in counters.outcomesByMethod.sorted(by: { $0.key < $1.key }) {
            for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) {
                requests.add(count, ("method", method), ("outcome", outcome))
            }
        }
        var turns = MetricFamily(
            "searchd_loop_turn_seconds",
            .histogram,
            "Time that turns of the event loop took; an event may have had to wait for so long."
        )
        turns.add(loop.turns)
        var steps = MetricFamily(
            "searchd_loop_step_seconds",
            .histogram,
            "Time that single steps of the event loop took: a line, a job, a timer."
        )
        steps.add(loop.steps)
        return [
            build, up, requests, steps,
            MetricFamily(
                "searchd_repeated_searches_total",
                .counter,
                "Searches answered straight from the bytes of an equal request.",
                counters.repeatedSearches
            ),
            MetricFamily(
                "searchd_notifications_total",
                .counter,
                "Notifications received.",
                counters.notifications
            ),
            MetricFamily("searchd_resident_bytes", .gauge, "Memory in use.", memory.resident),
            MetricFamily(
                "searchd_connections_bytes",
                .gauge,
                "Memory that connections hold: lines, work under way, answers not yet sent.",
                memory.held
            ),
            MetricFamily(
                "searchd_finished_answers_bytes",
                .gauge,
                "Memory of answers kept under their requests.",
                memory.finishedAnswers
            ),
            turns,
        ]
    }

    private var connectionMetrics: [MetricFamily] {
        [
            MetricFamily("searchd_connections", .gauge, "Open connections.", connections.open),
            MetricFamily(
                "searchd_requests_in_flight",
                .gauge,
                "Requests being worked on.",
                connections.inFlight
            ),
            MetricFamily(
                "searchd_connections_accepted_total",
                .counter,
                "Connections accepted.",
                counters.connectionsAccepted
            ),
            MetricFamily(
                "searchd_connections_refused_total",
                .counter,
                "Connections refused: too many, in all or of one user.",
                counters.connectionsRefused
            ),
            MetricFamily(
                "searchd_connections_stalled_total",
                .counter,
                "Connections dropped since they did not read.",
                counters.connectionsStalled
            ),
            MetricFamily(
                "searchd_connections_replaced_total",
                .counter,
                "Idle connections closed to make room for others.",
                counters.connectionsReplaced
            ),
            MetricFamily("searchd_received_bytes_total", .counter, "Bytes from clients.", counters.bytesIn),
            MetricFamily("searchd_sent_bytes_total", .counter, "Bytes to clients.", counters.bytesOut),
        ]
    }

    private var searchMetrics: [MetricFamily] {
        var uses = MetricFamily(
            "searchd_source_answers_total",
            .counter,
            "Sources in answers, by how their pages were got; searches answered from equal requests are left out."
        )
        for use in SourceReport.CacheUse.allCases {
            uses.add(engine.searches.byCacheUse[use] ?? 0, ("cache", use.rawValue))
        }
        var statuses = MetricFamily("searchd_source_status_total", .counter, "Sources in answers, by status.")
        for status in SourceReport.Status.allCases {
            statuses.add(engine.searches.byStatus[status] ?? 0, ("status", status.rawValue))
        }
        var hits = MetricFamily("searchd_hits_total", .counter, "Hits in answers, by kind.")
        for (kind, count) in engine.searches.hits.sorted(by: { $0.key.text < $1.key.text }) {
            hits.add(count, ("kind", kind.text))
        }
        return [
            uses, statuses, hits,
            MetricFamily("searchd_cache_entries", .gauge, "Pages in memory.", engine.cache.entries),
            MetricFamily("searchd_cache_bytes", .gauge, "Memory of those pages.", engine.cache.bytes),
            MetricFamily("searchd_cache_limit_bytes", .gauge, "The bound on it.", engine.cache.limit),
            MetricFamily("searchd_cache_hits_total", .counter, "Pages found in memory.", engine.cache.hits),
            MetricFamily("searchd_cache_stale_total", .counter, "Pages used past their time.", engine.cache.stale),
            MetricFamily("searchd_cache_misses_total", .counter, "Pages not found there.", engine.cache.misses),
            MetricFamily(
                "searchd_cache_evictions_total",
                .counter,
                "Pages given up for others.",
                engine.cache.evictions
            ),
        ]
    }

    private var diskMetrics: [MetricFamily] {
        guard let disk = engine.disk else { return [] }
        return [
            MetricFamily("searchd_disk_entries", .gauge, "Pages on disk.", disk.entries),
            MetricFamily("searchd_disk_bytes", .gauge, "What they take there.", disk.bytes),
            MetricFamily("searchd_disk_limit_bytes", .gauge, "The bound on it.", disk.limit),
            MetricFamily("searchd_disk_hits_total", .counter, "Pages found on disk.", disk.hits),
            MetricFamily("searchd_disk_misses_total", .counter, "Pages not found there.", disk.misses),
            MetricFamily("searchd_disk_evictions_total", .counter, "Pages given up for others.", disk.evictions),
            MetricFamily("searchd_disk_dropped_total", .counter, "Pages that could not be written.", disk.dropped),
        ]
    }

    private var upstreamMetrics: [MetricFamily] {
        var calls = MetricFamily(
            "searchd_upstream_calls_total",
            .counter,
            "Calls to sources, by HTTP status or kind of error."
        )
        var latency = MetricFamily("searchd_upstream_seconds", .histogram, "How long sources took to answer.")
        for (source, figures) in engine.upstream.sorted(by: { $0.key < $1.key }) {
            for (outcome, count) in figures.calls.sorted(by: { $0.key < $1.key }) {
                calls.add(count, ("source", source.text), ("status", outcome))
            }
            if figures.latency.count > 0 { latency.add(figures.latency, ("source", source.text)) }
        }
        return [
            calls, latency,
            MetricFamily("searchd_flights", .gauge, "Shared calls under way.", engine.flights.flights),
            MetricFamily("searchd_flight_waiters", .gauge, "Callers who wait for them.", engine.flights.waiters),
            MetricFamily("searchd_flights_led_total", .counter, "Shared calls begun.", engine.flights.led),
            MetricFamily(
                "searchd_flights_joined_total",
                .counter,
                "Callers who found a call under way.",
                engine.flights.joined
            ),
            MetricFamily(
                "searchd_flights_refused_total",
                .counter,
                "Callers past the limits.",
                engine.flights.refused
            ),
            MetricFamily(
                "searchd_flights_abandoned_total",
                .counter,
                "Calls that everybody had left before they were sent.",
                engine.flights.abandoned
            ),
        ]
    }
}
