import JSON
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
        case .minute, .hour:
            let length: Int64 = period == .minute ? 60 : 3600
            let begin = Self.floor(epochSeconds, to: length)
            return begin..<begin + length
        case .day, .month:
            let civil = CivilTime(epochSeconds: localDay(epochSeconds) * 86_400)
            let number = period == .day ? Int(localDay(epochSeconds)) : civil.year * 12 + civil.month - 1
            let begin = self.begin(of: number)
            return begin <= epochSeconds ? begin..<self.begin(of: number + 1) : self.begin(of: number - 1)..<begin
        }
    }

    private static func floor(_ seconds: Int64, to length: Int64) -> Int64 {
        seconds - ((seconds % length) + length) % length
    }

    /// Returns the local calendar day, counted from 1970.
    private func localDay(_ epochSeconds: Int64) -> Int64 {
        Self.floor(epochSeconds + Int64(zone.offsetMinutes(at: epochSeconds)) * 60, to: 86_400) / 86_400
    }

    /// Returns the begin of a day, counted from 1970, or of a month, counted from the year 0.
    private func begin(of number: Int) -> Int64 {
        let first = CivilTime(year: number / 12, month: number % 12 + 1, day: 1)
        let midnight = period == .day ? Int64(number) * 86_400 : first?.epochSeconds ?? 0
        let local = midnight + Int64(resetMinute) * 60
        // A first guess is close enough to the boundary to find the offset at the boundary.
        let guess = local - Int64(zone.offsetMinutes(at: local)) * 60
        return local - Int64(zone.offsetMinutes(at: guess)) * 60
    }

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

extension Quota {
    static func all(_ declared: Declared) throws(CatalogueError) -> [Quota] {
        declared.all(try declared.list(), Quota.init)
    }

    private init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields(["name", "limit", "per", "for", "resetsAt", "zone"])
        let name = declared.part(try object.required("name").string())
        let limit = declared.part(try object.required("limit").integer(in: 1...1_000_000_000_000))
        let period = declared.part(try object.required("per").word(Period.allCases.map { ($0.rawValue, $0) }))
        scope = declared.optional(try object["for"]?.word(Scope.allCases.map { ($0.rawValue, $0) })) ?? .account
        resetMinute = declared.optional(try object["resetsAt"]?.minuteOfDay()) ?? 0
        zone = declared.optional(try object["zone"].map(ResetZone.init)) ?? .fixed(minutes: 0)
        guard let name, let limit, let period else { throw declared.spoiled }
        self.name = name
        self.limit = limit
        self.period = period
    }
}

extension Limits {
    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields(["perSecond", "burst", "perDay", "concurrency"])
        perSecond = declared.optional(try object["perSecond"]?.double(in: 0.0001...10_000))
        burst = declared.optional(try object["burst"]?.integer(in: 1...10_000))
        perDay = declared.optional(try object["perDay"]?.integer(in: 1...1_000_000_000))
        concurrency = declared.optional(try object["concurrency"]?.integer(in: 1...1000))
    }
}

/// The time zone of a source's calendar.
package enum ResetZone: Equatable, Sendable {
    case fixed(minutes: Int)
    /// US Pacific time, with daylight saving from the second Sunday of March to the first Sunday of November.
    case pacific

    /// Returns minutes east of UTC at an instant.
    package func offsetMinutes(at epochSeconds: Int64) -> Int {
        switch self {
        case .fixed(let minutes): return minutes
        case .pacific:
            let year = CivilTime(epochSeconds: epochSeconds - 8 * 3600).year
            // Both changes happen at two o'clock in the time that ends.
            let begin = Self.sunday(2, ofMonth: 3, year: year) + 10 * 3600
            let end = Self.sunday(1, ofMonth: 11, year: year) + 9 * 3600
            return (begin..<end).contains(epochSeconds) ? -7 * 60 : -8 * 60
        }
    }

    /// Returns the midnight (UTC) of the n-th Sunday of a month.
    private static func sunday(_ number: Int64, ofMonth month: Int, year: Int) -> Int64 {
        let first = (CivilTime(year: year, month: month, day: 1)?.epochSeconds ?? 0) / 86_400
        // 1970-01-01 was a Thursday.
        let weekday = (first + 4) % 7
        return (first + (7 - weekday) % 7 + (number - 1) * 7) * 86_400
    }

    init(_ declared: Declared) throws(CatalogueError) {
        self = declared.node.string == "pacific" ? .pacific : .fixed(minutes: try declared.zone())
    }
}
