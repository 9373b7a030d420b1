import JSON
import SearchModel

/// The formats of dates in responses.
enum DateFormat: String, CaseIterable {
    /// `2024-03-09T11:51:51.000+09:00`, or only the beginning, such as `2024-03`.
    case iso
    /// `20240309`.
    case compact
    /// `Sat, 09 Mar 2024 11:51:51 +0900`.
    case rfc822
    case epochSeconds
    case epochMilliseconds

    /// `zone` is used for dates without a zone, in minutes east of UTC.
    func read(_ text: Span<UInt8>, zone: Int) -> PublishedDate? {
        guard self == .epochSeconds || self == .epochMilliseconds else {
            return DateReader.read(text, self, zone: zone)
        }
        guard let number = Int64(String(validated: text)) else { return nil }
        let seconds = self == .epochSeconds ? number : number / 1000
        guard PublishedDate.canWrite(seconds, offsetMinutes: zone) else { return nil }
        return PublishedDate(epochSeconds: seconds, offsetMinutes: zone, precision: .second)
    }
}

private struct DateReader {
    private static let months = "jan feb mar apr may jun jul aug sep oct nov dec".split(separator: " ")
        .map { Array($0.utf8) }
    private static let bytesMax = 64

    /// The zone that the date names, or else the given zone.
    private var zone: Int
    private var index = 0
    private var hasTooManyDigits = false

    static func read(_ written: Span<UInt8>, _ format: DateFormat, zone: Int) -> PublishedDate? {
        var reader = DateReader(zone: zone)
        let text = written.extracting(first: bytesMax)
        reader.skipBlanks(text)
        let date =
            switch format {
            case .compact: reader.compact(text)
            case .rfc822: reader.rfc822(text)
            default: reader.iso(text)
            }
        let isCut = reader.index == bytesMax && reader.isDigit(at: bytesMax, written)
        return reader.hasTooManyDigits || isCut ? nil : date
    }

    private mutating func iso(_ text: Span<UInt8>) -> PublishedDate? {
        guard let year = number(4, text) else { return nil }
        guard accept("-", text), let month = shortNumber(text) else { return date(year) }
        guard accept("-", text), let day = shortNumber(text) else { return date(year, month) }
        guard accept("T", text) || accept(" ", text), let time = time(text) else { return date(year, month, day) }
        if accept(".", text) || accept(",", text) {
            while isDigit(at: index, text) { index += 1 }
        }
        zone = offset(text) ?? zone
        return date(year, month, day, time)
    }

    private mutating func compact(_ text: Span<UInt8>) -> PublishedDate? {
        guard let year = digits(4, text), let month = digits(2, text), let day = digits(2, text),
            !isDigit(at: index, text)
        else { return nil }
        return date(year, month, day)
    }

    private mutating func rfc822(_ text: Span<UInt8>) -> PublishedDate? {
        let comma = text.index(of: UInt8(ascii: ","), from: index)
        if comma < text.count { index = comma + 1 }
        skipBlanks(text)
        guard let day = shortNumber(text) else { return nil }
        skipBlanks(text)
        guard let month = monthName(text) else { return nil }
        skipBlanks(text)
        guard let year = number(4, text) else { return nil }
        skipBlanks(text)
        guard let time = time(text) else { return date(year, month, day) }
        skipBlanks(text)
        zone = offset(text) ?? zone
        return date(year, month, day, time)
    }

    private typealias Time = (hour: Int, minute: Int, second: Int)

    private mutating func time(_ text: Span<UInt8>) -> Time? {
        guard let hour = number(2, text), accept(":", text), let minute = number(2, text) else { return nil }
        return (hour, minute, accept(":", text) ? number(2, text) ?? 0 : 0)
    }

    private func date(_ year: Int, _ month: Int? = nil, _ day: Int? = nil, _ time: Time? = nil) -> PublishedDate? {
        let (hour, minute, second) = time ?? (0, 0, 0)
        let date = CivilTime(year: year, month: month ?? 1, day: day ?? 1, hour: hour, minute: minute, second: second)
        // Sources write the year 0 for an unknown date.
        guard let date, year > 0 || time != nil else { return nil }
        return PublishedDate(
            epochSeconds: date.epochSeconds - Int64(zone) * 60,
            offsetMinutes: zone,
            precision: time != nil ? .second : day != nil ? .day : month != nil ? .month : .year
        )
    }

    private mutating func offset(_ text: Span<UInt8>) -> Int? {
        if accept("Z", text) || accept("G", text) || accept("U", text) { return 0 }
        let isWest = accept("-", text)
        guard isWest || accept("+", text), let hours = digits(2, text) else { return nil }
        _ = accept(":", text)
        let minutes = hours * 60 + (digits(2, text) ?? 0)
        guard minutes <= 14 * 60 else { return nil }
        return isWest ? -minutes : minutes
    }

    private mutating func monthName(_ text: Span<UInt8>) -> Int? {
        guard let month = Self.months.firstIndex(where: { text.holds($0.span, at: index, anyCase: true) }) else {
            return nil
        }
        while index < text.count, text[index] | 0x20 >= UInt8(ascii: "a") { index += 1 }
        return month + 1
    }

    private mutating func number(_ count: Int, _ text: Span<UInt8>) -> Int? {
        guard let number = digits(count, text) else { return nil }
        if isDigit(at: index, text) { hasTooManyDigits = true }
        return number
    }

    private mutating func shortNumber(_ text: Span<UInt8>) -> Int? { number(2, text) ?? number(1, text) }

    private mutating func digits(_ count: Int, _ text: Span<UInt8>) -> Int? {
        guard index + count <= text.count else { return nil }
        var value = 0
        for offset in index..<index + count {
            guard text[offset].isDigit else { return nil }
            value = value * 10 + Int(text[offset] & 0x0F)
        }
        index += count
        return value
    }

    private func isDigit(at offset: Int, _ text: Span<UInt8>) -> Bool { offset < text.count && text[offset].isDigit }

    private mutating func skipBlanks(_ text: Span<UInt8>) {
        while index < text.count, text[index] <= 0x20 { index += 1 }
    }

    private mutating func accept(_ character: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
        guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }
}
