import SearchModel

/// The time between `--since` and `--until`; pure.
struct DateRange: Equatable {
    /// Seconds since 1970; nil when not given.
    let since: Int64?
    /// The first second that is too late.
    let until: Int64?

    /// - Parameters:
    ///   - since: A date or a time ago; its first second belongs to the range.
    ///   - until: A date, all of which belongs to the range, or a time ago.
    ///   - now: Seconds since 1970.
    /// - Throws: `usage` for what is no date, and for a range that is empty.
    init(since: String?, until: String?, now: Int64) throws(ClientError) {
        self.since = try since.map { text throws(ClientError) in try Self.bounds(text, "since", now).lowerBound }
        self.until = try until.map { text throws(ClientError) in try Self.bounds(text, "until", now).upperBound }
        if let since = self.since, let until = self.until, since >= until {
            throw ClientError(.usage, "--since is after --until", hint: "DaemonConnection them")
        }
    }

    /// Whether a hit may have been published within; one without a date was not.
    func contains(_ published: PublishedTime?) -> Bool {
        guard let seconds = published?.epochSeconds else { return false }
        return seconds >= since ?? .min && seconds < until ?? .max
    }

    /// The seconds that a text means: a year, a month, a day, or an instant as long ago.
    private static func bounds(_ text: String, _ option: String, _ now: Int64) throws(ClientError) -> Range<Int64> {
        if !text.contains("-"), text.utf8.count != 4, let ago = DurationText.duration(text) {
            let instant = now - ago.components.seconds
            return instant..<instant
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        let month = parts.count > 1 ? parts[1] : 1
        let day = parts.count > 2 ? parts[2] : 1
        guard (1...3).contains(parts.count), text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-") }),
            let first = CivilTime(year: parts[0], month: month, day: day), parts[0] > 0
        else {
            throw ClientError(
                .usage,
                "--\(option) takes a date, not “\(text)”",
                hint: "Write it as 2024, 2024-03, 2024-03-09, or as a time ago such as 7d"
            )
        }
        let next =
            switch parts.count {
            case 1: CivilTime(year: parts[0] + 1, month: 1, day: 1)
            case 2: CivilTime(year: parts[0] + month / 12, month: month % 12 + 1, day: 1)
            default: CivilTime(epochSeconds: first.epochSeconds + 86_400)
            }
        return first.epochSeconds..<(next?.epochSeconds ?? .max)
    }
}
