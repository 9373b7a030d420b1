import JSON
package import SearchModel

/// The number of calls that a source allows in each period, or their cost in millionths of a currency.
package struct Quota: Equatable, Sendable {
    package enum Period: String, CaseIterable, Sendable {
        case minute
        case hour
        case day
        case month
    }

    package enum Scope: String, CaseIterable, Sendable {
        case account
        case source
    }

    package let name: String
    package var limit: Int
    package let period: Period
    package let scope: Scope
    /// The time at which a day or month begins, in minutes after midnight.
    package var resetMinute = 0
    package let zone: ResetZone
    /// Nil if the quota counts calls.
    package var currency: String?
    package var cost = 1
    /// The amount that is reserved for searches that name the source.
    package var reserve = 0
    /// The parts of a response that say whether the call was free, what it cost, and how much of the quota is left.
    private(set) var free: [FreeCalls] = []
    private(set) var price: AnswerAmount?
    private(set) var left: AnswerAmount?

    package init(name: String, limit: Int, period: Period, scope: Scope, zone: ResetZone) {
        (self.name, self.limit, self.period) = (name, limit, period)
        (self.scope, self.zone) = (scope, zone)
    }

    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields([
            "name", "limit", "per", "for", "resetsAt", "zone", "cost", "reserve", "free", "price", "left",
        ])
        let name = declared.part(try object.required("name").string())
        let limit = declared.part(try Amount(object.required("limit")))
        let period: Period? = declared.part(try object.required("per").word())
        scope = declared.part(try object["for"]?.word()) ?? .account
        resetMinute = declared.part(try object["resetsAt"]?.minuteOfDay()) ?? 0
        zone = declared.part(try object["zone"].map(ResetZone.init)) ?? .fixed(minutes: 0)
        let hasCost = limit?.currency != nil || object["cost"] != nil
        let cost = hasCost ? declared.part(try Amount(object.required("cost"))) : nil
        guard let name, let limit, let period else { throw declared.spoiled }
        (self.name, self.period) = (name, period)
        (self.limit, currency) = (limit.count, limit.currency)
        self.cost = cost?.count ?? 1
        let reserve = declared.part(try object["reserve"].map(Amount.init))
        self.reserve = reserve?.count ?? 0
        for (amount, name) in [(cost, "cost"), (reserve, "reserve")] where amount != nil && !isIn(amount?.currency) {
            object[name]?.note("is not in the unit of the limit", hint: "Write it like \(writtenLimit).")
        }
        free = object["free"]?.oneOrMore(FreeCalls.init) ?? []
        price = declared.part(try object["price"].map(AnswerAmount.init))
        left = declared.part(try object["left"].map(AnswerAmount.init))
    }

    package func isIn(_ currency: String?) -> Bool { self.currency == currency }

    package var closesIfUnknown: Bool { currency != nil || period == .month }

    package func amount(ofMillionths millionths: Int) -> Int {
        currency == nil ? (millionths + Money.scale - 1) / Money.scale : millionths
    }

    package func text(_ amount: Int) -> String {
        currency.map { "\(Money.decimal(amount)) \($0)" } ?? (amount == 1 ? "1 call" : "\(amount.grouped) calls")
    }

    /// The limit as it is written in a file.
    package var writtenLimit: String { currency == nil ? "\(limit)" : "“\(text(limit))”" }

    /// Returns a range of seconds since 1970; a day can have 23 or 25 hours.
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

    private func localDay(_ epochSeconds: Int64) -> Int64 {
        Self.floor(epochSeconds + Int64(zone.offsetMinutes(at: epochSeconds)) * 60, to: 86_400) / 86_400
    }

    /// `number` counts days from 1970, or months from the year 0.
    private func begin(of number: Int) -> Int64 {
        let first = CivilTime(year: number / 12, month: number % 12 + 1, day: 1)
        let midnight = period == .day ? Int64(number) * 86_400 : first?.epochSeconds ?? 0
        let local = midnight + Int64(resetMinute) * 60
        // Near a daylight saving change, this guess may be one hour wrong, but the second lookup is right.
        let guess = local - Int64(zone.offsetMinutes(at: local)) * 60
        return local - Int64(zone.offsetMinutes(at: guess)) * 60
    }

    package func date(_ epochSeconds: Int64) -> PublishedDate {
        let offset = zone.offsetMinutes(at: epochSeconds)
        return PublishedDate(epochSeconds: epochSeconds, offsetMinutes: offset, precision: .second)
    }
}

package struct Limits: Equatable, Sendable {
    package var perSecond: Double?
    /// How many calls may start at once after a time without calls.
    package var burst: Int?
    package var perDay: Int?
    package var concurrency: Int?

    package init(perSecond: Double? = nil, burst: Int? = nil, perDay: Int? = nil, concurrency: Int? = nil) {
        self.perSecond = perSecond
        self.burst = burst
        self.perDay = perDay
        self.concurrency = concurrency
    }

    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields(["perSecond", "burst", "perDay", "concurrency"])
        perSecond = declared.part(try object["perSecond"]?.double(in: 0.0001...10_000))
        burst = declared.part(try object["burst"]?.integer(in: 1...10_000))
        perDay = declared.part(try object["perDay"]?.integer(in: 1...1_000_000_000))
        concurrency = declared.part(try object["concurrency"]?.integer(in: 1...1000))
    }

    /// Replaces limits by those in `others`; a new rate also removes the old burst, which belongs to the old rate.
    package func overridden(by others: Limits) -> Limits {
        Limits(
            perSecond: others.perSecond ?? perSecond,
            burst: others.burst ?? (others.perSecond == nil ? burst : nil),
            perDay: others.perDay ?? perDay,
            concurrency: others.concurrency ?? concurrency
        )
    }

    package func tightened(by others: Limits) -> Limits {
        func smaller<Number: Comparable>(_ left: Number?, _ right: Number?) -> Number? {
            [left, right].compactMap(\.self).min()
        }
        return Limits(
            perSecond: smaller(perSecond, others.perSecond),
            burst: smaller(burst, others.burst),
            perDay: smaller(perDay, others.perDay),
            concurrency: smaller(concurrency, others.concurrency)
        )
    }
}

extension Source {
    /// Returns the quotas with the changes for this account; `perDay` is the source's own daily limit.
    package func quotas(for account: AccountAccess, perDay: Int?) -> [Quota] {
        let ofAccess = access(with: account.secrets.keys)?.quotas ?? [:]
        var quotas = quotas.map { quota in
            let change = account.quotas[quota.name]
            var quota = quota
            quota.limit = change?.limit?.count ?? ofAccess[quota.name] ?? quota.limit
            quota.cost = change?.cost?.count ?? quota.cost
            quota.reserve = change?.reserve?.count ?? quota.reserve
            return quota
        }
        guard let perDay else { return quotas }
        func isDay(_ quota: Quota) -> Bool { quota.period == .day && quota.currency == nil }
        for index in quotas.indices where isDay(quotas[index]) {
            // Never lowers a quota of the account, because the account's other sources also use it.
            quotas[index].limit = quotas[index].scope == .source ? perDay : max(quotas[index].limit, perDay)
        }
        if !quotas.contains(where: { isDay($0) && $0.scope == .source }) {
            let ofAccount = quotas.first { $0.period == .day }
            let zone = ofAccount?.zone ?? .fixed(minutes: 0)
            var own = Quota(name: "\(name)-day", limit: perDay, period: .day, scope: .source, zone: zone)
            own.resetMinute = ofAccount?.resetMinute ?? 0
            quotas.append(own)
        }
        return quotas
    }
}

package struct QuotaChange: Equatable, Sendable {
    package var limit: Amount?
    package var cost: Amount?
    package var reserve: Amount?

    package init() {}

    package var all: [(name: String, amount: Amount)] {
        [("limit", limit), ("cost", cost), ("reserve", reserve)].compactMap { name, amount in amount.map { (name, $0) }
        }
    }
}

/// A number of calls, or millionths of a currency.
package struct Amount: Equatable, Sendable {
    package let count: Int
    package let currency: String?

    package init(_ declared: Declared) throws(CatalogueError) {
        guard let text = declared.node.string else {
            (count, currency) = (try declared.integer(in: 1...1_000_000_000_000), nil)
            return
        }
        guard let money = Money.amount(text) else {
            let hint = "Write a number of calls, or an amount such as 5.00 USD, up to \(Money.unitsMax)."
            throw declared.error("\u{201C}\(text)\u{201D} is not a valid amount", hint: hint)
        }
        (count, currency) = money
    }
}

package enum ResetZone: Equatable, Sendable {
    case fixed(minutes: Int)
    case pacific

    package func offsetMinutes(at epochSeconds: Int64) -> Int {
        switch self {
        case .fixed(let minutes): return minutes
        case .pacific:
            let year = CivilTime(epochSeconds: epochSeconds - 8 * 3600).year
            // Daylight saving begins at 2:00 standard time and ends at 2:00 daylight saving time.
            let begin = Self.sunday(2, ofMonth: 3, year: year) + 10 * 3600
            let end = Self.sunday(1, ofMonth: 11, year: year) + 9 * 3600
            return (begin..<end).contains(epochSeconds) ? -7 * 60 : -8 * 60
        }
    }

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
