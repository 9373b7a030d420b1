import JSON
package import SearchModel

/// The filter of a search.
///
/// The decision about a hit depends only on this hit.
package struct HitFilter: Hashable, Sendable {
    /// Keep only this site and its subdomains.
    package var site: Site?
    /// Exclude hits that were certainly published earlier.
    package var since: DateBound?
    /// Exclude hits that were certainly published later.
    package var until: DateBound?
    /// Keep only hits with these members.
    package var has: [HitMember] = []

    package init() {}

    /// Whether the filter keeps all hits.
    package var isEmpty: Bool { site == nil && !isDated && has.isEmpty }

    private var isDated: Bool { since != nil || until != nil }

    enum Verdict {
        case kept
        case leftOut
        /// Excluded only because it has no date.
        case undated
    }

    /// Decides whether to keep a hit of a page.
    ///
    /// - Complexity: O(n) in the bytes of the hit.
    func verdict(on entry: CachedPage.Entry, of bytes: [UInt8]) -> Verdict {
        guard !isEmpty else { return .kept }
        guard let hit = entry.document(in: bytes) else { return .leftOut }
        if let site, !(hit[.url]?.string.map(site.contains) ?? false) { return .leftOut }
        guard has.allSatisfy({ $0.isIn(hit) }) else { return .leftOut }
        guard isDated else { return .kept }
        guard let published = PublishedSpan(hit, entry) else { return .undated }
        let isWanted =
            since.map { published.end(in: $0) > $0.begin } != false
            && until.map { published.begin(in: $0) < $0.end } != false
        return isWanted ? .kept : .leftOut
    }

    /// Whether a hit was certainly published before `since`.
    ///
    /// In a list with the newest first, no later hit can match.
    func hasPassed(_ entry: CachedPage.Entry, of bytes: [UInt8]) -> Bool {
        guard let since, let hit = entry.document(in: bytes), let published = PublishedSpan(hit, entry) else {
            return false
        }
        return published.end(in: since) <= since.begin
    }
}

extension CachedPage.Entry {
    /// The hit as it is in an answer.
    fileprivate func document(in bytes: [UInt8]) -> JSONCursor? { (try? JSONDocument(Array(bytes[range])))?.root }
}

/// The numbers of hits that a filter has checked, has kept, and has excluded only because they have no date.
package struct FilteredCount: Equatable, Sendable {
    package let looked: Int
    package let kept: Int
    package var undated = 0
}

/// An optional member of a hit or of its `extra`.
package struct HitMember: Hashable, Sendable {
    /// The optional members of a hit.
    package static let own: [Member] = [.snippet, .url, .author, .published, .thumbnail, .extra]
    /// The maximum length of the name of a member of `extra`.
    static let extraBytesMax = 64
    private static let extraPrefix = "extra."

    /// The member; `extra` for a member of `extra`.
    private let member: Member
    /// The name within `extra`, if it is a member of `extra`.
    private let extra: ExactText?

    /// Parses names such as `thumbnail` or `extra.price`, or returns nil for a name that no hit can have.
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

    /// Nil without a date.
    init?(_ hit: JSONCursor, _ entry: CachedPage.Entry) {
        guard let seconds = entry.publishedSeconds, let date = hit[.published]?.string.flatMap({ RFC3339.date($0) })
        else { return nil }
        (self.date, self.seconds) = (date, seconds)
        precision = hit[.publishedPrecision]?.string.flatMap(PublishedDate.Precision.init(rawValue:)) ?? .second
    }

    /// The earliest possible second, for comparison with a bound.
    func begin(in bound: DateBound) -> Int64 {
        precision == .second ? seconds : CalendarSpan(date, precision).begin - bound.offsetSeconds
    }

    /// The second after the last possible one.
    func end(in bound: DateBound) -> Int64 {
        precision == .second ? seconds + 1 : CalendarSpan(date, precision).end - bound.offsetSeconds
    }
}
