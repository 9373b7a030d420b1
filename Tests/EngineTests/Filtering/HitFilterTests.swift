import Catalogue
import SearchModel
import SearchTestSupport
import Testing

@testable import Engine

struct HitFilterTests {
    private func keeps(_ filter: HitFilter, _ change: (inout Hit) -> Void) -> Bool {
        var hit = hit("a.one", 0)
        change(&hit)
        let page = cachedPage(Page(hits: [hit], total: nil, reachable: nil, isEnd: true))
        return filter.verdict(on: page.entries[0], of: page.bytes) == .kept
    }

    @Test(arguments: [
        "https://example.org", "http://example.org/a?b#c", "https://www.example.org:8080/", "https://EXAMPLE.ORG/x",
        "https://a.b.example.org", "https://example.org./", "https://example.org?x",
    ])
    func `a site is a host with its subdomains`(url: String) {
        var filter = HitFilter()
        filter.site = Site("Example.org")
        #expect(keeps(filter) { $0.url = url })
    }

    @Test(arguments: [
        "https://notexample.org/", "https://example.org.evil.test/", "https://a.test/example.org", "example.org",
        "https://example.org@a.test/", "https://a.test/?u=https://example.org", "https://", "", "https://.example.com",
    ])
    func `a site does not match a host outside its domain`(url: String) {
        var filter = HitFilter()
        filter.site = Site("example.org")
        #expect(!keeps(filter) { $0.url = url })
        #expect(!keeps(filter) { _ in })
    }

    @Test func `a host name in Hangul is compared unchanged`() {
        var filter = HitFilter()
        filter.site = Site("고양이.한국")
        #expect(keeps(filter) { $0.url = "https://집.고양이.한국/" })
        #expect(!keeps(filter) { $0.url = "https://양이.한국/" })
    }

    @Test(arguments: [
        "", ".", "https://example.org", "example.org/a", "*.example.org", "example.org:80", "a..b", ".example.org",
        "a b.org", "[::1]", String(repeating: "a", count: Site.bytesMax + 1),
    ])
    func `text that is not a host name is refused`(text: String) {
        #expect(Site(text) == nil)
    }

    @Test func `a host may have the maximum length and end with a dot`() {
        #expect(Site(String(repeating: "a", count: Site.bytesMax)) != nil)
        #expect(Site("example.org.") == Site("example.org"))
    }

    @Test func `“has” requires a member of the hit, such as “url”, or of “extra”`() throws {
        func filter(_ names: String...) throws -> HitFilter {
            var filter = HitFilter()
            filter.has = try names.map { try #require(HitMember($0)) }
            return filter
        }
        #expect(try keeps(filter("thumbnail")) { $0.thumbnail = "https://a.test/t.png" })
        #expect(try !keeps(filter("thumbnail")) { $0.thumbnail = "" })
        #expect(try !keeps(filter("thumbnail")) { $0.snippet = #"{"thumbnail":"x"}"# })
        #expect(try keeps(filter("thumbnail", "url")) { ($0.thumbnail, $0.url) = ("t", "u") })
        #expect(try !keeps(filter("thumbnail", "url")) { $0.url = "u" })
        #expect(try keeps(filter("extra.price")) { $0.extraText = Array(#"{"isbn":"9","price":12000}"#.utf8) })
        #expect(try !keeps(filter("extra.price")) { $0.extraText = Array(#"{"isbn":"price"}"#.utf8) })
        #expect(try !keeps(filter("extra.price")) { _ in })
        #expect(try keeps(filter("extra", "extra.isbn")) { $0.extraText = Array(#"{"isbn":"9"}"#.utf8) })
    }

    @Test(arguments: [
        "", "title", "price", "Thumbnail", "extra.", "raw", "url.x",
        "extra." + String(repeating: "a", count: HitMember.extraBytesMax + 1),
    ])
    func `members that “has” does not take are refused`(name: String) {
        #expect(HitMember(name) == nil)
    }

    @Test func `the name of an extra member may have the maximum length`() {
        #expect(HitMember("extra." + String(repeating: "a", count: HitMember.extraBytesMax)) != nil)
    }

    private func contains(
        _ published: String,
        _ precision: PublishedDate.Precision = .second,
        offset minutes: Int = 0,
        since: String? = nil,
        until: String? = nil
    ) throws -> Bool {
        var filter = HitFilter()
        filter.since = try since.map { try #require(DateBound($0)) }
        filter.until = try until.map { try #require(DateBound($0)) }
        let seconds = try #require(RFC3339.epochSeconds(published))
        return keeps(filter) {
            $0.published = PublishedDate(epochSeconds: seconds, offsetMinutes: minutes, precision: precision)
        }
    }

    @Test(arguments: ["2024", "2024-03", "2024-03-09"])
    func `a bound without a time includes the whole day, month or year in UTC`(date: String) throws {
        #expect(try contains("2024-03-09T00:00:00Z", since: date, until: date))
        #expect(try contains("2024-03-09T23:59:59Z", since: date, until: date))
        #expect(try contains("2024-03-10T08:59:59+09:00", offset: 540, since: date, until: date))
        #expect(try !contains("2023-12-31T23:59:59Z", since: date))
        #expect(try !contains("2025-01-01T00:00:00Z", until: date))
    }

    @Test func `months and years end as in the calendar`() throws {
        #expect(try contains("2024-02-29T23:59:59Z", until: "2024-02"))
        #expect(try !contains("2024-03-01T00:00:00Z", until: "2024-02"))
        #expect(try contains("2023-12-31T23:59:59Z", until: "2023-12"))
        #expect(try !contains("2024-01-01T00:00:00Z", until: "2023"))
        for date in ["9999", "9999-12", "9999-12-31"] {
            #expect(try contains("9999-12-31T23:59:59Z", since: date, until: date))
        }
    }

    @Test func `a bound with a time covers one second, in any time zone`() throws {
        let instant = "2024-03-09T12:00:00+09:00"
        #expect(try contains("2024-03-09T03:00:00Z", since: instant, until: instant))
        #expect(try !contains("2024-03-09T02:59:59Z", since: instant))
        #expect(try !contains("2024-03-09T03:00:01Z", until: instant))
    }

    @Test func `a hit with a date but no time is compared by calendar day, regardless of zones`() throws {
        for (zone, minutes) in [("+09:00", 540), ("Z", 0), ("-08:00", -480)] {
            func day(_ day: String, since: String? = nil, until: String? = nil) throws -> Bool {
                try contains("\(day)T00:00:00\(zone)", .day, offset: minutes, since: since, until: until)
            }
            for bound in ["2024-03-09", "2024-03-09T00:00:00+09:00", "2024-03-09T00:00:00-05:00"] {
                #expect(try day("2024-03-09", since: bound) && !day("2024-03-08", since: bound))
            }
            for bound in ["2024-03-09", "2024-03-09T23:59:59+09:00", "2024-03-09T00:00:00-05:00"] {
                #expect(try day("2024-03-09", until: bound) && !day("2024-03-10", until: bound))
            }
        }
    }

    @Test func `a date without a day means the first second of its year or month`() throws {
        #expect(try contains("2024-01-01T00:00:00Z", .year, since: "2024"))
        #expect(try !contains("2024-01-01T00:00:00Z", .year, since: "2024-01-02"))
        #expect(try contains("2024-01-01T00:00:00Z", .year, until: "2024-01-01"))
        #expect(try !contains("2025-01-01T00:00:00Z", .year, until: "2024-12-31"))
        #expect(try contains("2024-03-01T00:00:00+09:00", .month, offset: 540, since: "2024-03-01T00:00:00+09:00"))
        #expect(try !contains("2024-03-01T00:00:00Z", .month, since: "2024-03-02"))
        #expect(try contains("2024-12-01T00:00:00Z", .month, since: "2024-12", until: "2024-12-31"))
        #expect(try contains("9999-01-01T00:00:00Z", .year, since: "9999", until: "9999-12-31"))
    }

    @Test func `a date filter leaves out hits without a date`() {
        var filter = HitFilter()
        filter.since = DateBound("0001")
        #expect(!keeps(filter) { _ in })
    }

    @Test(arguments: [
        "", "24", "2024-3", "2024-13", "2024-02-30", "2024-03-09T00", "tomorrow", "7d", "２０２４", "2024-03-09T00:00:00",
        String(repeating: "2", count: 41),
    ])
    func `text that is not a date is refused`(text: String) {
        #expect(DateBound(text) == nil)
    }
}
