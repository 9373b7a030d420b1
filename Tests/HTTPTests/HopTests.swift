import Testing

@testable import HTTP

struct HopTests {
    private let anywhere = RedirectPolicy.follow(upTo: 2) { _ in true }

    private func hop(
        _ url: String = "https://a.org/1?key=secret",
        method: String = "GET",
        number: Int = 0
    ) throws -> Hop {
        let fields = HTTPFields([
            ("Authorization", "KakaoAK secret"), ("accept", "x"), ("Content-Type", "t"), ("X-Key", "secret"),
        ])
        return Hop(url: try FetchURL(url), method: method, fields: fields, body: Array("b".utf8), number: number)
    }

    private func next(_ hop: Hop, _ status: Int, _ location: String?, _ policy: RedirectPolicy) -> Hop? {
        if case .hop(let next) = hop.next(status: status, location: location, policy: policy) { next } else { nil }
    }

    @Test(arguments: [200, 204, 300, 304, 305, 306, 400, 500])
    func `a status that is not a redirect is final`(status: Int) throws {
        #expect(try hop().next(status: status, location: "https://a.org/2", policy: .none) == .answer)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is refused by default`(status: Int) throws {
        let next = try hop().next(status: status, location: "https://a.org/2", policy: .none)
        #expect(next == .refused(.redirect("", host: "")))
    }

    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
        (308, "POST", "POST"), (301, "GET", "GET"), (303, "GET", "GET"),
    ])
    func `the status decides whether method and body are kept`(status: Int, method: String, expected: String) throws {
        let next = try #require(next(try hop(method: method), status, "https://a.org/2", anywhere))
        #expect(next.method == expected)
        #expect(next.body.isEmpty == (expected != method))
        #expect((next.fields["Content-Type"] == nil) == (expected != method))
        #expect(next.number == 1)
    }

    @Test(arguments: ["https://b.org/", "https://a.org:444/", "https://sub.a.org/"])
    func `a redirect to another origin drops the keys`(location: String) throws {
        let next = try #require(next(try hop(), 302, location, anywhere))
        #expect(next.fields == HTTPFields([("accept", "x")]))
    }

    @Test func `a redirect within an origin keeps the keys, but dropped keys never return`() throws {
        let same = try #require(next(try hop(), 302, "https://A.org/2", anywhere))
        #expect(same.fields["Authorization"] != nil)
        let away = try #require(next(try hop(), 302, "https://b.org/", anywhere))
        let home = try #require(next(away, 302, "https://a.org/", anywhere))
        #expect(home.fields["Authorization"] == nil)
    }

    @Test func `the number of redirects is limited`() throws {
        #expect(next(try hop(number: 1), 302, "https://a.org/", anywhere)?.number == 2)
        #expect(next(try hop(number: 2), 302, "https://a.org/", anywhere) == nil)
    }

    @Test(arguments: [
        nil, "", "/relative", "ftp://a.org/", "http://a.org/", "https://user@a.org/", "https:///x", "javascript:x",
    ])
    func `a target that is not valid is refused`(location: String?) throws {
        #expect(next(try hop(), 302, location, anywhere) == nil)
    }

    @Test func `blanks and non-ASCII letters in a target are escaped`() throws {
        let next = next(try hop(), 302, "https://a.org/고 양?q=%20é", anywhere)
        #expect(next?.url.text == "https://a.org/%EA%B3%A0%20%EC%96%91?q=%20%C3%A9")
    }

    @Test func `http may redirect to http and https`() throws {
        let plain = try hop("http://a.org/")
        #expect(next(plain, 302, "http://b.org/", anywhere) != nil)
        #expect(next(plain, 302, "https://b.org/", anywhere) != nil)
    }

    @Test func `the policy gets the origin of the target`() throws {
        let policy = RedirectPolicy.follow(upTo: 1) { $0.host == "b.org" && $0.isSecure && $0.port == 443 }
        #expect(next(try hop(), 302, "https://b.org/x", policy) != nil)
        #expect(next(try hop(), 302, "https://c.org/x", policy) == nil)
    }
}
