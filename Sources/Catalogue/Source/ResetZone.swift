import SearchModel

/// The time zone of a source's calendar.
package enum ResetZone: Equatable, Sendable {
    case fixed(minutes: Int)
    /// US Pacific time, with daylight saving from the second Sunday of March to the first Sunday of November.
    case pacific

    /// Returns minutes east of UTC at an instant.
    package func offsetMinutes(at epochSeconds: Int64) -> Int {
        switch self {
        case .fixed(let minutes): return minutes
        case .pacific:
            let year = CivilTime(epochSeconds: epochSeconds - 8 * 3600).year
            // Both changes happen at two o'clock in the time that ends.
            let begin = Self.sunday(2, ofMonth: 3, year: year) + 10 * 3600
            let end = Self.sunday(1, ofMonth: 11, year: year) + 9 * 3600
            return (begin..<end).contains(epochSeconds) ? -7 * 60 : -8 * 60
        }
    }

    /// Returns the midnight (UTC) of the n-th Sunday of a month.
    private static func sunday(_ number: Int64, ofMonth month: Int, year: Int) -> Int64 {
        let first = (CivilTime(year: year, month: month, day: 1)?.epochSeconds ?? 0) / 86_400
        // 1970-01-01 was a Thursday.
        let weekday = (first + 4) % 7
        return (first + (7 - weekday) % 7 + (number - 1) * 7) * 86_400
    }
}
