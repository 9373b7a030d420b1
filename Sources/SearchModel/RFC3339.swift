/// Instants as the wire writes them: `2024-03-09T11:51:51+09:00`.
package enum RFC3339 {
    /// Seconds since 1970; nil for anything else.
    ///
    /// A fraction of a second is passed over.
    package static func epochSeconds(_ text: String) -> Int64? {
        guard let civil = date(text) else { return nil }
        var zone = Array(text.utf8)[19...]
        if zone.first == UInt8(ascii: ".") { zone = zone.dropFirst().drop { (0x30...0x39).contains($0) } }
        guard let offset = offsetSeconds(zone) else { return nil }
        return civil.epochSeconds - offset
    }

    /// In UTC, of seconds since 1970.
    package static func text(_ epochSeconds: Int64) -> String {
        PublishedDate(epochSeconds: epochSeconds, offsetMinutes: 0, precision: .second).text
    }

    /// The date and time as they are written, in whatever zone; nil for anything else.
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
