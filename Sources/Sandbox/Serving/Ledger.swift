/// Counts calls by account and period.
struct Ledger: Sendable {
    enum Period: Sendable {
        /// Begins `offset` seconds before the UTC day.
        case day(offset: Int)
        case month(hours: Int)
        /// Begins with the first call after the previous period.
        case window(seconds: Int64)

        init(_ name: String) {
            switch name {
            case "koreanDay": self = .day(offset: 9 * 3600)
            case "lateKoreanDay": self = .day(offset: 9 * 3600 - 25 * 60)
            case "pacificDay": self = .day(offset: -8 * 3600)
            case "day": self = .day(offset: 0)
            case "koreanMonth": self = .month(hours: 9)
            case "month": self = .month(hours: 0)
            case "hour": self = .window(seconds: 3_600)
            case "minute": self = .window(seconds: 60)
            case "second": self = .window(seconds: 1)
            default: preconditionFailure("unknown period \(name)")
            }
        }
    }

    private var counters: [String: (period: Int64, used: Int)] = [:]

    mutating func charge(_ account: String, per period: Period, at nanoseconds: Int64) -> Int {
        let counter = counters[account]
        let current = Self.number(of: period, at: nanoseconds, after: counter?.period)
        let used = current == counter?.period ? counter?.used ?? 0 : 0
        counters[account] = (current, used + 1)
        return used + 1
    }

    private static func number(of period: Period, at nanoseconds: Int64, after last: Int64?) -> Int64 {
        let seconds = Int(nanoseconds / 1_000_000_000)
        switch period {
        case .day(let offset): return Int64((seconds + offset) / 86_400)
        case .month(let hours):
            let civil = Timestamp(seconds: seconds).civil(hours: hours)
            return Int64(civil.year * 12 + civil.month)
        case .window(let length):
            // If the clock was set back, a new period begins too.
            guard let last, nanoseconds >= last, nanoseconds - last < length * 1_000_000_000 else { return nanoseconds }
            return last
        }
    }
}
