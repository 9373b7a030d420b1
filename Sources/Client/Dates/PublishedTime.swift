import SearchModel

/// When a hit was published, as exactly as it says; read from its RFC 3339 text.
struct PublishedTime: Equatable {
    /// Of the first instant it may mean, in the zone of its source.
    let epochSeconds: Int64
    let precision: PublishedDate.Precision
    /// `2024`, `2024-03`, `2024-03-09`, or the whole text with its zone.
    let exact: String
    /// The date on the calendar of its source.
    private let date: CivilTime

    /// Nil for what is no such date.
    init?(_ published: String, precision: String?) {
        guard let seconds = RFC3339.epochSeconds(published), let date = RFC3339.date(published) else { return nil }
        epochSeconds = seconds
        self.date = date
        self.precision = precision.flatMap(PublishedDate.Precision.init(rawValue:)) ?? .second
        exact =
            switch self.precision {
            case .year: String(published.prefix(4))
            case .month: String(published.prefix(7))
            case .day: String(published.prefix(10))
            case .second: published
            }
    }

    /// `2024`, `2024-03`, `2024-03-09`, or `2024-03-09 11:51` in local time.
    func text(in zone: LocalZone) -> String {
        precision == .second ? LocalZone.minute(zone.civil(epochSeconds)) : exact
    }

    /// How long ago it was, in words; the date itself when it says no more than a month, or is long past.
    func age(at now: Int64, in zone: LocalZone) -> String {
        let seconds = now - epochSeconds
        switch precision {
        case .year, .month: return exact
        case .day:
            return switch LocalZone.days(zone.civil(now)) - LocalZone.days(date) {
            case ..<0: exact
            case 0: "today"
            case 1: "yesterday"
            case let days: Self.words(days: days) ?? exact
            }
        case .second:
            return switch seconds {
            case ..<0: text(in: zone)
            case ..<60: "just now"
            case ..<3600: "\(seconds / 60) min ago"
            case ..<86_400: "\(seconds / 3600) h ago"
            default: Self.words(days: seconds / 86_400) ?? LocalZone.date(zone.civil(epochSeconds))
            }
        }
    }

    private static func words(days: Int64) -> String? {
        switch days {
        case ..<14: "\(FigureText.count(Int(days), "day")) ago"
        case ..<60: "\(days / 7) weeks ago"
        case ..<365: "\(days / 30) months ago"
        case ..<3650: "\(FigureText.count(Int(days / 365), "year")) ago"
        default: nil
        }
    }
}
