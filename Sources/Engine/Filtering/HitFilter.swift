import JSON
package import SearchModel

/// The filter of a search; it checks each hit independently of other hits.
package struct HitFilter: Hashable, Sendable {
    /// Only hits of this site and its subdomains are kept.
    package var site: Site?
    /// Hits published before this time are left out; a year or a month counts as its first second.
    package var since: DateBound?
    /// Hits that were certainly published after this time are left out.
    package var until: DateBound?
    /// Only hits that have all these members are kept.
    package var has: [HitMember] = []

    package init() {}

    package var isEmpty: Bool { site == nil && !isDated && has.isEmpty }

    private var isDated: Bool { since != nil || until != nil }

    enum Verdict {
        case kept
        case leftOut
        /// The hit is left out only because it has no date.
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

    /// Returns whether a hit was certainly published before `since`.
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

/// How many hits a filter has checked, has kept, and has excluded only because they have no date.
package struct FilteredCount: Equatable, Sendable {
    package let looked: Int
    package let kept: Int
    package var undated = 0
}

/// An optional member of a hit or of its `extra`.
package struct HitMember: Hashable, Sendable {
    package static let own: [Member] = [.snippet, .url, .author, .published, .thumbnail, .extra]
    static let extraBytesMax = 64
    private static let extraPrefix = "extra."

    private let member: Member
    /// The name within `extra`; nil for all other members.
    private let extra: ExactText?

    /// Parses names such as `thumbnail` and `extra.price`; returns nil for a name that no hit can have.
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

/// The publication date of a hit, with the precision of its source.
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

    /// Whether the hit passes `since`; a year or a month counts as its first second.
    func reaches(_ since: DateBound) -> Bool {
        let isCoarse = precision == .year || precision == .month
        return isCoarse ? begin(in: since) >= since.begin : end(in: since) > since.begin
    }

    /// Returns the first second after the latest possible publication.
    func end(in bound: DateBound) -> Int64 {
        precision == .second ? seconds + 1 : CalendarSpan(date, precision).end - bound.offsetSeconds
    }
}
