import JSON
import SearchModel

/// Reads the parts of a date from left to right.
struct DateReader {
    /// The formats of parts from left to right.
    enum Format {
        case iso
        case compact
        case rfc822
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    .map { Array($0.utf8) }
    /// How far into a text a date can reach.
    private static let bytesMax = 64

    private var index = 0
    /// Set when a number had too many digits for its part of the date: the text means something else, or a year past
    /// 9999.
    private var isOverlong = false

    /// Reads a date; nil when the text is none.
    static func read(_ written: Span<UInt8>, _ format: Format, zone: Int) -> PublishedDate? {
        var reader = DateReader()
        let text = written.extracting(first: bytesMax)
        reader.skipBlanks(text)
        let date =
            switch format {
            case .iso: reader.iso(text, zone: zone)
            case .compact: reader.compact(text, zone: zone)
            case .rfc822: reader.rfc822(text, zone: zone)
            }
        let isCut = reader.index == bytesMax && reader.isDigit(at: bytesMax, written)
        return reader.isOverlong || isCut ? nil : date
    }

    private mutating func iso(_ text: Span<UInt8>, zone: Int) -> PublishedDate? {
        guard let year = number(4, text) else { return nil }
        guard accept(UInt8(ascii: "-"), text), let month = number(2, text) else { return date(year, 1, 1, zone, .year) }
        guard accept(UInt8(ascii: "-"), text), let day = number(2, text) else {
            return date(year, month, 1, zone, .month)
        }
        guard accept(UInt8(ascii: "T"), text) || accept(UInt8(ascii: " "), text), let hour = number(2, text),
            accept(UInt8(ascii: ":"), text), let minute = number(2, text)
        else { return date(year, month, day, zone, .day) }
        let second = accept(UInt8(ascii: ":"), text) ? number(2, text) ?? 0 : 0
        if accept(UInt8(ascii: "."), text) || accept(UInt8(ascii: ","), text) { skipDigits(text) }
        let civil = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        return civil.map { published($0, offset(text) ?? zone, .second) }
    }

    private mutating func compact(_ text: Span<UInt8>, zone: Int) -> PublishedDate? {
        guard let year = digits(4, text), let month = digits(2, text), let day = digits(2, text),
            !isDigit(at: index, text)
        else { return nil }
        return date(year, month, day, zone, .day)
    }

    private mutating func rfc822(_ text: Span<UInt8>, zone: Int) -> PublishedDate? {
        // The weekday is ignored.
        var comma = index
        while comma < text.count, text[comma] != UInt8(ascii: ",") { comma += 1 }
        if comma < text.count { index = comma + 1 }
        skipBlanks(text)
        guard let day = number(2, text) ?? number(1, text) else { return nil }
        skipBlanks(text)
        guard let month = monthName(text) else { return nil }
        skipBlanks(text)
        guard let year = number(4, text) else { return nil }
        skipBlanks(text)
        guard let hour = number(2, text), accept(UInt8(ascii: ":"), text), let minute = number(2, text) else {
            return date(year, month, day, zone, .day)
        }
        let second = accept(UInt8(ascii: ":"), text) ? number(2, text) ?? 0 : 0
        skipBlanks(text)
        let civil = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        return civil.map { published($0, offset(text) ?? zone, .second) }
    }

    private func date(
        _ year: Int,
        _ month: Int,
        _ day: Int,
        _ zone: Int,
        _ precision: PublishedDate.Precision
    ) -> PublishedDate? {
        // The year 0 is how sources write that they don't know.
        guard year > 0 else { return nil }
        return CivilTime(year: year, month: month, day: day).map { published($0, zone, precision) }
    }

    private func published(_ civil: CivilTime, _ offset: Int, _ precision: PublishedDate.Precision) -> PublishedDate {
        PublishedDate(
            epochSeconds: civil.epochSeconds - Int64(offset) * 60,
            offsetMinutes: offset,
            precision: precision
        )
    }

    /// `Z`, `GMT`, `UT`, `+09:00`, `+0900` or `+09`, in minutes.
    private mutating func offset(_ text: Span<UInt8>) -> Int? {
        if accept(UInt8(ascii: "Z"), text) || accept(UInt8(ascii: "G"), text) || accept(UInt8(ascii: "U"), text) {
            return 0
        }
        let isWest = accept(UInt8(ascii: "-"), text)
        guard isWest || accept(UInt8(ascii: "+"), text), let hours = digits(2, text) else { return nil }
        _ = accept(UInt8(ascii: ":"), text)
        let minutes = hours * 60 + (digits(2, text) ?? 0)
        guard minutes <= 14 * 60 else { return nil }
        return isWest ? -minutes : minutes
    }

    private mutating func monthName(_ text: Span<UInt8>) -> Int? {
        guard index + 3 <= text.count else { return nil }
        let name = text.extracting(index..<index + 3)
        guard let month = Self.months.firstIndex(where: { name.holdsLettersOf($0, at: 0) }) else { return nil }
        while index < text.count, text[index] | 0x20 >= UInt8(ascii: "a") { index += 1 }
        return month + 1
    }

    /// A number that ends with its last digit.
    @inline(__always)
    private mutating func number(_ count: Int, _ text: Span<UInt8>) -> Int? {
        guard let number = digits(count, text) else { return nil }
        if isDigit(at: index, text) { isOverlong = true }
        return number
    }

    @inline(__always)
    private mutating func digits(_ count: Int, _ text: Span<UInt8>) -> Int? {
        guard index + count <= text.count else { return nil }
        var value = 0
        for offset in index..<index + count {
            let digit = text[offset] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        index += count
        return value
    }

    private func isDigit(at offset: Int, _ text: Span<UInt8>) -> Bool {
        offset < text.count && text[offset].isDigit
    }

    private mutating func skipDigits(_ text: Span<UInt8>) {
        while isDigit(at: index, text) { index += 1 }
    }

    private mutating func skipBlanks(_ text: Span<UInt8>) {
        while index < text.count, text[index] <= 0x20 { index += 1 }
    }

    @inline(__always)
    private mutating func accept(_ byte: UInt8, _ text: Span<UInt8>) -> Bool {
        guard index < text.count, text[index] == byte else { return false }
        index += 1
        return true
    }
}
