import SearchModel

/// Reads the parts of a date from left to right.
struct DateReader {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    private static let bytesMax = 64

    private let bytes: [UInt8]
    private var index = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8.prefix(Self.bytesMax))
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
        if let comma = bytes.firstIndex(of: UInt8(ascii: ",")) { index = comma + 1 }
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
        guard index + 3 <= bytes.count else { return nil }
        let name = String(decoding: bytes[index..<index + 3], as: UTF8.self).lowercased()
        guard let month = Self.months.firstIndex(of: name) else { return nil }
        while index < bytes.count, bytes[index] | 0x20 >= UInt8(ascii: "a") { index += 1 }
        return month + 1
    }

    private mutating func digits(_ count: Int) -> Int? {
        guard index + count <= bytes.count else { return nil }
        var value = 0
        for place in index..<index + count {
            guard isDigit(at: place) else { return nil }
            value = value * 10 + Int(bytes[place] - UInt8(ascii: "0"))
        }
        index += count
        return value
    }

    private func isDigit(at place: Int) -> Bool {
        place < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
    }

    private mutating func skipDigits() {
        while isDigit(at: index) { index += 1 }
    }

    private mutating func skipBlanks() {
        while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }
}
