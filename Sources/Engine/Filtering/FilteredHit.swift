import SearchModel

/// What a filter needs of a hit, read where a page has it as JSON.
struct FilteredHit {
    private static let names = (
        url: Array("url".utf8), published: Array("published".utf8), precision: Array("publishedPrecision".utf8)
    )

    private(set) var url: String?
    private(set) var published: Published?
    /// Whether it has all that it was looked through for.
    let hasAll: Bool

    /// When it was published: on the calendar of its source, as precisely as that reports.
    struct Published {
        let date: CivilTime
        let precision: PublishedDate.Precision
        let seconds: Int64

        /// The first second that it may mean, beside a bound.
        func begin(in bound: DateBound) -> Int64 {
            precision == .second ? seconds : CalendarSpan(date, precision).begin - bound.offsetSeconds
        }

        /// The first second behind all that it may mean.
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
