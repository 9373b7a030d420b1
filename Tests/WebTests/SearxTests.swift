import EventLoop
import JSON
import TestSupport
import Testing

@testable import Web

@Suite struct SearxTests {
    private static func recording(_ params: Locked<[JSONValue]>) -> FakeDaemon.Answer {
        { call in
            guard call.method == "search" else { return call.answerBasics() }
            params.withLock { $0.append(call.params) }
            call.result(FakeCall.found)
        }
    }

    @Test func `a search as JSON has every member that clients read`() async throws {
        try await withWeb(daemon: Self.recording(Locked([]))) { web throws in
            let answer = try web.get("/search?q=%EA%B3%A0%EC%96%91%EC%9D%B4&format=json&categories=&time_range=")
            #expect(answer.status == 200)
            #expect(answer.field("Content-Type") == "application/json")
            let json = answer.json
            for name in ["answers", "corrections", "infoboxes", "suggestions"] { #expect(json[name] == .array([])) }
            #expect(json["query"]?.string == "고양이")
            #expect(json["unresponsive_engines"] == [["naver.news", "answered 503"]])
            let hits = json["results"]?.array ?? []
            #expect(hits.count == 2)
            let first = hits[0]
            #expect(first["url"]?.string == "https://one.example/a;p?x=1#f")
            #expect(first["title"]?.string == "첫 고양이")
            #expect(first["content"]?.string == "짧은 글")
            #expect(first["engine"]?.string == "kakao.web")
            #expect(first["engines"] == ["kakao.web", "kakao.blog"])
            #expect(first["category"]?.string == "web")
            #expect(first["parsed_url"] == ["https", "one.example", "/a", "p", "x=1", "f"])
            #expect(first["publishedDate"]?.string == "2024-03-09T11:51:51+09:00")
            #expect(first["positions"] == [1])
            #expect(hits[1]["publishedDate"] == .null)
            #expect((first["score"]?.double ?? 0) > (hits[1]["score"]?.double ?? 1))
        }
    }

    @Test func `every form of search request that known clients send is accepted`() async throws {
        let params = Locked<[JSONValue]>([])
        try await withWeb(daemon: Self.recording(params)) { web throws in
            // LangChain, LangChain.js, LibreChat and HTML forms send requests like these.
            #expect(try web.get("/?q=cat&format=json").json["results"]?.array?.count == 2)
            #expect(try web.send("POST", "/search?q=cat&format=json").json["results"]?.array?.count == 2)
            let libre = "/search?q=cat&format=json&engines=google,bing,duckduckgo&language=all&safesearch=0"
            #expect(try web.get(libre, "X-API-Key: unknown").json["results"]?.array?.count == 2)
            #expect(try web.send("POST", "/search", body: "q=cat&format=json").json["results"]?.array?.count == 2)
        }
        for sent in params.withLock({ $0 }) {
            #expect(sent["query"]?.string == "cat")
            #expect(sent["sources"] == ["@default"])
            #expect(sent["history"] == false)
        }
    }

    @Test(
        arguments: [
            ("categories=books", "sources", ["@books"]), ("categories=@books", "sources", ["@books"]),
            ("categories=blog", "kinds", ["blog"]), ("categories=blogs", "kinds", ["blog"]),
            ("categories=books,blog", "sources", ["@books", "kakao.blog"]),
            ("categories=science", "sources", ["@default"]),
            ("engines=kakao.web,bing", "sources", ["kakao.web"]), ("engines=kakao", "sources", ["kakao"]),
            ("pageno=3", "offset", 40), ("timeout_limit=2.5", "timeout", 2500), ("sort=recency", "sort", "recency"),
            ("site=one.example", "filter", ["site": "one.example"]), ("cursor=abc", "cursor", "abc"),
        ] as [(String, String, JSONValue)]
    )
    func `URL parameters become members of the “search” request to the daemon`(
        _ query: String,
        _ member: String,
        _ value: JSONValue
    )
        async throws
    {
        let params = Locked<[JSONValue]>([])
        try await withWeb(daemon: Self.recording(params)) { web throws in
            #expect(try web.get("/search?q=cat&format=json&\(query)").status == 200)
        }
        #expect(params.withLock { $0 }.first?[member] == value)
    }

    @Test func `a time range becomes a filter for hits since a date`() async throws {
        let params = Locked<[JSONValue]>([])
        try await withWeb(daemon: Self.recording(params)) { web throws in
            for range in ["week", "None"] { _ = try web.get("/search?q=cat&format=json&time_range=\(range)") }
        }
        let sent = params.withLock { $0 }
        #expect(sent[0]["filter"]?["since"]?.string?.utf8.count == 10)
        #expect(sent[1]["filter"] == nil)
    }

    @Test(
        arguments: [
            "format=json", "q=cat&format=json&pageno=0", "q=cat&format=json&timeout_limit=x", "q=cat&format=xml",
            "q=cat&format=json&time_range=decade", "q=site:a.example&format=json", "q=site:a.example",
        ]
    )
    func `a wrong parameter is refused`(_ query: String) async throws {
        try await withWeb { web throws in #expect(try web.get("/search?\(query)").status == 400) }
    }

    @Test func `failed sources are listed as unresponsive engines, and other failures set the HTTP status`()
        async throws
    {
        try await withWeb(daemon: { call in
            guard call.method == "search" else { return call.answerBasics() }
            switch call.params["query"]?.string {
            case "key": call.error("notConfigured", "kakao needs a key", ",\"source\":\"kakao.web\"")
            case "busy": call.error("overloaded", "busy", ",\"retryAfter\":2000")
            default: call.error("invalidParams", "too long")
            }
        }) { web throws in
            let json = try web.get("/search?q=key&format=json").json
            #expect(json["results"] == [])
            #expect(json["unresponsive_engines"] == [["kakao.web", "kakao needs a key"]])
            let busy = try web.get("/search?q=busy&format=json")
            #expect(busy.status == 503)
            #expect(busy.field("Retry-After") == "2")
            #expect(try web.get("/search?q=x&format=json").status == 400)
        }
    }

    @Test func `an answer is used again for one second, and at most 64 answers are kept`() {
        func key(_ query: String) -> RecentAnswers.Key {
            RecentAnswers.Key(WebRequest(method: .get, path: "/search", query: query))
        }
        let begin = Instant(nanoseconds: 0)
        let (late, end) = (begin.advanced(by: .milliseconds(999)), begin.advanced(by: .seconds(1)))
        var answers = RecentAnswers()
        answers.keep(Array(repeating: 1, count: RecentAnswers.bytesMax + 1), for: key("q=long"), at: begin)
        for number in 0...64 { answers.keep([UInt8(number)], for: key("q=\(number)"), at: begin) }
        #expect(answers.answer(to: key("q=0"), at: late) == [0])
        #expect(answers.answer(to: key("q=63"), at: late) == [63])
        for query in ["q=64", "q=long", "q=other"] { #expect(answers.answer(to: key(query), at: late) == nil) }
        #expect(answers.answer(to: key("q=0"), at: end) == nil)
        answers.keep([64], for: key("q=64"), at: end)
        #expect(answers.answer(to: key("q=64"), at: end) == [64])
    }

    @Test func `an answer is used again only if it is complete and the request has no token`() async throws {
        let calls = Locked<[String]>([])
        try await withWeb(daemon: { call in
            guard call.method == "search" else { return call.answerBasics() }
            let query = call.params["query"]?.string ?? ""
            calls.withLock { $0.append(query) }
            switch query {
            case "busy": call.error("unavailable", "busy", ",\"source\":\"kakao.web\"")
            case "partial": call.result(FakeCall.found)
            default: call.result(FakeCall.found.replacing("\"complete\":false", with: "\"complete\":true"))
            }
        }) { web throws in
            func count(_ query: String, _ fields: [String] = []) throws -> Int {
                let before = calls.withLock { $0.count }
                for _ in 0..<2 {
                    #expect(try web.send("GET", "/search?q=\(query)&format=json", fields).status == 200)
                }
                return calls.withLock { $0.count } - before
            }
            for query in ["busy", "partial"] { #expect(try count(query) == 2) }
            #expect(try count("own", [asUser]) == 2)
            // On a busy machine, the second request may come after more than a second, so several queries are tried.
            #expect(try (0..<10).contains { try count("cat\($0)") == 1 })
            #expect(try count("cat0", [asUser]) == 2)
            #expect(try web.get("/search?q=cat0&format=json", "Host: evil.example").status == 421)
        }
    }

    @Test func `identical concurrent searches make one call`() async throws {
        let started = Locked<[FakeCall]>([])
        try await withWeb(daemon: { call in
            guard call.method == "search" else { return call.answerBasics() }
            started.withLock { $0.append(call) }
        }) { web throws in
            // Loads the list of sources now, because the first search would wait for the list.
            #expect(try web.get("/config").status == 200)
            let clients = try (0..<3).map { _ in try RawClient(port: web.port) }
            for client in clients {
                client.send("GET /search?q=cat&format=json HTTP/1.1\r\nHost: localhost:\(web.port)\r\n\r\n")
            }
            // The server starts all searches before it answers this request.
            #expect(try web.get("/healthz").body == "OK\n")
            try await eventually("a search") { started.withLock { !$0.isEmpty } }
            let calls = started.withLock { $0 }
            #expect(calls.count == 1)
            calls[0].result(FakeCall.found)
            for client in clients { #expect(client.receive(until: "unresponsive_engines")?.contains("첫 고양이") == true) }
        }
    }

    @Test func `CSV has a row for each hit and contains no formulas`() async throws {
        try await withWeb(daemon: Self.recording(Locked([]))) { web throws in
            let answer = try web.get("/search?q=cat&format=csv")
            let rows = answer.body.split(separator: "\r\n")
            #expect(rows.first == "title,url,content,host,engine,score,type")
            #expect(
                rows.dropFirst().first == "첫 고양이,https://one.example/a;p?x=1#f,짧은 글,one.example,kakao.web,1.0,result"
            )
            #expect(rows.last?.hasPrefix("\"'=둘째, \"\"인용\"\"\",http://two.example/") == true)
        }
    }

    @Test func `RSS has an item for each hit`() async throws {
        try await withWeb(daemon: Self.recording(Locked([]))) { web throws in
            let answer = try web.get("/search?q=a%26b&format=rss")
            #expect(answer.field("Content-Type") == "application/rss+xml; charset=utf-8")
            #expect(answer.body.contains("<title>searchd: a&amp;b</title>"))
            #expect(answer.body.contains("<pubDate>Sat, 09 Mar 2024 02:51:51 GMT</pubDate>"))
            #expect(answer.body.contains("<title>=둘째, &quot;인용&quot;</title><link>http://two.example/</link>"))
        }
    }

    @Test func `the configuration lists sources, kinds and profiles`() async throws {
        try await withWeb { web throws in
            let json = try web.get("/config").json
            #expect(json["categories"] == ["blog", "web", "books", "default", "mine"])
            let engines = json["engines"]?.array ?? []
            #expect(engines.map { $0["name"]?.string } == ["kakao.blog", "kakao.web", "naver.news"])
            #expect(engines[1]["categories"] == ["web", "books", "default"])
            #expect(engines[2]["enabled"] == false)
        }
    }

    @Test func `OpenSearch describes the search and its suggestions for browsers`() async throws {
        try await withWeb(daemon: { call in
            guard call.method == "search/suggest" else { return call.answerBasics() }
            call.result(#"{"suggestions":[{"text":"고양이"},{"text":"고양이 사료"}]}"#)
        }) { web throws in
            let description = try web.get("/opensearch.xml")
            #expect(description.field("Content-Type") == "application/opensearchdescription+xml; charset=utf-8")
            #expect(description.body.contains("template=\"http://127.0.0.1:\(web.port)/search?q={searchTerms}\""))
            let words: JSONValue = ["고양", ["고양이", "고양이 사료"], [], [], ["google:suggestrelevance": [600, 599]]]
            #expect(try web.get("/autocompleter?q=%EA%B3%A0%EC%96%91", asUser).json == words)
            let script = "X-Requested-With: XMLHttpRequest"
            #expect(try web.get("/autocompleter?q=x", asUser, script).json == ["고양이", "고양이 사료"])
            #expect(try web.get("/autocompleter?q=x").json[1] == [])
        }
    }
}
