import SearchModel

extension Quota {
    /// When the period that holds an instant began and when it ends, in seconds since 1970.
    ///
    /// A day that daylight saving makes longer or shorter is as long as it really is.
    package func period(at epochSeconds: Int64) -> Range<Int64> {
        switch period {
        case .minute: return Self.even(epochSeconds, 60)
        case .hour: return Self.even(epochSeconds, 3600)
        case .day:
            let today = turn(ofDay: localDay(epochSeconds))
            return today <= epochSeconds
                ? today..<turn(ofDay: localDay(epochSeconds) + 1) : turn(ofDay: localDay(epochSeconds) - 1)..<today
        case .month:
            let civil = CivilTime(epochSeconds: localDay(epochSeconds) * 86_400)
            let begin = turn(ofMonth: civil.year * 12 + civil.month - 1)
            return begin <= epochSeconds
                ? begin..<turn(ofMonth: civil.year * 12 + civil.month)
                : turn(ofMonth: civil.year * 12 + civil.month - 2)..<begin
        }
    }

    private static func even(_ epochSeconds: Int64, _ length: Int64) -> Range<Int64> {
        let begin = epochSeconds - ((epochSeconds % length) + length) % length
        return begin..<begin + length
    }

    /// The day of the calendar there, counted from 1970.
    private func localDay(_ epochSeconds: Int64) -> Int64 {
        let local = epochSeconds + Int64(zone.offsetMinutes(at: epochSeconds)) * 60
        return (local - ((local % 86_400) + 86_400) % 86_400) / 86_400
    }

    private func turn(ofDay day: Int64) -> Int64 {
        let local = day * 86_400 + Int64(resetMinute) * 60
        // The offset that holds at the turn itself is within a day of a first guess.
        let guess = local - Int64(zone.offsetMinutes(at: local)) * 60
        return local - Int64(zone.offsetMinutes(at: guess)) * 60
    }

    private func turn(ofMonth month: Int) -> Int64 {
        let first = CivilTime(year: month / 12, month: month % 12 + 1, day: 1)?.epochSeconds ?? 0
        return turn(ofDay: first / 86_400)
    }
}
