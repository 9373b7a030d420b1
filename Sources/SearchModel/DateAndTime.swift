import JSON

/// A date and time in the proleptic Gregorian calendar, without a time zone.
package struct CivilTime: Equatable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int

    /// A leap second becomes second 59.
    package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        guard (0...9999).contains(year), (1...12).contains(month),
            (1...Self.daysIn(month: month, year: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = min(second, 59)
    }

    package init(epochSeconds: Int64) {
        let secondOfDay = epochSeconds % 86_400
        let days = Int(epochSeconds / 86_400) - (secondOfDay < 0 ? 1 : 0)
        let rest = Int(secondOfDay < 0 ? secondOfDay + 86_400 : secondOfDay)
        // Years start in March here, so a leap day is the last day of its year. An era is 400 years.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
    }

    package var epochSeconds: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    private static func daysIn(month: Int, year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// Reads and writes instants such as `2024-03-09T11:51:51+09:00`.
package enum RFC3339 {
    package static func epochSeconds(_ text: String) -> Int64? {
        guard let civil = date(text) else { return nil }
        var zone = Array(text.utf8)[19...]
        if zone.first == UInt8(ascii: ".") {
            let digits = zone.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            zone = zone[digits.endIndex...]
        }
        guard let offset = offsetSeconds(zone) else { return nil }
        return civil.epochSeconds - offset
    }

    package static func text(_ epochSeconds: Int64) -> String {
        PublishedDate(epochSeconds: epochSeconds, offsetMinutes: 0, precision: .second).text
    }

    package static func preciseText(_ milliseconds: Int64) -> String {
        let rest = (milliseconds % 1000 + 1000) % 1000
        let text = text((milliseconds - rest) / 1000)
        return rest == 0 ? text : "\(text.dropLast()).\(String(rest + 1000).dropFirst())Z"
    }

    package static func epochMilliseconds(_ text: String) -> Int64? {
        guard text.utf8.count <= 40, let seconds = epochSeconds(text) else { return nil }
        let rest = text.utf8.dropFirst(19)
        let hasFraction = rest.first == UInt8(ascii: ".")
        let digits = hasFraction ? rest.dropFirst().prefix(3).prefix { (0x30...0x39).contains($0) } : rest.prefix(0)
        let fraction = digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        return seconds * 1000 + (digits.count..<3).reduce(fraction) { value, _ in value * 10 }
    }

    package static func date(_ text: String) -> CivilTime? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19])
        else { return nil }
        return CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    private static func offsetSeconds(_ zone: ArraySlice<UInt8>) -> Int64? {
        let zone = Array(zone)
        if zone == [UInt8(ascii: "Z")] || zone == [UInt8(ascii: "z")] { return 0 }
        guard zone.count == 6, zone[3] == UInt8(ascii: ":"), let hours = number(zone[1..<3]),
            let minutes = number(zone[4..<6]), hours < 24, minutes < 60
        else { return nil }
        switch zone[0] {
        case UInt8(ascii: "+"): return Int64(hours * 3600 + minutes * 60)
        case UInt8(ascii: "-"): return -Int64(hours * 3600 + minutes * 60)
        default: return nil
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

/// The publication date of an item, with the precision that its source reports.
package struct PublishedDate: Hashable, Sendable {
    package enum Precision: String, CaseIterable, Sendable {
        case year
        case month
        case day
        case second
    }

    /// The start of the date, in seconds since 1970 (UTC).
    package let epochSeconds: Int64
    /// The source's time zone, in minutes east of UTC.
    package let offsetMinutes: Int
    package let precision: Precision

    /// The local times that RFC 3339 can write: the years 0 to 9999.
    private static let writableSeconds: ClosedRange<Int64> = -62_167_219_200...253_402_300_799
    private static let offsetMinutesMax = 23 * 60 + 59

    package init(epochSeconds: Int64, offsetMinutes: Int, precision: Precision) {
        self.offsetMinutes = min(max(offsetMinutes, -Self.offsetMinutesMax), Self.offsetMinutesMax)
        let offset = Int64(self.offsetMinutes) * 60
        let (first, last) = (Self.writableSeconds.lowerBound - offset, Self.writableSeconds.upperBound - offset)
        self.epochSeconds = min(max(epochSeconds, first), last)
        self.precision = precision
    }

    package init?(_ text: String, precision: Precision) {
        guard let seconds = RFC3339.epochSeconds(text), let local = RFC3339.date(text) else { return nil }
        let offset = Int(local.epochSeconds - seconds) / 60
        self.init(epochSeconds: seconds, offsetMinutes: offset, precision: precision)
    }

    package static func canWrite(_ epochSeconds: Int64, offsetMinutes: Int) -> Bool {
        let (local, isTooLarge) = epochSeconds.addingReportingOverflow(Int64(offsetMinutes) * 60)
        return !isTooLarge && writableSeconds.contains(local)
    }

    package var text: String {
        withText { String(validated: $0) }
    }

    package func withText<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        let civil = CivilTime(epochSeconds: epochSeconds + Int64(offsetMinutes) * 60)
        let isUTC = offsetMinutes == 0
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

    private static func put(_ number: Int, at offset: Int, of text: inout [25 of UInt8]) {
        text[offset] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
        text[offset + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
    }
}

/// Reads and writes durations such as `500ms`, `30s`, `10m`, `6h` and `7d`.
package enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    package static let daysMax: Int64 = 10_000

    package static func text(_ duration: Duration) -> String {
        let milliseconds = Int64(duration / .milliseconds(1))
        let unit = units.last { milliseconds % $0.milliseconds == 0 && milliseconds >= $0.milliseconds } ?? units[0]
        return "\(milliseconds / unit.milliseconds)\(unit.name)"
    }

    /// With `onCommandLine`, also accepts fractions such as `1.5s`, and numbers of seconds without a unit.
    package static func duration(_ text: String, onCommandLine: Bool = false) -> Duration? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || (onCommandLine && $0 == ".")) }
        let unit = text.dropFirst(digits.count)
        let name = unit.isEmpty && onCommandLine ? "s" : unit
        guard let factor = units.first(where: { $0.name == name })?.milliseconds, digits.first != ".",
            digits.last != ".", let number = Double(digits)
        else { return nil }
        let milliseconds = (number * Double(factor)).rounded()
        guard milliseconds <= Double(daysMax * 86_400_000) else { return nil }
        return .milliseconds(Int64(milliseconds))
    }
}
