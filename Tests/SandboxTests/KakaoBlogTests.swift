import HTTP
import JSON
import Testing

@testable import Sandbox

@Suite struct KakaoBlogTests {
    @Test func `a full page has the asked number of documents with the query's words marked`() {
        var asker = Asker.kakao()
        let response = asker.get("/v2/search/blog?query=\("고양이".encoded)&size=50")
        #expect(response.status == 200)
        #expect(response.fields["content-type"] == "application/json;charset=UTF-8")
        let documents = response.json["documents"]?.array ?? []
        #expect(documents.count == 50)
        for document in documents {
            #expect(document["title"]?.string?.contains("<b>고양이</b>") == true)
            #expect(document["url"]?.string?.hasPrefix("https://") == true)
            #expect(document["datetime"]?.string?.hasSuffix(".000+09:00") == true)
        }
    }

    @Test func `a walk over every page shows the reachable documents once each and then ends`() {
        var asker = Asker.kakao()
        var seen: [String] = []
        var page = 1
        while true {
            let json = asker.json("/v2/search/blog?query=cat&size=50&page=\(page)")
            seen += (json["documents"]?.array ?? []).compactMap { $0["url"]?.string }
            if json["meta"]?["is_end"]?.bool != false { break }
            page += 1
        }
        let meta = asker.json("/v2/search/blog?query=cat")["meta"]
        #expect(seen.count == meta?["pageable_count"]?.int)
        #expect(Set(seen).count == seen.count)
        #expect((768...800).contains(seen.count))
        #expect((meta?["total_count"]?.int ?? 0) > 10_000)
    }

    @Test func `nonsense finds nothing`() {
        var asker = Asker.kakao()
        let json = asker.json("/v2/search/blog?query=zxqvkjw")
        let empty: JSONValue = [
            "documents": [], "meta": ["is_end": true, "pageable_count": 0, "total_count": 0],
        ]
        #expect(json == empty)
    }

    @Test func `recency lists the newest first`() {
        var asker = Asker.kakao()
        let json = asker.json("/v2/search/blog?query=cat&sort=recency&size=50&page=3")
        let dates = (json["documents"]?.array ?? []).compactMap { $0["datetime"]?.string }
        #expect(dates.count == 50)
        #expect(dates == dates.sorted(by: >))
    }

    @Test(arguments: [
        ("", "query parameter required", "MissingParameter"),
        ("query=", "query parameter required", "MissingParameter"),
        ("query=cat&page=51", "page is more than max", "InvalidArgument"),
        ("query=cat&page=0", "page is less than min", "InvalidArgument"),
        ("query=cat&size=51", "size is more than max", "InvalidArgument"),
        ("query=cat&size=0", "size is less than min", "InvalidArgument"),
        ("query=cat&sort=latest", "sort parameter one of accuracy and recency", "InvalidArgument"),
    ])
    func `a wrong parameter is refused`(query: String, message: String, type: String) {
        var asker = Asker.kakao()
        let response = asker.get("/v2/search/blog?\(query)")
        #expect(response.status == 400)
        #expect(response.json == ["errorType": .string(type), "message": .string(message)])
    }

    @Test(
        arguments: [
            (nil, "cannot find Authorization : KakaoAK header"),
            ("KakaoAK abc&d", "wrong appKey(abc&d) format"),
            (
                "KakaoAK ffffffffffffffffffffffffffffffff",
                "appKey(ffffffffffffffffffffffffffffffff) does not exist"
            ),
        ] as [(String?, String)]
    )
    func `a wrong key is refused, and echoed`(authorization: String?, message: String) {
        var asker = Asker(fields: authorization.map { [("Authorization", $0)] } ?? [])
        let response = asker.get("/kakao/v2/search/blog?query=cat")
        #expect(response.status == 401)
        #expect(response.json == ["errorType": "AccessDeniedError", "message": .string(message)])
    }

    @Test func `the quota of a day ends with 429 and comes back at midnight in Korea`() {
        var options = SandboxOptions()
        options.limits.kakaoPerDayEach = 2
        var asker = Asker.kakao(options: options)
        #expect((0..<3).map { _ in asker.get("/v2/search/blog?query=cat").status } == [200, 200, 429])
        asker.now = noon + 12 * 3600 * second - 1
        #expect(asker.get("/v2/search/blog?query=cat").status == 429)
        asker.now += 1
        #expect(asker.get("/v2/search/blog?query=cat").status == 200)
    }

    @Test func `a page past the reachable ones is the last one again, or empty`() {
        var asker = Asker.kakao()
        let last = asker.json("/v2/search/blog?query=cat&size=50&page=16")
        #expect(asker.json("/v2/search/blog?query=cat&size=50&page=20")["documents"] == last["documents"])
        asker.responder.options.quirks.kakaoRepeatsLastPage = false
        let past = asker.json("/v2/search/blog?query=cat&size=50&page=20")
        #expect(past["documents"] == [])
        #expect(past["meta"]?["is_end"] == true)
    }
}
