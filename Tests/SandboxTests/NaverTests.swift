import HTTP
import JSON
import Testing

@testable import Sandbox

extension Asker {
    static func naver(options: SandboxOptions = SandboxOptions()) -> Asker {
        let pair = options.keys.naver[0]
        return Asker(
            options: options,
            fields: [("X-Naver-Client-Id", pair.id), ("X-Naver-Client-Secret", pair.secret)]
        )
    }

    static func hub(options: SandboxOptions = SandboxOptions()) -> Asker {
        let pair = options.keys.naverHub[0]
        return Asker(
            options: options,
            fields: [("X-NCP-APIGW-API-KEY-ID", pair.id), ("X-NCP-APIGW-API-KEY", pair.secret)]
        )
    }
}

/// Calls are a tenth of a second apart, so that the rate lets them through.
@Suite struct NaverTests {
    static let fields: [NaverKind: [String]] = [
        .blog: ["title", "link", "description", "bloggername", "bloggerlink", "postdate"],
        .news: ["title", "originallink", "link", "description", "pubDate"],
        .cafearticle: ["title", "link", "description", "cafename", "cafeurl"],
        .kin: ["title", "link", "description"], .webkr: ["title", "link", "description"],
        .encyc: ["title", "link", "description", "thumbnail"],
        .image: ["title", "link", "thumbnail", "sizeheight", "sizewidth"],
        .local: [
            "title", "link", "category", "description", "telephone", "address", "roadAddress", "mapx", "mapy",
        ],
    ]

    @Test(arguments: NaverKind.allCases)
    func `every item has all its fields, each a string`(kind: NaverKind) {
        var asker = Asker.naver()
        let json = asker.json("/v1/search/\(kind).json?query=cat&display=\(kind.displayMax)")
        let items = json["items"]?.array ?? []
        #expect(items.count == kind.displayMax)
        #expect(json["display"]?.int == kind.displayMax)
        for item in items {
            #expect(item.members?.map(\.name) == Self.fields[kind])
            #expect(item.members?.allSatisfy { $0.value.string != nil } == true)
        }
        var hub = Asker.hub()
        #expect(hub.json("/search/v1/\(kind)?query=cat&display=\(kind.displayMax)")["items"] == json["items"])
    }

    @Test func `the body is indented by tabs and its slashes are escaped`() {
        var asker = Asker.naver()
        let text = asker.get("/v1/search/blog.json?query=cat&display=1").text
        #expect(text.hasPrefix("{\n\t\"lastBuildDate\":\"Sat, 21 Nov 2026 "))
        #expect(text.contains("https:\\/\\/") && !text.contains("</b>"))
    }

    @Test(arguments: NaverKind.allCases)
    func `a walk meets exactly what the sandbox knows, in each sort`(kind: NaverKind) {
        var asker = Asker.naver()
        for sort in kind.sorts.isEmpty ? [""] : kind.sorts {
            let truth = asker.responder.truth(of: kind.source, query: "고양이", sort: sort, at: asker.now)
            var seen: [String] = []
            var start = 1
            while start <= kind.startMax {
                asker.now += second / 5
                let json = asker.json(
                    "/v1/search/\(kind).json?query=\("고양이".encoded)&sort=\(sort)&display=\(kind.displayMax)&start=\(start)"
                )
                let page = json["items"]?.array ?? []
                if page.isEmpty { break }
                seen += page.compactMap { $0[kind == .local ? "roadAddress" : "link"]?.string }
                start += kind.displayMax
            }
            // The walk by hundreds ends at 1,000; the last 99 need a start of exactly 1,000.
            #expect(seen == Array(truth?.ids.prefix(1_000) ?? []))
            #expect(Set(seen).count == seen.count)
            #expect(seen.count >= kind.displayMax)
        }
    }

    @Test func `the deepest item is the 1,099th`() {
        var asker = Asker.naver()
        let json = asker.json("/v1/search/blog.json?query=cat&start=1000&display=100")
        let truth = asker.responder.truth(of: "naver.blog", query: "cat", at: asker.now)
        #expect(json["items"]?[99]?["link"]?.string == truth?.ids.last)
        #expect(truth?.ids.count == 1_099)
    }

    @Test func `the total moves with time when it drifts, and stands still when not`() {
        var asker = Asker.naver()
        func totals() -> Set<Int> {
            Set(
                (0..<8).compactMap { _ in
                    asker.now += 44 * second
                    return asker.json("/v1/search/blog.json?query=cat")["total"]?.int
                }
            )
        }
        #expect(totals().count > 4)
        asker.responder.options.quirks.totalsDrift = false
        #expect(totals().count == 1)
    }

    @Test func `nonsense finds nothing`() {
        var asker = Asker.naver()
        let json = asker.json("/v1/search/news.json?query=zxqvkjw&start=11")
        #expect(json["total"] == 0 && json["start"] == 1 && json["display"] == 0 && json["items"] == [])
    }

    @Test(arguments: [
        ("blog.json", "", 400, "SE01"), ("blog.json", "query=", 400, "SE01"),
        ("blog.json", "query=cat&display=101", 400, "SE02"), ("blog.json", "query=cat&display=0", 400, "SE02"),
        ("blog.json", "query=cat&start=1001", 400, "SE03"), ("blog.json", "query=cat&start=0", 400, "SE03"),
        ("blog.json", "query=cat&sort=point", 400, "SE04"), ("blog.json", "query=%EA%B3", 400, "SE06"),
        ("book.json", "query=cat", 404, "SE05"), ("shop.json", "query=cat", 404, "SE05"),
        ("doc.json", "query=cat", 404, "SE05"), ("local.json", "query=cat&start=2", 400, "SE03"),
    ])
    func `a wrong request is refused with its code`(name: String, query: String, status: Int, code: String) {
        var asker = Asker.naver()
        let response = asker.get("/v1/search/\(name)?\(query)")
        #expect(response.status == status)
        #expect(response.json["errorCode"]?.string == code)
    }

    @Test func `the local search clamps to five, sorts by reviews and gives degrees`() {
        var asker = Asker.naver()
        let json = asker.json("/v1/search/local.json?query=cat&display=10&sort=comment")
        #expect(json["display"] == 5)
        let degrees = json["items"]?[0]?["mapx"]?.string ?? ""
        #expect(degrees.count == 10 && degrees.hasPrefix("12"))
    }

    @Test func `images come in the size that the filter names`() {
        var asker = Asker.naver()
        for (filter, range) in [("large", 1_000...1_600), ("medium", 400...900), ("small", 40...300)] {
            let items = asker.json("/v1/search/image?query=cat&filter=\(filter)&display=20")["items"]?.array ?? []
            #expect(items.count == 20)
            #expect(items.allSatisfy { range.contains(Int($0["sizewidth"]?.string ?? "") ?? 0) })
        }
    }

    @Test func `news and blogs show their known oddities`() {
        var asker = Asker.naver()
        let news = asker.json("/v1/search/news.json?query=cat&display=100")["items"]?.array ?? []
        #expect(news.contains { $0["originallink"] == "" } && news.contains { $0["originallink"] == $0["link"] })
        #expect(news.allSatisfy { $0["description"]?.string?.hasSuffix("... ") == true })
        #expect(news.allSatisfy { $0["pubDate"]?.string?.hasSuffix(" +0900") == true })
        let blogs = asker.json("/v1/search/blog.json?query=cat&display=100")["items"]?.array ?? []
        let links = blogs.compactMap { $0["bloggerlink"]?.string }
        #expect(links.contains { $0.hasPrefix("https://") } && links.contains { $0.hasPrefix("blog.") })
        #expect(blogs.contains { $0["title"]?.string?.contains("&amp;") == true })
    }

    @Test func `the day's quota is counted for all searches together`() {
        var options = SandboxOptions()
        options.limits.naverPerDay = 2
        var asker = Asker.naver(options: options)
        #expect(asker.get("/v1/search/blog.json?query=cat").status == 200)
        #expect(asker.get("/v1/search/news.json?query=cat").status == 200)
        let refused = asker.get("/v1/search/kin.json?query=cat")
        #expect(refused.status == 429)
        #expect(refused.json["errorCode"] == "010")
        #expect(refused.text.contains("{count/quota=3/2}"))
        asker.now += 12 * 3_600 * second - 1
        #expect(asker.get("/v1/search/kin.json?query=cat").status == 429)
        asker.now += 3_600 * second + 1
        #expect(asker.get("/v1/search/kin.json?query=cat").status == 200)
    }

    @Test func `ten calls a second are let through`() {
        var asker = Asker.naver()
        let codes = (0..<11).map { _ in asker.get("/v1/search/blog.json?query=cat") }
        #expect(codes.map(\.status) == Array(repeating: 200, count: 10) + [429])
        #expect(codes.last?.json["errorCode"] == "012")
        asker.now += second
        #expect(asker.get("/v1/search/blog.json?query=cat").status == 200)
    }

    @Test func `keys are checked, and the searches that they are for`() {
        var stranger = Asker()
        #expect(stranger.get("/v1/search/blog.json?query=cat").json["errorCode"] == "024")
        var options = SandboxOptions()
        options.keys.naverDisabled = ["news"]
        var asker = Asker.naver(options: options)
        #expect(asker.get("/v1/search/blog.json?query=cat").status == 200)
        #expect(asker.get("/v1/search/news.json?query=cat").text.contains("Scope Status Invalid"))
    }

    @Test func `API HUB calls its JSON text and traces its calls`() {
        var asker = Asker.hub()
        let response = asker.get("/search/v1/webkr?query=cat&format=json")
        #expect(response.status == 200)
        #expect(response.fields["Content-Type"] == "text/plain;charset=UTF-8")
        #expect(response.fields["x-ncp-trace-id"] != nil)
        #expect(asker.get("/search/v1/blog?query=cat&display=101").json["errorCode"] == "SE02")
        #expect(asker.get("/search/v1/book?query=cat").status == 404)
        #expect(asker.get("/search/v1/blog.json?query=cat").status == 404)
        var stranger = Asker.naver()
        #expect(stranger.get("/search/v1/blog?query=cat").json["error"]?["errorCode"] == "200")
        asker.responder.options.keys.naverDisabled = ["blog"]
        #expect(asker.get("/search/v1/blog?query=cat").json["error"]?["errorCode"] == 401)
    }
}

extension String {
    /// How often a text occurs.
    func components(of text: String) -> Int {
        ranges(of: text).count
    }
}
