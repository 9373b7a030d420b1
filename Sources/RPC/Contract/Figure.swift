package import SearchModel

/// One of the figures of `server/stats`, which `server/metrics` has too: both are written from this.
package struct Figure: Sendable {
    package enum Shape: Sendable {
        /// One number.
        case count
        /// A number for each of some words, which metrics have as this label.
        case counts(by: String)
        case histogram
        /// Milliseconds.
        case milliseconds
    }

    package let member: Member
    package let about: String
    package let shape: Shape
    /// The metric's name, by Prometheus' rules: a counter ends in `_total`; nil if it is not a metric.
    package let metric: String?

    init(_ member: Member, _ about: String, _ shape: Shape = .count, metric: String? = nil) {
        self.member = member
        self.about = about
        self.shape = shape
        self.metric = metric
    }

    var field: Schema.Field {
        switch shape {
        case .count: .required(member, .count, about)
        case .counts: .required(member, .map(.count), about)
        case .histogram: .required(member, .component(.histogram), about)
        case .milliseconds: .required(member, .number, about)
        }
    }
}

/// Figures that are members of one object.
package struct FigureGroup: Sendable {
    package let figures: [Figure]

    init(_ figures: Figure...) {
        self.figures = figures
    }

    package subscript(_ member: Member) -> Figure? { figures.first { $0.member == member } }

    var fields: [Schema.Field] { figures.map(\.field) }

    package static let connections = FigureGroup(
        Figure(.open, "Open connections.", metric: "searchd_connections"),
        Figure(.clients, "Programs that have them."),
        Figure(.refused, "Connections refused by a limit.", metric: "searchd_connections_refused_total"),
        Figure(.stalled, "Connections dropped for not reading.", metric: "searchd_connections_stalled_total"),
        Figure(.inFlight, "Requests in progress.", metric: "searchd_requests_in_flight")
    )

    package static let searches = FigureGroup(
        Figure(
            .cache,
            "Sources in answers, by cache use.",
            .counts(by: "cache"),
            metric: "searchd_source_answers_total"
        ),
        Figure(.status, "Sources in answers, by status.", .counts(by: "status"), metric: "searchd_source_status_total")
    )

    package static let cache = FigureGroup(
        Figure(.entries, "Pages in memory.", metric: "searchd_cache_entries"),
        Figure(.bytes, "Memory of those pages.", metric: "searchd_cache_bytes"),
        Figure(.limit, "The limit on it.", metric: "searchd_cache_limit_bytes"),
        Figure(.hits, "Lookups that found a fresh page in memory.", metric: "searchd_cache_hits_total"),
        Figure(.misses, "Lookups that found none there.", metric: "searchd_cache_misses_total"),
        Figure(.stale, "Lookups that found a stale page.", metric: "searchd_cache_stale_total"),
        Figure(.evictions, "Pages evicted from memory.", metric: "searchd_cache_evictions_total")
    )

    package static let disk = FigureGroup(
        Figure(.entries, "Pages on disk.", metric: "searchd_disk_entries"),
        Figure(.bytes, "Bytes of those pages.", metric: "searchd_disk_bytes"),
        Figure(.limit, "The limit on it.", metric: "searchd_disk_limit_bytes"),
        Figure(.hits, "Lookups that found a page on disk.", metric: "searchd_disk_hits_total"),
        Figure(.misses, "Lookups that found none there.", metric: "searchd_disk_misses_total"),
        Figure(.evictions, "Pages evicted from disk.", metric: "searchd_disk_evictions_total"),
        Figure(.dropped, "Pages that could not be written.", metric: "searchd_disk_dropped_total")
    )

    package static let flights = FigureGroup(
        Figure(.calls, "Shared calls in progress.", metric: "searchd_flights"),
        Figure(.waiters, "Requests that wait for them.", metric: "searchd_flight_waiters"),
        Figure(.waiting, "Calls that wait for their turn.", metric: "searchd_calls_waiting")
    )

    package static let memory = FigureGroup(
        Figure(.resident, "Memory in use.", metric: "searchd_resident_bytes"),
        Figure(.connections, "Memory of lines, requests and unsent answers.", metric: "searchd_connections_bytes")
    )

    package static let loop = FigureGroup(
        Figure(.longestTurn, "The longest turn of the event loop.", .milliseconds),
        Figure(.turns, "The time of turns of the event loop.", .histogram, metric: "searchd_loop_turn_seconds")
    )
}
