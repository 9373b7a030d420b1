/// When an item was published, as exactly as its source says and no more.
package struct PublishedDate: Hashable, Sendable {
    /// How much of the date the source really gave.
    package enum Precision: String, Sendable {
        case year
        case month
        case day
        case second
    }

    /// Seconds since 1970-01-01T00:00:00Z of the first instant the date may mean.
    package let epochSeconds: Int64
    /// The zone the source speaks in, in minutes east of UTC.
    package let offsetMinutes: Int
    package let precision: Precision

    /// The instants that fall into the years 0 to 9999 in every zone; RFC 3339 can't write others.
    private static let writableSeconds: ClosedRange<Int64> = -62_167_132_800...253_402_214_399
    private static let offsetMinutesMax = 23 * 60 + 59

    /// What RFC 3339 can't write becomes the nearest that it can, since a source may send any number.
    package init(epochSeconds: Int64, offsetMinutes: Int, precision: Precision) {
        self.epochSeconds = min(max(epochSeconds, Self.writableSeconds.lowerBound), Self.writableSeconds.upperBound)
        self.offsetMinutes = min(max(offsetMinutes, -Self.offsetMinutesMax), Self.offsetMinutesMax)
        self.precision = precision
    }

    /// RFC 3339 in the source's zone, always complete: `2024-03-09T11:51:51+09:00`.
    package var text: String {
        let civil = CivilTime(epochSeconds: epochSeconds + Int64(offsetMinutes) * 60)
        let zone =
            offsetMinutes == 0
            ? "Z"
            : (offsetMinutes < 0 ? "-" : "+") + Self.padded(abs(offsetMinutes) / 60) + ":"
                + Self.padded(abs(offsetMinutes) % 60)
        return Self.padded(civil.year, to: 4) + "-" + Self.padded(civil.month) + "-" + Self.padded(civil.day) + "T"
            + Self.padded(civil.hour) + ":" + Self.padded(civil.minute) + ":" + Self.padded(civil.second) + zone
    }

    private static func padded(_ number: Int, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
