package import SearchModel

extension Quota {
    /// When the period that holds an instant, in seconds since 1970, is over; in the zone of the source's calendar.
    package func resetsAt(after epochSeconds: Int64) -> PublishedDate {
        let end = period(at: epochSeconds).upperBound
        return PublishedDate(epochSeconds: end, offsetMinutes: zone.offsetMinutes(at: end), precision: .second)
    }
}
