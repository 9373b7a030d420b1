import CPlatform
import Glibc
import SearchModel

/// What time it is where the user is, and how far away other times are; pure but for `system`.
struct LocalClock: Sendable {
    private static let daySeconds: Int64 = 86_400

    /// Seconds since 1970.
    let now: Int64
    /// Seconds east of UTC at an instant.
    let offset: @Sendable (Int64) -> Int64

    /// The clock of this machine in the zone of `TZ`.
    static var system: LocalClock { LocalClock(now: platform_realtime_ns() / 1_000_000_000) }

    /// A clock that stands still.
    init(now: Int64, offset: @escaping @Sendable (Int64) -> Int64 = LocalClock.zoneOffset) {
        self.now = now
        self.offset = offset
    }

    /// `16:40` within a day of now, else `2026-11-24 16:40`.
    func time(_ epoch: Int64) -> String {
        let civil = civil(epoch)
        let time = Self.two(civil.hour) + ":" + Self.two(civil.minute)
        guard abs(epoch - now) >= Self.daySeconds else { return time }
        return "\(civil.year)-\(Self.two(civil.month))-\(Self.two(civil.day)) \(time)"
    }

    /// `2026-11-24 16:40:05`.
    func fullTime(_ epoch: Int64) -> String {
        let civil = civil(epoch)
        return "\(civil.year)-\(Self.two(civil.month))-\(Self.two(civil.day)) "
            + [civil.hour, civil.minute, civil.second].map(Self.two).joined(separator: ":")
    }

    /// How far away an instant is, as people round it: `40 s`, `35 min`, `8 h`, `7 d`.
    func distance(to epoch: Int64) -> String { Self.rounded(seconds: abs(epoch - now)) }

    /// A span in the same words; at least a second.
    static func rounded(milliseconds: Int) -> String { rounded(seconds: Int64(max(1, (milliseconds + 500) / 1000))) }

    private static func rounded(seconds: Int64) -> String {
        switch seconds {
        case ..<90: "\(seconds) s"
        case ..<5400: "\((seconds + 30) / 60) min"
        case ..<129_600: "\((seconds + 1800) / 3600) h"
        default: "\((seconds + 43_200) / daySeconds) d"
        }
    }

    /// What the zone of the process, which is `TZ` or the machine's, has at an instant.
    private static let zoneOffset: @Sendable (Int64) -> Int64 = { epoch in
        var seconds = time_t(epoch)
        var local = unsafe tm()
        // The call reads and fills the locals, which outlive it.
        guard unsafe localtime_r(&seconds, &local) != nil else { return 0 }
        return unsafe Int64(local.tm_gmtoff)
    }

    private func civil(_ epoch: Int64) -> CivilTime {
        CivilTime(epochSeconds: epoch + offset(epoch))
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
