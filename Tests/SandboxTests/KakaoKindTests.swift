import HTTP
import JSON
import Testing

@testable import Sandbox

@Suite struct KakaoKindTests {
    static let fields: [KakaoKind: Set<String>] = [
        .web: ["title", "contents", "url", "datetime"],
        .blog: ["title", "contents", "url", "blogname", "thumbnail", "datetime"],
        .cafe: ["title", "contents", "url", "cafename", "thumbnail", "datetime"],
        .image: [
            "collection", "thumbnail_url", "image_url", "width", "height", "display_sitename", "doc_url", "datetime",
        ],
        .vclip: ["title", "url", "datetime", "play_time", "thumbnail", "author"],
        .book: [
            "title", "contents", "url", "isbn", "datetime", "authors", "publisher", "translators", "price",
            "sale_price", "thumbnail", "status",
        ],
    ]

    @Test(arguments: KakaoKind.allCases)
    func `every document has all its fields and none is null`(kind: KakaoKind) {
        var asker = Asker.kakao()
        let documents = asker.json("\(kind.path)?query=cat&size=\(kind.sizeMax)")["documents"]?.array ?? []
        #expect(documents.count == kind.sizeMax)
        for document in documents {
            #expect(Set((document.members ?? []).map(\.name)) == Self.fields[kind])
            #expect(document.members?.contains { $0.value.isNull } == false)
        }
    }

    @Test(arguments: KakaoKind.allCases)
    func `the bounds of page and size are the table's`(kind: KakaoKind) {
        var asker = Asker.kakao()
        #expect(asker.json("\(kind.path)?query=cat")["documents"]?.array?.count == kind.sizeDefault)
        #expect(asker.get("\(kind.path)?query=cat&page=\(kind.pageMax)").status == 200)
        #expect(asker.json("\(kind.path)?query=cat&page=\(kind.pageMax + 1)")["message"] == "page is more than max")
        #expect(asker.json("\(kind.path)?query=cat&size=\(kind.sizeMax + 1)")["message"] == "size is more than max")
    }

    @Test(arguments: KakaoKind.allCases, ["accuracy", "date"])
    func `a walk meets exactly what the sandbox knows`(kind: KakaoKind, sort: String) {
        var asker = Asker.kakao()
        let sort = sort == "date" ? kind.dateSort : sort
        let truth = asker.responder.truth(of: kind.source, query: "고양이", sort: sort, at: asker.now)
        var seen: [String] = []
        for page in 1...kind.pageMax {
            let json = asker.json(
                "\(kind.path)?query=\("고양이".encoded)&sort=\(sort)&size=\(kind.sizeMax)&page=\(page)"
            )
            let identity = kind == .image ? "image_url" : "url"
            seen += (json["documents"]?.array ?? []).compactMap { $0[identity]?.string }
            if json["meta"]?["is_end"] == true { break }
        }
        #expect(seen == truth?.ids)
        #expect(Set(seen).count == seen.count)
        #expect(truth?.reachable == seen.count)
    }

    @Test func `the reachable videos are more than the pages can show`() {
        var asker = Asker.kakao()
        let meta = asker.json("/v2/search/vclip?query=cat&size=30&page=15")["meta"]
        #expect(meta?["is_end"] == false)
        #expect((meta?["pageable_count"]?.int ?? 0) > 450)
        #expect(asker.responder.truth(of: "kakao.video", query: "cat", at: asker.now)?.reachable == 450)
    }

    @Test func `both sorts list the same set when all of it is reachable`() throws {
        let responder = SandboxResponder()
        let words = ["zebra", "tulip", "marble", "lantern", "velvet", "pepper", "cobalt", "willow"]
        let small = try #require(
            words.first { word in
                let truth = responder.truth(of: "kakao.blog", query: word, at: noon)
                return (truth?.total ?? 0) > 2 && truth?.total == truth?.reachable
            }
        )
        let byAccuracy = responder.truth(of: "kakao.blog", query: small, at: noon)?.ids ?? []
        let byDate = responder.truth(of: "kakao.blog", query: small, sort: "recency", at: noon)?.ids ?? []
        #expect(Set(byAccuracy) == Set(byDate))
        #expect(byAccuracy != byDate)
    }

    @Test func `books carry numbers in every form, doubles and prices`() {
        var asker = Asker.kakao()
        var books: [JSONValue] = []
        for page in 1...4 {
            books += asker.json("/v3/search/book?query=cat&size=50&page=\(page)")["documents"]?.array ?? []
        }
        let numbers = books.compactMap { $0["isbn"]?.string }
        #expect(Set(numbers).count < numbers.count)
        #expect(numbers.contains { $0.hasPrefix(" ") } && numbers.contains { $0.hasSuffix(" ") })
        let valid = numbers.filter { $0.split(separator: " ").allSatisfy { ISBN.isValid(String($0)) } }
        #expect(valid.count > numbers.count / 2 && valid.count < numbers.count)
        #expect(books.contains { $0["sale_price"] == -1 } && books.contains { $0["status"] == "정상판매" })
        #expect(books.allSatisfy { $0["datetime"]?.string?.contains("T00:00:00.000+09:00") == true })
    }

    @Test func `a book is found by its number`() {
        var asker = Asker.kakao()
        let number = ISBN.thirteen(body: 123_456_789)
        let json = asker.json("/v3/search/book?query=\(number)&target=isbn")
        #expect(json["documents"]?.array?.count == 1)
        #expect(json["documents"]?[0]?["isbn"]?.string?.hasSuffix(number) == true)
        #expect(asker.get("/v3/search/book?query=cat&target=shelf").status == 400)
    }

    @Test func `books count what was shown when that quirk is on`() {
        var options = SandboxOptions()
        options.quirks.kakaoBookCountsShown = true
        var asker = Asker.kakao(options: options)
        #expect(asker.json("/v3/search/book?query=cat&size=10&page=3")["meta"]?["pageable_count"] == 30)
    }

    @Test func `an ampersand is escaped on the wire and plain in the value`() {
        var asker = Asker.kakao()
        let response = asker.get("/v2/search/vclip?query=cat&size=30")
        #expect(response.text.contains("\\u0026n=") && !response.text.contains("&"))
        #expect(response.json["documents"]?[0]?["url"]?.string?.contains("&n=") == true)
    }

    @Test func `the quota of all six together and the documented form of its error`() {
        var options = SandboxOptions()
        options.limits.kakaoPerDayTotal = 2
        options.quirks.kakaoQuotaIs400 = true
        var asker = Asker.kakao(options: options)
        #expect(asker.get("/v2/search/web?query=cat").status == 200)
        #expect(asker.get("/v2/search/cafe?query=cat").status == 200)
        let refused = asker.get("/v2/search/blog?query=cat")
        #expect(refused.status == 400)
        #expect(refused.json == ["code": -10, "msg": "API limit has been exceeded."])
    }

    @Test func `a rate per second can be set`() {
        var options = SandboxOptions()
        options.limits.kakaoPerSecond = 1
        var asker = Asker.kakao(options: options)
        #expect((0..<2).map { _ in asker.get("/v2/search/web?query=cat").status } == [200, 429])
        asker.now += second
        #expect(asker.get("/v2/search/web?query=cat").status == 200)
    }
}
