import CPlatform
import SearchModel

/// Formats times in the time zone of the user.
package struct LocalClock: Sendable {
    private static let daySeconds: Int64 = 86_400

    /// In seconds since 1970.
    package let now: Int64
    package var zone = LocalZone.system

    package init(now: Int64, zone: LocalZone = .system) { (self.now, self.zone) = (now, zone) }

    static var system: LocalClock { LocalClock(now: platform_realtime_ns() / 1_000_000_000) }

    package func time(_ epoch: Int64) -> String {
        let minute = LocalZone.minute(zone.civil(epoch))
        guard abs(epoch - now) < Self.daySeconds else { return minute }
        let isTomorrow = epoch > now && LocalZone.date(zone.civil(epoch)) != LocalZone.date(zone.civil(now))
        return (isTomorrow ? "tomorrow " : "") + minute.suffix(5)
    }

    func day(_ epoch: Int64) -> String {
        abs(epoch - now) < Self.daySeconds ? time(epoch) : LocalZone.date(zone.civil(epoch))
    }

    func fullTime(_ epoch: Int64) -> String {
        let civil = zone.civil(epoch)
        return "\(LocalZone.minute(civil)):\(LocalZone.two(civil.second))"
    }

    package func distance(to epoch: Int64) -> String { NumberText.age(seconds: Double(abs(epoch - now))) }
}
