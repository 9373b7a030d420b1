import Glibc
import SearchModel

/// The time at which a hit was published, with its precision.
package struct PublishedTime: Equatable {
    let epochSeconds: Int64
    let precision: PublishedDate.Precision
    package let exact: String
    private let date: CivilTime

    package init?(_ published: String, precision: String?) {
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

    package func text(in zone: LocalZone) -> String {
        precision == .second ? LocalZone.minute(zone.civil(epochSeconds)) : exact
    }

    package func age(at now: Int64, in zone: LocalZone) -> String {
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
        case ..<14: "\(NumberText.count(Int(days), "day")) ago"
        case ..<60: "\(days / 7) weeks ago"
        case ..<365: "\(days / 30) months ago"
        case ..<3650: "\(NumberText.count(Int(days / 365), "year")) ago"
        default: nil
        }
    }
}

package struct LocalZone: Sendable {
    private let offset: @Sendable (Int64) -> Int64

    package static let system = LocalZone { instant in
        var seconds = time_t(instant)
        var local = unsafe tm()
        // The call reads `seconds` and fills `local`.
        guard unsafe localtime_r(&seconds, &local) != nil else { return 0 }
        return unsafe Int64(local.tm_gmtoff)
    }

    package static func fixed(hours: Int) -> LocalZone {
        LocalZone { _ in Int64(hours * 3600) }
    }

    func civil(_ instant: Int64) -> CivilTime {
        CivilTime(epochSeconds: instant + offset(instant))
    }

    /// If a local time occurs twice, returns one of the two instants.
    func instant(_ civil: CivilTime) -> Int64 {
        let asUTC = civil.epochSeconds
        // Near a change of the offset, the first offset may be wrong. Compute the offset twice.
        return asUTC - offset(asUTC - offset(asUTC))
    }

    /// `day` may be 0 or past the end of the month.
    func startOfDay(year: Int, month: Int, day: Int) -> Int64? {
        let months = year * 12 + month - 1
        guard months >= 0, let first = CivilTime(year: months / 12, month: months % 12 + 1, day: 1) else { return nil }
        let date = CivilTime(epochSeconds: first.epochSeconds + Int64(day - 1) * 86_400)
        return instant(date)
    }

    static func date(_ civil: CivilTime) -> String {
        "\(four(civil.year))-\(two(civil.month))-\(two(civil.day))"
    }

    static func minute(_ civil: CivilTime) -> String {
        "\(date(civil)) \(two(civil.hour)):\(two(civil.minute))"
    }

    static func days(_ civil: CivilTime) -> Int64 {
        let seconds = civil.epochSeconds
        return (seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400
    }

    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func four(_ number: Int) -> String {
        String(repeating: "0", count: max(0, 4 - String(number).count)) + String(number)
    }
}
