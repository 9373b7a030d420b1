import Catalogue
import JSON
package import SearchModel

/// The filter of a search: a site, dates, and required members of the hit.
package struct HitFilter: Hashable, Sendable {
    package var site: Site?
    /// Excludes hits published before this time.
    ///
    /// A hit with only a year or month counts as published in the first second of that year or month.
    package var since: DateBound?
    /// Excludes hits that were certainly published after this time.
    package var until: DateBound?
    package var has: [HitMember] = []

    package init() {}

    package var isEmpty: Bool { site == nil && !isDated && has.isEmpty }

    private var isDated: Bool { since != nil || until != nil }

    enum Verdict {
        case kept
        case leftOut
        case undated
    }

    func verdict(on entry: CachedPage.Entry, of bytes: [UInt8]) -> Verdict {
        guard !isEmpty else { return .kept }
        guard let hit = entry.document(in: bytes) else { return .leftOut }
        if let site, !(hit[.url]?.string.map(site.contains) ?? false) { return .leftOut }
        guard has.allSatisfy({ $0.isIn(hit) }) else { return .leftOut }
        guard isDated else { return .kept }
        guard let published = PublishedSpan(hit, entry) else { return .undated }
        let isWanted =
            since.map(published.reaches) != false
            && until.map { published.begin(in: $0) < $0.end } != false
        return isWanted ? .kept : .leftOut
    }

    func hasPassed(_ entry: CachedPage.Entry, of bytes: [UInt8]) -> Bool {
        guard let since, let hit = entry.document(in: bytes), let published = PublishedSpan(hit, entry) else {
            return false
        }
        return published.end(in: since) <= since.begin
    }
}

extension CachedPage.Entry {
    fileprivate func document(in bytes: [UInt8]) -> JSONCursor? { (try? JSONDocument(Array(bytes[range])))?.root }
}

/// How many hits were checked, how many were kept, and how many were excluded because they have no date.
package struct FilteredCount: Equatable, Sendable {
    package let looked: Int
    package let kept: Int
    package var undated = 0
}

/// A member that the filter requires of a hit, such as `url` or `extra.price`.
package struct HitMember: Hashable, Sendable {
    package static let own: [Member] = [.snippet, .url, .author, .published, .thumbnail, .extra]
    static let extraBytesMax = 64
    private static let extraPrefix = "extra."

    private let member: Member
    private let extra: ExactText?

    package init?(_ text: String) {
        if let member = Self.own.first(where: { $0.rawValue.hasSameBytes(as: text) }) {
            (self.member, extra) = (member, nil)
            return
        }
        guard text.hasBytePrefix(Self.extraPrefix) else { return nil }
        let rest = String(Substring(text.utf8.dropFirst(Self.extraPrefix.utf8.count)))
        guard (1...Self.extraBytesMax).contains(rest.utf8.count) else { return nil }
        (member, extra) = (.extra, ExactText(rest))
    }

    func isIn(_ hit: JSONCursor) -> Bool {
        guard let value = hit[member] else { return false }
        return extra.map { value[$0.text] != nil } ?? true
    }
}

/// When a hit was published: a time, a day, a month or a year.
private struct PublishedSpan {
    private let date: CivilTime
    private let precision: PublishedDate.Precision
    private let seconds: Int64

    init?(_ hit: JSONCursor, _ entry: CachedPage.Entry) {
        guard let seconds = entry.publishedSeconds, let date = hit[.published]?.string.flatMap({ RFC3339.date($0) })
        else { return nil }
        (self.date, self.seconds) = (date, seconds)
        precision = hit[.publishedPrecision]?.string.flatMap(PublishedDate.Precision.init(rawValue:)) ?? .second
    }

    func begin(in bound: DateBound) -> Int64 {
        precision == .second ? seconds : CalendarSpan(date, precision).begin - bound.offsetSeconds
    }

    func reaches(_ since: DateBound) -> Bool {
        let isCoarse = precision == .year || precision == .month
        return isCoarse ? begin(in: since) >= since.begin : end(in: since) > since.begin
    }

    /// The second after the latest possible time of publication.
    func end(in bound: DateBound) -> Int64 {
        precision == .second ? seconds + 1 : CalendarSpan(date, precision).end - bound.offsetSeconds
    }
}

/// One end of a filter's time range.
///
/// A hit with a date but no time is compared in the time zone of the bound.
package struct DateBound: Hashable, Sendable {
    private static let bytesMax = 40

    package let begin: Int64
    package let end: Int64
    let offsetSeconds: Int64

    /// Reads `2024`, `2024-03` or `2024-03-09` in UTC, or an instant in RFC 3339.
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

    init(_ date: CivilTime, _ precision: PublishedDate.Precision) {
        let (year, month) = (date.year, date.month)
        begin = date.epochSeconds
        // `CivilTime` cannot represent the year 10000.
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

/// A host with its subdomains.
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
