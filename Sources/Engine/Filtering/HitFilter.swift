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
        let hit = FilteredHit(entry, of: bytes, looksFor: has)
        if let site, !(hit.url.map(site.contains) ?? false) { return .leftOut }
        guard hit.hasAll else { return .leftOut }
        guard isDated else { return .kept }
        guard let published = hit.published else { return .undated }
        let isWanted =
            since.map { published.end(in: $0) > $0.begin } != false
            && until.map { published.begin(in: $0) < $0.end } != false
        return isWanted ? .kept : .leftOut
    }

    /// Whether a hit was certainly published before `since`.
    ///
    /// In a list with the newest first, no later hit can match.
    func hasPassed(_ entry: CachedPage.Entry, of bytes: [UInt8]) -> Bool {
        guard let since, let published = FilteredHit(entry, of: bytes, looksFor: []).published else { return false }
        return published.end(in: since) <= since.begin
    }
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

    /// The name of the member of the hit; for a member of `extra`, this is `extra`.
    let name: [UInt8]
    /// The name within `extra`, for a member of `extra`.
    let extra: [UInt8]?

    /// Parses names such as `thumbnail` or `extra.price`, or returns nil for a name that no hit can have.
    package init?(_ text: String) {
        if let member = Self.own.first(where: { $0.description.hasSameBytes(as: text) }) {
            name = Array(member.description.utf8)
            extra = nil
            return
        }
        guard text.utf8.starts(with: Self.extraPrefix.utf8) else { return nil }
        let rest = Array(text.utf8.dropFirst(Self.extraPrefix.utf8.count))
        guard (1...Self.extraBytesMax).contains(rest.count) else { return nil }
        name = Array(Member.extra.description.utf8)
        extra = rest
    }
}

/// The properties of a hit that a filter needs, read from the JSON of a page.
struct FilteredHit {
    private static let names = (
        url: Array("url".utf8), published: Array("published".utf8), precision: Array("publishedPrecision".utf8)
    )

    private(set) var url: String?
    private(set) var published: Published?
    /// Whether the hit has all members that the filter requires.
    let hasAll: Bool

    /// The publication date in the zone and with the precision of the source.
    struct Published {
        let date: CivilTime
        let precision: PublishedDate.Precision
        let seconds: Int64

        /// The earliest possible second, for comparison with a bound.
        func begin(in bound: DateBound) -> Int64 {
            precision == .second ? seconds : CalendarSpan(date, precision).begin - bound.offsetSeconds
        }

        /// The second after the latest possible second.
        func end(in bound: DateBound) -> Int64 {
            precision == .second ? seconds + 1 : CalendarSpan(date, precision).end - bound.offsetSeconds
        }
    }

    /// - Complexity: O(n) in the bytes of the hit.
    init(_ entry: CachedPage.Entry, of bytes: [UInt8], looksFor members: [HitMember]) {
        var missing = members
        var date: CivilTime?
        var precision = PublishedDate.Precision.second
        var scan = MemberScan(bytes, entry.range)
        while let (name, value) = scan.next() {
            if scan.holds(Self.names.url, at: name) {
                url = scan.text(at: value)
            } else if scan.holds(Self.names.published, at: name) {
                date = scan.text(at: value).flatMap { RFC3339.date($0) }
            } else if scan.holds(Self.names.precision, at: name) {
                precision = scan.text(at: value).flatMap(PublishedDate.Precision.init(rawValue:)) ?? .second
            }
            missing.removeAll { member in
                scan.holds(member.name, at: name)
                    && member.extra.map { Self.has($0, in: bytes, at: value) } != false
            }
        }
        hasAll = missing.isEmpty
        if let date, let seconds = entry.publishedSeconds {
            published = Published(date: date, precision: precision, seconds: seconds)
        }
    }

    /// Whether an object has a member.
    private static func has(_ member: [UInt8], in bytes: [UInt8], at range: Range<Int>) -> Bool {
        var scan = MemberScan(bytes, range)
        while let (name, _) = scan.next() {
            if scan.holds(member, at: name) { return true }
        }
        return false
    }
}
