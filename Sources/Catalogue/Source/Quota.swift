package import SearchModel

/// The number of calls that a source allows in each period of its calendar.
package struct Quota: Equatable, Sendable {
    package enum Period: String, CaseIterable, Sendable {
        case minute
        case hour
        case day
        case month
    }

    package enum Scope: String, CaseIterable, Sendable {
        /// One counter for all sources of the account.
        case account
        /// One counter for each source.
        case source
    }

    package let name: String
    package var limit: Int
    package let period: Period
    package let scope: Scope
    /// The time at which a day or month begins, in minutes after midnight.
    package let resetMinute: Int
    package let zone: ResetZone

    package init(name: String, limit: Int, period: Period, scope: Scope, resetMinute: Int = 0, zone: ResetZone) {
        self.name = name
        self.limit = limit
        self.period = period
        self.scope = scope
        self.resetMinute = resetMinute
        self.zone = zone
    }
}

extension Quota {
    /// Returns the begin and end of the period that contains an instant, in seconds since 1970.
    ///
    /// Days with a daylight saving change have their real length.
    package func period(at epochSeconds: Int64) -> Range<Int64> {
        switch period {
        case .minute: return Self.even(epochSeconds, 60)
        case .hour: return Self.even(epochSeconds, 3600)
        case .day:
            let today = turn(ofDay: localDay(epochSeconds))
            return today <= epochSeconds
                ? today..<turn(ofDay: localDay(epochSeconds) + 1) : turn(ofDay: localDay(epochSeconds) - 1)..<today
        case .month:
            let civil = CivilTime(epochSeconds: localDay(epochSeconds) * 86_400)
            let begin = turn(ofMonth: civil.year * 12 + civil.month - 1)
            return begin <= epochSeconds
                ? begin..<turn(ofMonth: civil.year * 12 + civil.month)
                : turn(ofMonth: civil.year * 12 + civil.month - 2)..<begin
        }
    }

    private static func even(_ epochSeconds: Int64, _ length: Int64) -> Range<Int64> {
        let begin = epochSeconds - ((epochSeconds % length) + length) % length
        return begin..<begin + length
    }

    /// Returns the local calendar day, counted from 1970.
    private func localDay(_ epochSeconds: Int64) -> Int64 {
        let local = epochSeconds + Int64(zone.offsetMinutes(at: epochSeconds)) * 60
        return (local - ((local % 86_400) + 86_400) % 86_400) / 86_400
    }

    private func turn(ofDay day: Int64) -> Int64 {
        let local = day * 86_400 + Int64(resetMinute) * 60
        // A first guess is close enough to the boundary to find the offset at the boundary.
        let guess = local - Int64(zone.offsetMinutes(at: local)) * 60
        return local - Int64(zone.offsetMinutes(at: guess)) * 60
    }

    private func turn(ofMonth month: Int) -> Int64 {
        let first = CivilTime(year: month / 12, month: month % 12 + 1, day: 1)?.epochSeconds ?? 0
        return turn(ofDay: first / 86_400)
    }
}

extension Quota {
    /// An instant in seconds since 1970, as a date in the zone of the source's calendar.
    package func date(_ epochSeconds: Int64) -> PublishedDate {
        PublishedDate(
            epochSeconds: epochSeconds,
            offsetMinutes: zone.offsetMinutes(at: epochSeconds),
            precision: .second
        )
    }
}

/// A source's rate limits; nil if unknown.
package struct Limits: Equatable, Sendable {
    package var perSecond: Double?
    /// The maximum number of calls in a row after a pause.
    package var burst: Int?
    package var perDay: Int?
    package var concurrency: Int?

    package init(perSecond: Double? = nil, burst: Int? = nil, perDay: Int? = nil, concurrency: Int? = nil) {
        self.perSecond = perSecond
        self.burst = burst
        self.perDay = perDay
        self.concurrency = concurrency
    }
}

extension Limits {
    /// Returns these limits, replaced by the other limits where those have values.
    ///
    /// A burst belongs to its rate: a new rate without a burst has none.
    package func overridden(by others: Limits) -> Limits {
        Limits(
            perSecond: others.perSecond ?? perSecond,
            burst: others.burst ?? (others.perSecond == nil ? burst : nil),
            perDay: others.perDay ?? perDay,
            concurrency: others.concurrency ?? concurrency
        )
    }

    /// Returns the stricter value of each limit.
    package func tightened(by others: Limits) -> Limits {
        Limits(
            perSecond: Self.smaller(perSecond, others.perSecond),
            burst: Self.smaller(burst, others.burst),
            perDay: Self.smaller(perDay, others.perDay),
            concurrency: Self.smaller(concurrency, others.concurrency)
        )
    }

    private static func smaller<Number: Comparable>(_ left: Number?, _ right: Number?) -> Number? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }
}
