import SearchModel

/// The range of time between `--since` and `--until`.
package struct DateRange {
    /// Seconds since 1970.
    let since: Int64?
    let until: Int64?
    private let zone: LocalZone
    private static let monthSeconds: Int64 = 31 * 86_400
    private static let lastSecond: Int64 = 253_402_214_399

    package init(since: String?, until: String?, now: Int64, zone: LocalZone) throws(ClientError) {
        self.zone = zone
        self.since = try since.map { text throws(ClientError) in
            try DateWord.span(text, of: "since", at: now, in: zone).lowerBound
        }
        self.until = try until.map { text throws(ClientError) in
            try DateWord.span(text, of: "until", at: now, in: zone).upperBound
        }
        if let first = self.since, first > now {
            throw ClientError(.usage, "--since \(since ?? "") is in the future", hint: "Give a date in the past")
        }
        if let first = self.since, let last = self.until, first >= last {
            throw ClientError(.usage, "--since \(since ?? "") is after --until \(until ?? "")", hint: "Swap them")
        }
    }

    func endsLongAgo(at now: Int64) -> Bool {
        until.map { $0 < now - Self.monthSeconds } ?? false
    }

    package var sinceText: String? { since.map(text) }
    package var untilText: String? { until.map { text($0 - 1) } }

    private func text(_ instant: Int64) -> String {
        let instant = min(instant, Self.lastSecond)
        let offset = zone.civil(instant).epochSeconds - instant
        return PublishedDate(epochSeconds: instant, offsetMinutes: Int(offset / 60), precision: .second).text
    }
}

enum DateWord {
    private static let units: [(name: String, seconds: Int64)] = [
        ("min", 60), ("h", 3600), ("d", 86_400), ("w", 7 * 86_400), ("mo", 30 * 86_400), ("y", 365 * 86_400),
    ]
    private static let digitsMax = 5

    /// Returns a range in seconds since 1970.
    ///
    /// A time before now, such as `2w`, gives an empty range.
    static func span(
        _ text: String,
        of option: String,
        at now: Int64,
        in zone: LocalZone
    ) throws(ClientError) -> Range<Int64> {
        let today = zone.civil(now)
        switch text {
        case "today", "yesterday": if let span = day(today, text == "today" ? 0 : -1, zone) { return span }
        default:
            if let span = date(text, zone) { return span }
            if let instant = ago(text, now) { return instant..<instant }
        }
        throw ClientError(
            .usage,
            "--\(option) takes a date, not “\(text)”",
            hint: "Examples: 2024, 2024-03, 2024-03-09, yesterday, or a time before now such as 7d, 2w, 6mo or 1y"
        )
    }

    static func date(_ text: String, _ zone: LocalZone) -> Range<Int64>? {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts[0].count == 4, parts.dropFirst().allSatisfy({ $0.count == 2 }),
            parts.joined().allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let numbers = parts.map { $0.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        let (year, month, day) = (numbers[0], numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 1)
        guard year > 0, CivilTime(year: year, month: month, day: day) != nil,
            let start = zone.startOfDay(year: year, month: month, day: day)
        else { return nil }
        let end =
            switch numbers.count {
            case 1: zone.startOfDay(year: year + 1, month: 1, day: 1)
            case 2: zone.startOfDay(year: year, month: month + 1, day: 1)
            default: zone.startOfDay(year: year, month: month, day: day + 1)
            }
        return start..<max(start, end ?? .max)
    }

    private static func day(_ today: CivilTime, _ days: Int, _ zone: LocalZone) -> Range<Int64>? {
        guard let start = zone.startOfDay(year: today.year, month: today.month, day: today.day + days),
            let end = zone.startOfDay(year: today.year, month: today.month, day: today.day + days + 1)
        else { return nil }
        return start..<end
    }

    private static func ago(_ text: String, _ now: Int64) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard (1...digitsMax).contains(digits.utf8.count), let number = Int64(digits) else { return nil }
        return units.first { $0.name == text.dropFirst(digits.count) }.map { now - number * $0.seconds }
    }
}
