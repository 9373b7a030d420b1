import Glibc
import SearchModel

/// The clock on the wall: how far local time is ahead of UTC at any instant.
package struct LocalZone: Sendable {
    private let offset: @Sendable (Int64) -> Int64

    /// What `TZ`, else the machine says.
    package static let system = LocalZone { instant in
        var seconds = time_t(instant)
        // Its name of the zone is never read.
        var local = unsafe tm()
        // The call reads one local and fills the other; both outlive it.
        guard unsafe localtime_r(&seconds, &local) != nil else { return 0 }
        return unsafe Int64(local.tm_gmtoff)
    }

    /// A zone that never changes.
    package static func fixed(hours: Int) -> LocalZone {
        LocalZone { _ in Int64(hours * 3600) }
    }

    /// The local date and time of an instant, given as seconds since 1970.
    func civil(_ instant: Int64) -> CivilTime {
        CivilTime(epochSeconds: instant + offset(instant))
    }

    /// The instant of a local date and time; of an hour that comes twice, one of the two.
    func instant(_ civil: CivilTime) -> Int64 {
        let asUTC = civil.epochSeconds
        // The offset is that of the instant looked for, which the first guess is near to.
        return asUTC - offset(asUTC - offset(asUTC))
    }

    /// The instant at which a local day begins, of a date that need not be on the calendar: day 0 is the one before the
    /// 1st.
    func startOfDay(year: Int, month: Int, day: Int) -> Int64? {
        let months = year * 12 + month - 1
        guard months >= 0, let first = CivilTime(year: months / 12, month: months % 12 + 1, day: 1) else { return nil }
        let date = CivilTime(epochSeconds: first.epochSeconds + Int64(day - 1) * 86_400)
        return instant(date)
    }

    /// `2024-03-09`.
    static func date(_ civil: CivilTime) -> String {
        "\(four(civil.year))-\(two(civil.month))-\(two(civil.day))"
    }

    /// `2024-03-09 14:05`.
    static func minute(_ civil: CivilTime) -> String {
        "\(date(civil)) \(two(civil.hour)):\(two(civil.minute))"
    }

    /// The number of a day since 1970-01-01.
    static func days(_ civil: CivilTime) -> Int64 {
        let seconds = civil.epochSeconds
        return (seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400
    }

    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func four(_ number: Int) -> String {
        String(repeating: "0", count: max(0, 4 - String(number).count)) + String(number)
    }
}
