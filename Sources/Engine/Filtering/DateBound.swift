import SearchModel

/// One end of the time that a filter wants, as it is written: a year, a month, a day, or an instant to the second.
///
/// Its zone is that of a hit's bare date beside it: the source of such a date meant no zone.
package struct DateBound: Hashable, Sendable {
    /// No bound is written longer.
    private static let bytesMax = 40

    /// Its first second, since 1970.
    package let begin: Int64
    /// The first second behind it.
    package let end: Int64
    /// How far its zone is ahead of UTC.
    let offsetSeconds: Int64

    /// `2024`, `2024-03` and `2024-03-09` are of UTC, an instant is as RFC 3339 has it; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        if let seconds = RFC3339.epochSeconds(text), let written = RFC3339.date(text) {
            self.init(begin: seconds, end: seconds + 1, offsetSeconds: written.epochSeconds - seconds)
            return
        }
        let shapes: [(rest: String, precision: PublishedDate.Precision)] = [
            ("-01-01", .year), ("-01", .month), ("", .day),
        ]
        for shape in shapes where text.utf8.count + shape.rest.utf8.count == 10 {
            guard let first = RFC3339.date(text + shape.rest + "T00:00:00Z") else { return nil }
            let span = CalendarSpan(first, shape.precision)
            self.init(begin: span.begin, end: span.end, offsetSeconds: 0)
            return
        }
        return nil
    }

    private init(begin: Int64, end: Int64, offsetSeconds: Int64) {
        self.begin = begin
        self.end = end
        self.offsetSeconds = offsetSeconds
    }
}

/// The seconds of a date on a calendar, counted from 1970 there.
struct CalendarSpan: Equatable, Sendable {
    let begin: Int64
    let end: Int64

    /// The year, month, day or second in which a date is.
    init(_ date: CivilTime, _ precision: PublishedDate.Precision) {
        let (year, month) = (date.year, date.month)
        begin = date.epochSeconds
        // The year 9999 has none behind it.
        end =
            switch precision {
            case .second: begin + 1
            case .day: begin + 86_400
            case .month:
                CivilTime(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)?.epochSeconds
                    ?? begin + 31 * 86_400
            case .year: CivilTime(year: year + 1, month: 1, day: 1)?.epochSeconds ?? begin + 366 * 86_400
            }
    }
}
