/// Counts calls by account and period, in the time of the requests.
struct Ledger: Sendable {
    enum Period: Hashable, Sendable {
        /// Calendar days at an offset of seconds from UTC.
        case day(offset: Int)
        /// Calendar days of the American west coast, with its summer time.
        case pacificDay
        /// Calendar months in Korea.
        case month
        /// Begins with the first call after the last window has passed.
        case window(nanoseconds: Int64)

        /// The period of a charge in an API's file.
        init(_ name: String, seed: UInt64) {
            switch name {
            case "koreanDay": self = .day(offset: Timestamp.koreaOffset)
            case "lateKoreanDay":
                // Begins some minutes after midnight in Korea; how many depends on the seed.
                var dice = Dice(seed, 0x4ED)
                self = .day(offset: Timestamp.koreaOffset - dice.roll(60) * 60)
            case "pacificDay": self = .pacificDay
            case "koreanMonth": self = .month
            case "hour": self = .window(nanoseconds: 3_600_000_000_000)
            case "minute": self = .window(nanoseconds: 60_000_000_000)
            case "second": self = .window(nanoseconds: 1_000_000_000)
            default: preconditionFailure("unknown period \(name)")
            }
        }
    }

    private struct Counter {
        var period: Int64
        var used: Int
    }

    private struct Key: Hashable {
        var account: String
        var period: Period
    }

    private var counters: [Key: Counter] = [:]

    /// Counts one call; returns the number of calls in the period.
    mutating func charge(_ account: String, per period: Period, at nanoseconds: Int64) -> Int {
        let key = Key(account: account, period: period)
        var counter = counters[key] ?? Counter(period: .min, used: 0)
        let current = Self.number(of: period, at: nanoseconds, after: counter.period)
        if current != counter.period { counter = Counter(period: current, used: 0) }
        counter.used += 1
        counters[key] = counter
        return counter.used
    }

    private static func number(of period: Period, at nanoseconds: Int64, after last: Int64) -> Int64 {
        let seconds = Int(nanoseconds / 1_000_000_000)
        switch period {
        case .day(let offset): return Int64((seconds + offset) / 86_400)
        case .pacificDay: return Int64((seconds + Timestamp(seconds: seconds).pacificOffset) / 86_400)
        case .month:
            let civil = Timestamp(seconds: seconds).civil(offset: Timestamp.koreaOffset)
            return Int64(civil.year * 12 + civil.month)
        case .window(let length):
            // A clock that was set back opens a new window as well.
            return last != .min && nanoseconds >= last && nanoseconds - last < length ? last : nanoseconds
        }
    }
}

extension Timestamp {
    /// Seconds to add to UTC on the American west coast: summer time from March's second Sunday to November's first.
    var pacificOffset: Int {
        let standard = -8 * 3600
        let civil = civil(offset: standard)
        let dayOfWeek = ((seconds + standard) / 86_400 + 4) % 7
        let lastSunday = civil.day - dayOfWeek
        let isSummer =
            switch civil.month {
            case 4...10: true
            case 3: lastSunday >= 15 || (lastSunday >= 8 && (dayOfWeek > 0 || civil.hour >= 2))
            case 11: lastSunday < 1 || (lastSunday == civil.day && civil.day <= 7 && civil.hour < 1)
            default: false
            }
        return isSummer ? standard + 3600 : standard
    }
}
