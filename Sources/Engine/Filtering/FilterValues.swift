import Catalogue
import JSON
import SearchModel

/// One end of the time range of a filter: a year, a month, a day or a second.
///
/// A hit's date without a time has no time zone, so it is compared in the time zone of the bound.
package struct DateBound: Hashable, Sendable {
    private static let bytesMax = 40

    package let begin: Int64
    /// The first second after the year, month, day or second.
    package let end: Int64
    let offsetSeconds: Int64

    /// Parses `2024`, `2024-03` or `2024-03-09` in UTC, or an instant in RFC 3339; returns nil for any other text.
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

struct CalendarSpan: Equatable, Sendable {
    let begin: Int64
    let end: Int64

    /// Creates the range of the year, month, day or second that begins at a date.
    init(_ date: CivilTime, _ precision: PublishedDate.Precision) {
        let (year, month) = (date.year, date.month)
        begin = date.epochSeconds
        // `CivilTime` is nil after the year 9999.
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

/// A host and all its subdomains.
package struct Site: Hashable, Sendable {
    package static let bytesMax = 253

    private let host: [UInt8]

    package init?(_ text: String) {
        var name = text.utf8[...]
        if name.last == UInt8(ascii: ".") { name = name.dropLast() }
        guard (1...Self.bytesMax).contains(name.count) else { return nil }
        let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isLabelByte) }) else { return nil }
        host = name.map(\.lowered)
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte >= 0x80 || "-_".utf8.contains(byte)
    }

    func contains(_ address: String) -> Bool {
        guard var found = WebAddress(address)?.host.utf8[...] else { return false }
        if found.last == UInt8(ascii: ".") { found = found.dropLast() }
        guard found.suffix(host.count).elementsEqual(host) else { return false }
        return found.count == host.count || found.dropLast(host.count).last == UInt8(ascii: ".")
    }
}
