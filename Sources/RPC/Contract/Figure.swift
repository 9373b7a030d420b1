package import SearchModel

/// A metric of the daemon.
///
/// It is part of `server/stats` and, if `metric` is set, also of `server/metrics`.
package struct Figure: Sendable {
    package enum Shape: Sendable {
        case count
        /// One number for each value of a label, such as the status. `by` is the name of this label.
        case counts(by: String)
        case histogram
        case milliseconds
    }

    package let member: Member
    package let about: String
    package let shape: Shape
    /// The name in `server/metrics`.
    ///
    /// The name of a counter ends in `_total`.
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

/// The metrics of one object in `server/stats`.
package struct FigureGroup: Sendable {
    package let figures: [Figure]

    init(_ figures: Figure...) {
        self.figures = figures
    }

    package subscript(_ member: Member) -> Figure? { figures.first { $0.member == member } }

    var fields: [Schema.Field] { figures.map(\.field) }

    package static let connections = FigureGroup(
        Figure(.open, "Open connections.", metric: "searchd_connections"),
        Figure(.clients, "Programs with open connections."),
        Figure(.refused, "Connections refused by a limit.", metric: "searchd_connections_refused_total"),
        Figure(
            .stalled,
            "Connections closed because the client did not read.",
            metric: "searchd_connections_stalled_total"
        ),
        Figure(.inFlight, "Requests in progress.", metric: "searchd_requests_in_flight")
    )

    package static let searches = FigureGroup(
        Figure(
            .cache,
            "How often answers listed a source, by cache use.",
            .counts(by: "cache"),
            metric: "searchd_source_answers_total"
        ),
        Figure(
            .status,
            "How often answers listed a source, by status.",
            .counts(by: "status"),
            metric: "searchd_source_status_total"
        )
    )

    package static let cache = FigureGroup(
        Figure(.entries, "Pages in memory.", metric: "searchd_cache_entries"),
        Figure(.bytes, "Bytes of pages in memory.", metric: "searchd_cache_bytes"),
        Figure(.limit, "Maximum bytes of pages in memory.", metric: "searchd_cache_limit_bytes"),
        Figure(.hits, "Lookups that found a fresh page in memory.", metric: "searchd_cache_hits_total"),
        Figure(.misses, "Lookups that found no page in memory.", metric: "searchd_cache_misses_total"),
        Figure(.stale, "Lookups that found a stale page.", metric: "searchd_cache_stale_total"),
        Figure(.evictions, "Pages evicted from memory.", metric: "searchd_cache_evictions_total")
    )

    package static let disk = FigureGroup(
        Figure(.entries, "Pages on disk.", metric: "searchd_disk_entries"),
        Figure(.bytes, "Bytes of pages on disk.", metric: "searchd_disk_bytes"),
        Figure(.limit, "Maximum bytes of pages on disk.", metric: "searchd_disk_limit_bytes"),
        Figure(.hits, "Lookups that found a page on disk.", metric: "searchd_disk_hits_total"),
        Figure(.misses, "Lookups that found no page on disk.", metric: "searchd_disk_misses_total"),
        Figure(.evictions, "Pages evicted from disk.", metric: "searchd_disk_evictions_total"),
        Figure(.dropped, "Pages that could not be written.", metric: "searchd_disk_dropped_total")
    )

    package static let flights = FigureGroup(
        Figure(.calls, "Shared calls in progress.", metric: "searchd_flights"),
        Figure(.waiters, "Requests that wait for shared calls.", metric: "searchd_flight_waiters"),
        Figure(.waiting, "Calls that wait to be started.", metric: "searchd_calls_waiting")
    )

    package static let fleet = FigureGroup(
        Figure(.connected, "1 if the shared server can be used, otherwise 0.", metric: "searchd_fleet_connected"),
        Figure(.hosts, "Hosts that are connected to the shared server.", metric: "searchd_fleet_hosts"),
        Figure(.commands, "Commands sent to the shared server.", metric: "searchd_fleet_commands_total"),
        Figure(
            .sharedCalls,
            "Calls that were counted towards the limits of all hosts.",
            metric: "searchd_fleet_shared_calls_total"
        ),
        Figure(.savedCalls, "Pages received from other hosts.", metric: "searchd_fleet_saved_calls_total"),
        Figure(
            .refusedCalls,
            "Calls refused because the shared server could not be used.",
            metric: "searchd_fleet_refused_calls_total"
        )
    )

    package static let memory = FigureGroup(
        Figure(.resident, "Resident memory.", metric: "searchd_resident_bytes"),
        Figure(.connections, "Memory for lines, requests and unsent answers.", metric: "searchd_connections_bytes")
    )

    package static let loop = FigureGroup(
        Figure(.longestTurn, "The longest iteration of the event loop.", .milliseconds),
        Figure(.turns, "Durations of event loop iterations.", .histogram, metric: "searchd_loop_turn_seconds")
    )
}
