import SearchModel

/// Reads the parts of a date from left to right.
struct DateReader {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    /// The text, as far as a date can reach, in place so that reading it allocates nothing.
    private var bytes = [64 of UInt8](repeating: 0)
    private let end: Int
    private var index = 0

    init(_ text: Span<UInt8>) {
        end = min(text.count, bytes.count)
        for place in 0..<end { bytes[place] = text[place] }
        skipBlanks()
    }

    mutating func iso(zone: Int) -> PublishedDate? {
        guard let year = digits(4) else { return nil }
        guard accept(UInt8(ascii: "-")), let month = digits(2) else { return date(year, 1, 1, zone, .year) }
        guard accept(UInt8(ascii: "-")), let day = digits(2) else { return date(year, month, 1, zone, .month) }
        guard accept(UInt8(ascii: "T")) || accept(UInt8(ascii: " ")), let hour = digits(2),
            accept(UInt8(ascii: ":")), let minute = digits(2)
        else { return date(year, month, day, zone, .day) }
        let second = accept(UInt8(ascii: ":")) ? digits(2) ?? 0 : 0
        if accept(UInt8(ascii: ".")) || accept(UInt8(ascii: ",")) { skipDigits() }
        let civil = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        return civil.map { published($0, offset() ?? zone, .second) }
    }

    mutating func compact(zone: Int) -> PublishedDate? {
        guard let year = digits(4), let month = digits(2), let day = digits(2), !isDigit(at: index) else { return nil }
        return date(year, month, day, zone, .day)
    }

    mutating func rfc822(zone: Int) -> PublishedDate? {
        // The weekday says nothing new.
        var comma = index
        while comma < end, bytes[comma] != UInt8(ascii: ",") { comma += 1 }
        if comma < end { index = comma + 1 }
        skipBlanks()
        guard let day = digits(2) ?? digits(1) else { return nil }
        skipBlanks()
        guard let month = monthName() else { return nil }
        skipBlanks()
        guard let year = digits(4) else { return nil }
        skipBlanks()
        guard let hour = digits(2), accept(UInt8(ascii: ":")), let minute = digits(2) else {
            return date(year, month, day, zone, .day)
        }
        let second = accept(UInt8(ascii: ":")) ? digits(2) ?? 0 : 0
        skipBlanks()
        let civil = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        return civil.map { published($0, offset() ?? zone, .second) }
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
    private mutating func offset() -> Int? {
        if accept(UInt8(ascii: "Z")) || accept(UInt8(ascii: "G")) || accept(UInt8(ascii: "U")) { return 0 }
        let isWest = accept(UInt8(ascii: "-"))
        guard isWest || accept(UInt8(ascii: "+")), let hours = digits(2) else { return nil }
        _ = accept(UInt8(ascii: ":"))
        let minutes = hours * 60 + (digits(2) ?? 0)
        guard minutes <= 14 * 60 else { return nil }
        return isWest ? -minutes : minutes
    }

    private mutating func monthName() -> Int? {
        guard index + 3 <= end else { return nil }
        let letters = (0..<3).map { bytes[index + $0] | 0x20 }
        guard let month = Self.months.firstIndex(where: { $0.utf8.elementsEqual(letters) }) else { return nil }
        while index < end, bytes[index] | 0x20 >= UInt8(ascii: "a") { index += 1 }
        return month + 1
    }

    private mutating func digits(_ count: Int) -> Int? {
        guard index + count <= end else { return nil }
        var value = 0
        for place in index..<index + count {
            let digit = bytes[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        index += count
        return value
    }

    private func isDigit(at place: Int) -> Bool {
        place < end && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
    }

    private mutating func skipDigits() {
        while isDigit(at: index) { index += 1 }
    }

    private mutating func skipBlanks() {
        while index < end, bytes[index] <= 0x20 { index += 1 }
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        guard index < end, bytes[index] == byte else { return false }
        index += 1
        return true
    }
}
