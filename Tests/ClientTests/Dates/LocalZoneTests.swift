import SearchModel
import Testing

@testable import Client

struct LocalZoneTests {
    /// 2024-03-09T22:00:00+09:00.
    private let now: Int64 = 1_709_989_200
    private let zone = LocalZone.fixed(hours: 9)

    @Test func `days begin at the local midnight, also past the end of a month`() {
        #expect(zone.startOfDay(year: 2024, month: 3, day: 9) == 1_709_910_000)
        #expect(zone.startOfDay(year: 2024, month: 2, day: 38) == 1_709_910_000)
        #expect(zone.startOfDay(year: 2023, month: 15, day: 9) == 1_709_910_000)
        #expect(zone.startOfDay(year: 2024, month: 3, day: 0) == 1_709_132_400)
        #expect(zone.startOfDay(year: 10_000, month: 1, day: 1) == nil)
    }

    @Test func `the zone of this machine leads there and back`() {
        let civil = LocalZone.system.civil(now)
        #expect(LocalZone.system.instant(civil) == now)
    }
}
