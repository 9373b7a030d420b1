import SearchModel

/// When a hit was published, as exactly as it says; read from its RFC 3339 text.
struct PublishedTime: Equatable {
    /// Of the first instant it may mean.
    let epochSeconds: Int64
    let precision: PublishedDate.Precision
    /// `2024`, `2024-03`, `2024-03-09`, or `2024-03-09 11:51` in the source's own zone.
    let text: String

    /// Nil for what is no such date.
    init?(_ published: String, precision: String?) {
        guard let seconds = RFC3339.epochSeconds(published) else { return nil }
        epochSeconds = seconds
        self.precision = precision.flatMap(PublishedDate.Precision.init) ?? .second
        text =
            switch self.precision {
            case .year: String(published.prefix(4))
            case .month: String(published.prefix(7))
            case .day: String(published.prefix(10))
            case .second: published.prefix(10) + " " + published.dropFirst(11).prefix(5)
            }
    }

    /// How long ago it was, in words; the date itself when it says no more than a month, or is long past.
    func age(at now: Int64) -> String {
        let seconds = now - epochSeconds
        switch precision {
        case .year, .month: return text
        case .day:
            // A day begins at another time in every zone: by the hour nothing can be said.
            return switch seconds / 86_400 {
            case _ where seconds < 0: text
            case 0: "today"
            case 1: "yesterday"
            case let days: Self.words(days: days) ?? text
            }
        case .second:
            return switch seconds {
            case ..<0: text
            case ..<60: "just now"
            case ..<3600: "\(FigureText.count(Int(seconds / 60), "minute")) ago"
            case ..<86_400: "\(FigureText.count(Int(seconds / 3600), "hour")) ago"
            default: Self.words(days: seconds / 86_400) ?? text
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
