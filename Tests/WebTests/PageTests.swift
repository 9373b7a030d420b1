import EventLoop
import JSON
import TestSupport
import Testing

@testable import Web

@Suite struct PageTests {
    @Test func `a search without JavaScript shows hits, sources and the next page`() async throws {
        try await withWeb(daemon: { call in
            if call.method == "search" { call.result(FakeCall.found) } else { call.answerBasics() }
        }) { web throws in
            let page = try web.get("/search?q=%EA%B3%A0%EC%96%91%EC%9D%B4&categories=blog", asUser)
            #expect(page.status == 200)
            #expect(page.field("Content-Type") == "text/html; charset=utf-8")
            let link = "<a href=\"https://one.example/a;p?x=1#f\" rel=\"noreferrer\"><bdi>첫 <mark>고양이</mark></bdi></a>"
            #expect(page.body.contains(link))
            #expect(page.body.contains("<time datetime=\"2024-03-09\">"))
            #expect(page.body.contains("title=\"answered 503\""))
            #expect(
                page.body.contains("href=\"/search?q=%EA%B3%A0%EC%96%91%EC%9D%B4&amp;categories=blog&amp;cursor=NEXT\"")
            )
            #expect(page.body.contains("<option value=\"blog\" selected>"))
            #expect(page.body.components(of: "aria-pressed=\"true\"") == 1)
            #expect(page.body.contains("href=\"/search?q=%EB%82%B4%20%EA%B2%80%EC%83%89\""))
        }
    }

    @Test(arguments: [
        ("ko-KR,ko;q=0.9,en;q=0.8", "ko"), ("en-US,en;q=0.9,ko;q=0.8", "en"), ("fr, ko;q=0.5", "ko"), ("fr", "en"),
        ("*", "en"),
    ])
    func `the page is in the language that Accept-Language prefers`(_ header: String, _ language: String) async throws {
        try await withWeb { web throws in
            let page = try web.get("/", "Accept-Language: \(header)").body
            #expect(page.contains("<html lang=\"\(language)\">"))
            #expect(page.contains(language == "ko" ? ">검색</button>" : ">Search</button>"))
        }
    }

    @Test(arguments: [
        ("en", "The list has no hits this far down."), ("ko", "목록을 이렇게 뒤까지 볼 수는 없습니다."),
    ])
    func `an error is in the language of the page, without names of parameters`(
        _ language: String,
        _ text: String
    ) async throws {
        try await withWeb(daemon: { call in
            if call.method == "page/get" { return call.error("unavailable", "no name", ",\"hint\":\"Try later.\"") }
            guard call.method == "search" else { return call.answerBasics() }
            switch call.params["query"]?.string {
            case "order": call.error("invalidParams", "params.sort: unknown order", ",\"path\":\"params.sort\"")
            case "key": call.error("unauthorized", "a.b answered 401", ",\"source\":\"a.b\"")
            default: call.error("invalidParams", "params.offset: too far", ",\"path\":\"params.offset\"")
            }
        }) { web throws in
            let header = "Accept-Language: \(language)"
            #expect(try web.get("/search?q=x&pageno=9", header).body.contains(">\(text)</span>"))
            #expect(try web.get("/stream?q=x", header).body.contains(text))
            let refused = try web.get("/search?q=key", header).body
            #expect(refused.contains(language == "ko" ? ">a.b: 키 거부됨<" : ">a.b answered 401<"))
            let filter = try web.get("/search?q=x+since:soon", header).body
            #expect(filter.contains(language == "ko" ? "날짜를 2024-03-09처럼" : "since: takes a date"))
            let number = try web.get("/search?q=x&pageno=0", header).body
            #expect(number.contains(language == "ko" ? ">페이지 번호는 1 이상" : ">pageno must be a number above 0<"))
            let order = try web.get("/search?q=order", header).body
            #expect(order.contains(language == "ko" ? ">잘못된 요청 (unknown order)<" : ">unknown order<"))
            let read = try web.get("/read?url=https%3A%2F%2Fa.example%2F", header, asUser).body
            let failure = "no name. Try later."
            #expect(read.contains(language == "ko" ? ">내용을 가져오지 못했습니다. (\(failure))<" : ">\(failure)<"))
        }
    }

    @Test func `every text exists in both languages`() {
        for word in Word.allCases { #expect(!word.texts.english.isEmpty && !word.texts.korean.isEmpty) }
    }

    @Test func `hits are streamed as the daemon sends them`() async throws {
        let calls = Locked<[FakeCall]>([])
        try await withWeb(daemon: { call in
            guard call.method == "search" else { return call.answerBasics() }
            calls.withLock { $0.append(call) }
            call.notify(
                "search/hits",
                #""source":"a","hits":[{"id":"a:1","source":"a","kind":"web","title":"<b>","rank":1}]"#
            )
        }) { web throws in
            let client = try RawClient(port: web.port)
            client.send("GET /stream?q=cat&channel=x HTTP/1.1\r\nHost: localhost:\(web.port)\r\n\(asUser)\r\n\r\n")
            #expect(client.receive(until: "&lt;b&gt;")?.contains("\"hits\":[{\"id\":\"a:1\"") == true)
            let call = try #require(calls.withLock { $0 }.first)
            #expect(
                call.params["stream"] == true && call.params["channel"] == "user-x" && call.params["history"] == false
            )
            call.notify(
                "search/source",
                #""source":"a","status":"failed","error":{"message":"late","data":{"kind":"timeout"}}"#
            )
            #expect(client.receive(until: "\n\r\n")?.contains("too slow") == true)
            call.result(#"{"order":["a:1"],"saved":["a:1"],"sources":[],"next":"N"}"#)
            let end = client.receive(until: "0\r\n\r\n") ?? ""
            #expect(end.contains(#""order":["a:1"],"saved":["a:1"]"#) && end.contains("cursor=N"))
        }
    }

    @Test func `if the client of a stream disconnects, its search is cancelled`() async throws {
        let methods = Locked<[String]>([])
        try await withWeb(daemon: { call in
            methods.withLock { $0.append(call.method) }
            if call.method != "search" { call.answerBasics() }
        }) { web throws in
            let client = try RawClient(port: web.port)
            client.send("GET /stream?q=cat HTTP/1.1\r\nHost: localhost:\(web.port)\r\n\r\n")
            try await eventually("a search") { methods.withLock { $0.contains("search") } }
            client.finish()
            try await eventually("a cancellation") { methods.withLock { $0.contains("$/cancelRequest") } }
        }
    }

    @Test func `forms save a hit and change its tags and note`() async throws {
        let sent = Locked<[String]>([])
        try await withWeb(daemon: { call in
            guard call.method.hasPrefix("library/") else { return call.answerBasics() }
            sent.withLock { $0.append("\(call.method) \(String(decoding: call.params.bytes, as: UTF8.self))") }
            call.result(#"{"items":[{"id":"a:1","source":"a","kind":"web","title":"t","tags":["new"]}],"revision":1}"#)
        }) { web throws in
            let origin = ["Origin: http://127.0.0.1:\(web.port)", asUser]
            let referer = origin + ["Referer: http://127.0.0.1:\(web.port)/search?q=cat"]
            let saved = try web.send("POST", "/library", referer, body: "id=a:1&do=save")
            #expect(saved.status == 303 && saved.field("Location") == "/search?q=cat")
            let foreign = origin + ["Referer: http://evil.example/x"]
            #expect(try web.send("POST", "/library", foreign, body: "id=a:1&do=remove").field("Location") == "/library")
            let form = "id=a:1&do=write&had=old+one,+same&tags=same,+%23new&note=hi&rating=4"
            let script = origin + ["X-Requested-With: XMLHttpRequest"]
            let written = try web.send("POST", "/library", script, body: form)
            #expect(
                written.body.hasPrefix("<li class=\"hit kind-web\" data-id=\"a:1\"") && written.body.contains("#new")
            )
            let removed = try web.send("POST", "/library", script, body: "id=a:1&do=remove").body
            #expect(removed.contains("aria-pressed=\"false\"") && removed.contains("data-items=\"[{&quot;id&quot;"))
            _ = try web.send("POST", "/library", script, body: "do=restore&items=%5B%7B%22id%22%3A%22a%3A1%22%7D%5D")
        }
        #expect(
            sent.withLock { $0 } == [
                #"library/save {"id":"a:1"}"#, #"library/remove {"ids":["a:1"]}"#, #"library/save {"id":"a:1"}"#,
                #"library/tag {"ids":["a:1"],"add":["new"],"remove":["old one"]}"#,
                #"library/note {"id":"a:1","note":{"text":"hi","rating":4}}"#, #"library/remove {"ids":["a:1"]}"#,
                #"library/save {"items":[{"id":"a:1"}]}"#,
            ]
        )
    }

    @Test func `the library lists items with tags and notes`() async throws {
        let params = Locked<JSONValue>(.null)
        try await withWeb(daemon: { call in
            guard call.method == "library/list" else { return call.answerBasics() }
            params.withLock { $0 = call.params }
            let note = #"[{"id":"n","text":"<i>","rating":4}]"#
            call.result(
                #"{"items":[{"id":"a:1","source":"a","kind":"web","title":"t","tags":["x"],"notes":\#(note)}],"total":7,"next":"N"}"#
            )
        }) { web throws in
            let page = try web.get("/library?q=t&tags=x&sort=rating", asUser).body
            #expect(page.contains("★★★★ <bdi>&lt;i&gt;</bdi>") && page.contains("href=\"/library?tags=x\""))
            #expect(page.contains("href=\"/library?q=t&amp;sort=rating&amp;tags=x&amp;cursor=N\""))
        }
        let expected: JSONValue = ["query": "t", "sort": "rating", "tags": ["x"], "limit": 50]
        #expect(params.withLock { $0 } == expected)
    }

    @Test func `a killed daemon is reported, and the next search uses a new daemon`() async throws {
        try await withWeb { web throws in
            #expect(try web.get("/").status == 200)
            web.daemon.stop()
            let lost = try web.get("/search?q=cat")
            #expect(lost.status == 503 && lost.field("Refresh") == "5")
            #expect(lost.body.contains(">searchd is not running. Start it with “searchctl restart”.<"))
            let json = try web.get("/search?q=cat&format=json")
            #expect(json.status == 503 && json.body.hasPrefix("searchd is not running."))
            #expect(try web.get("/stream?q=cat").body.contains("\"code\":\"noDaemon\""))
            let daemon = try FakeDaemon(at: web.socket) { call in
                if call.method == "search" { call.result(FakeCall.found) } else { call.answerBasics() }
            }
            #expect(try web.get("/search?q=cat").status == 200)
            daemon.stop()
        }
    }

    @Test func `if the daemon closes the connection, the stream has the error connectionLost`() async throws {
        try await withWeb(daemon: { call in
            guard call.method == "search" else { return call.answerBasics() }
            shutdownBoth(call.descriptor)
        }) { web throws in
            let body = try web.get("/stream?q=cat").body
            #expect(body.contains(#""code":"connectionLost""#))
        }
    }

    @Test func `page, style and script together have less than 60 KiB`() {
        let sizes = [PackageResources.page_html, PackageResources.page_css, PackageResources.page_js].map(\.count)
        #expect(sizes.reduce(0, +) < 60 << 10)
    }
}
