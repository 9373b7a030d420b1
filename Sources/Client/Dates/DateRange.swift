import SearchModel

/// The time between `--since` and `--until`; pure.
struct DateRange {
    /// Seconds since 1970; nil when not given.
    let since: Int64?
    /// The first second that is too late.
    let until: Int64?
    private let zone: LocalZone
    private static let monthSeconds: Int64 = 31 * 86_400
    /// The last second that has a date, in any zone.
    private static let lastSecond: Int64 = 253_402_214_399

    /// - Parameters:
    ///   - since: A date or a time ago; its first second belongs to the range.
    ///   - until: A date, all of which belongs to the range, or a time ago.
    ///   - now: Seconds since 1970.
    ///   - zone: Of the days.
    /// - Throws: `usage` for what is no date, and for a range that is empty.
    init(since: String?, until: String?, now: Int64, zone: LocalZone) throws(ClientError) {
        self.zone = zone
        self.since = try since.map { text throws(ClientError) in
            try DateWord.span(text, of: "since", at: now, in: zone).lowerBound
        }
        self.until = try until.map { text throws(ClientError) in
            try DateWord.span(text, of: "until", at: now, in: zone).upperBound
        }
        if let since = self.since, let until = self.until, since >= until {
            throw ClientError(.usage, "--since is after --until", hint: "Swap them")
        }
    }

    /// Whether it ends so long ago that the newest hits would have to be passed over first: more than a month.
    func endsLongAgo(at now: Int64) -> Bool {
        until.map { $0 < now - Self.monthSeconds } ?? false
    }

    /// Its first second as the wire has it, in local time: that is the zone in which bare dates are read beside it.
    var sinceText: String? { since.map(text) }
    /// Its last second.
    var untilText: String? { until.map { text($0 - 1) } }

    private func text(_ instant: Int64) -> String {
        let instant = min(instant, Self.lastSecond)
        let offset = zone.civil(instant).epochSeconds - instant
        return PublishedDate(epochSeconds: instant, offsetMinutes: Int(offset / 60), precision: .second).text
    }
}
