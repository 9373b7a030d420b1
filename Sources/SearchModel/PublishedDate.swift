import JSON

/// When an item was published, no more precisely than its source reports.
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
    /// The source's zone, in minutes east of UTC.
    package let offsetMinutes: Int
    package let precision: Precision

    /// The years 0 to 9999 in the zone's own time; RFC 3339 can't write others.
    private static let writableSeconds: ClosedRange<Int64> = -62_167_219_200...253_402_300_799
    private static let offsetMinutesMax = 23 * 60 + 59

    /// What RFC 3339 can't write becomes the nearest that it can, since a source may send any number.
    package init(epochSeconds: Int64, offsetMinutes: Int, precision: Precision) {
        self.offsetMinutes = min(max(offsetMinutes, -Self.offsetMinutesMax), Self.offsetMinutesMax)
        let offset = Int64(self.offsetMinutes) * 60
        let (first, last) = (Self.writableSeconds.lowerBound - offset, Self.writableSeconds.upperBound - offset)
        self.epochSeconds = min(max(epochSeconds, first), last)
        self.precision = precision
    }

    /// Whether an instant is of the years 0 to 9999 in a zone of its own.
    package static func canWrite(_ epochSeconds: Int64, offsetMinutes: Int) -> Bool {
        let (local, isTooLarge) = epochSeconds.addingReportingOverflow(Int64(offsetMinutes) * 60)
        return !isTooLarge && writableSeconds.contains(local)
    }

    /// RFC 3339 in the source's zone, always complete: `2024-03-09T11:51:51+09:00`.
    package var text: String {
        withText { String(validated: $0) }
    }

    /// Lends the bytes of the same text.
    package func withText<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        let civil = CivilTime(epochSeconds: epochSeconds + Int64(offsetMinutes) * 60)
        let isUTC = offsetMinutes == 0
        // Built in a local value, so that nothing is allocated.
        var text = [25 of UInt8](repeating: UInt8(ascii: ":"))
        Self.put(civil.year / 100, at: 0, of: &text)
        Self.put(civil.year % 100, at: 2, of: &text)
        text[4] = UInt8(ascii: "-")
        Self.put(civil.month, at: 5, of: &text)
        text[7] = UInt8(ascii: "-")
        Self.put(civil.day, at: 8, of: &text)
        text[10] = UInt8(ascii: "T")
        Self.put(civil.hour, at: 11, of: &text)
        Self.put(civil.minute, at: 14, of: &text)
        Self.put(civil.second, at: 17, of: &text)
        text[19] = UInt8(ascii: isUTC ? "Z" : offsetMinutes < 0 ? "-" : "+")
        Self.put(abs(offsetMinutes) / 60, at: 20, of: &text)
        Self.put(abs(offsetMinutes) % 60, at: 23, of: &text)
        return body(text.span.extracting(first: isUTC ? 20 : 25))
    }

    /// Writes a number below 100 as two digits.
    private static func put(_ number: Int, at offset: Int, of text: inout [25 of UInt8]) {
        text[offset] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
        text[offset + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
    }
}
