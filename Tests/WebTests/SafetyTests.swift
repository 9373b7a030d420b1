import Client
import EventLoop
import JSON
import TestSupport
import Testing

@testable import Web

@Suite struct SafetyTests {
    @Test func `only requests for a host name of this server are answered`() async throws {
        try await withWeb(hosts: ["host.docker.internal"]) { web throws in
            for host in [
                "127.0.0.1:\(web.port)", "localhost:\(web.port)", "[::1]:\(web.port)", "LOCALHOST:\(web.port)",
            ] {
                #expect(try web.get("/healthz", "Host: \(host)").status == 200)
            }
            for host in ["host.docker.internal", "host.docker.internal:3000"] {
                #expect(try web.get("/healthz", "Host: \(host)").status == 200)
            }
            for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:\(web.port)", "[::1]", ""]
            {
                #expect(try web.get("/healthz", "Host: \(host)").status == 421)
            }
            #expect(try web.get("http://evil.example/healthz").status == 421)
            #expect(try web.get("http://localhost:\(web.port)/healthz", "Host: evil.example").status == 200)
        }
    }

    @Test func `a POST from a page of another site is refused and changes nothing`() async throws {
        let changes = Locked(0)
        try await withWeb(daemon: { call in
            guard call.method == "library/save" else { return call.answerBasics() }
            changes.withLock { $0 += 1 }
            call.result(#"{"items":[{"id":"a:1","title":"x"}]}"#)
        }) { web throws in
            func post(_ fields: String...) throws -> Int {
                try web.send(
                    "POST",
                    "/library",
                    fields + ["Cookie: searchd_token=\(testToken)"],
                    body: "do=save&id=a:1"
                ).status
            }
            for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "http://localhost:\(web.port)"] {
                #expect(try post("Origin: \(origin)") == 403)
            }
            #expect(try post("Sec-Fetch-Site: cross-site") == 403)
            #expect(try post("Sec-Fetch-Site: same-site") == 403)
            #expect(changes.withLock { $0 } == 0)
            #expect(try post("Origin: http://127.0.0.1:\(web.port)", "Sec-Fetch-Site: same-origin") == 303)
            #expect(changes.withLock { $0 } == 1)
        }
    }

    @Test func `the token is accepted as a cookie, as Bearer and as X-API-Key, and nowhere else`() async throws {
        try await withWeb(daemon: { call in
            guard call.method == "library/list" else { return call.answerBasics() }
            call.result(#"{"items":[],"total":0,"revision":1,"next":null}"#)
        }) { web throws in
            for field in [asUser, "X-API-Key: \(testToken)", "Cookie: a=b; searchd_token=\(testToken)"] {
                #expect(try web.get("/library", field).status == 200)
            }
            let wrong = [
                "Authorization: Bearer \(testToken)0", "Authorization: Basic \(testToken)",
                "X-API-Key: \(testToken.dropLast())",
                "Cookie: token=\(testToken)", "Accept: x",
            ]
            for field in wrong { #expect(try web.get("/library", field).status == 403) }
            // If another site makes the browser send a request, the token in the request is not accepted.
            #expect(try web.get("/library", asUser, "Sec-Fetch-Site: cross-site").status == 403)
        }
        try await withWeb(token: nil) { web throws in #expect(try web.get("/library", asUser).status == 403) }
    }

    @Test func `a token in an address is stored in a cookie and removed from the address`() async throws {
        try await withWeb { web throws in
            let answer = try web.get("/search?token=\(testToken)&q=a%26b")
            #expect(answer.status == 303)
            #expect(answer.field("Location") == "/search?q=a%26b")
            #expect(answer.field("Set-Cookie") == "searchd_token=\(testToken); Path=/; HttpOnly; SameSite=Strict")
            #expect(try web.get("//evil.example?token=\(testToken)").field("Location") == "/evil.example")
            let wrong = try web.get("/?token=wrong")
            #expect(wrong.status == 403 && wrong.body.contains("The token in the address is wrong."))
            #expect(wrong.field("Set-Cookie") == nil)
        }
    }

    @Test(arguments: ["short", "with a blank in the token", "semicolon;semicolon;semicolon"])
    func `a token that is too short or does not fit into a cookie is refused`(_ text: String) {
        #expect(Token(text) == nil)
    }

    @Test func `without the token, no personal data is used`() async throws {
        let asked = Locked<[FakeCall]>([])
        try await withWeb(daemon: { call in
            asked.withLock { $0.append(call) }
            if call.method == "search" { call.result(FakeCall.found) } else { call.answerBasics() }
        }) { web throws in
            #expect(try web.get("/search?q=cat&format=json").json["corrections"] == [])
            for query in ["engines=library", "categories=mine", "categories=own", "engines=library&categories=@mine"] {
                _ = try web.get("/search?q=cat&format=json&\(query)")
            }
            let page = try web.get("/search?q=cat").body
            #expect(!page.contains("내 검색") && !page.contains("aria-pressed") && !page.contains("name=\"do\""))
            let stream = try web.get("/stream?q=cat").body
            #expect(!stream.contains("saved") && !stream.contains("내 검색"))
            #expect(try web.get("/autocompleter?q=cat").json[1] == [])
            #expect(try web.get("/library").status == 403)
            #expect(try web.send("POST", "/library", body: "do=save&id=a:1").status == 403)
            #expect(!(try web.get("/config").body.contains("library")))
        }
        for call in asked.withLock({ $0 }) {
            #expect(["server/hello", "source/list", "search"].contains(call.method))
            guard call.method == "search" else { continue }
            #expect(call.params["history"] == false)
            #expect(call.params["sources"]?.array?.contains("library") == false)
            #expect(call.params["sources"]?.array?.contains("@mine") == false)
        }
    }

    @Test func `pictures are fetched only with the token or a signature`() async throws {
        try await withWeb(daemon: { call in
            switch call.method {
            case "search": call.result(FakeCall.found)
            case "image/get": call.result(#"{"type":"image/png","data":"iVBORw==","bytes":4,"cache":"hit"}"#)
            default: call.answerBasics()
            }
        }) { web throws in
            let page = try web.get("/search?q=cat").body
            let start = try #require(page.firstRange(of: "src=\"/image?"))
            let target = "/image?" + page[start.upperBound...].prefix { $0 != "\"" }.replacing("&amp;", with: "&")
            let picture = try web.get(target)
            #expect(picture.status == 200)
            #expect(picture.field("Content-Type") == "image/png")
            #expect(try web.get("/image?url=https%3A%2F%2Fother.example%2F").status == 403)
            #expect(try web.get("/image?url=https%3A%2F%2Fother.example%2F&sig=0123456789abcdef").status == 403)
            #expect(try web.get(target.replacing("one.example", with: "two.example")).status == 403)
            #expect(try web.get("/image?url=https%3A%2F%2Fother.example%2F", asUser).status == 200)
        }
    }

    @Test func `a page is read only with the token or a signature, and its text runs no script`() async throws {
        let html = """
            <title>골목의 고양이</title><p>고양이는 <a href="javascript:x">창가</a>에 앉아 <a href="/d">거리</a>를 본다. \u{202E}\
            &lt;script&gt;x&lt;/script&gt; 손님이 와도 움직이지 않는다.</p><ol><li>첫째 고양이는 창가에 앉는다.</ol>
            """
        let data = String(decoding: Base64.text(of: Array(html.utf8)), as: UTF8.self)
        try await withWeb(daemon: { call in
            switch call.method {
            case "search": call.result(FakeCall.found)
            case "page/get":
                call.result(
                    #"{"url":"https://one.example/a","type":"text/html","data":"\#(data)","bytes":1,"cache":"miss","age":0}"#
                )
            default: call.answerBasics()
            }
        }) { web throws in
            let page = try web.get("/search?q=cat").body
            let start = try #require(page.firstRange(of: "href=\"/read?"))
            let target = "/read?" + page[start.upperBound...].prefix { $0 != "\"" }.replacing("&amp;", with: "&")
            let read = try web.get(target)
            #expect(read.status == 200)
            let link = "<a href=\"https://one.example/d\" rel=\"noreferrer\">거리</a>"
            #expect(read.body.contains("<p>고양이는 창가에 앉아 \(link)를 본다. &lt;script&gt;x&lt;/script&gt; 손님이"))
            #expect(read.body.contains("<ul><li class=\"number\" value=\"1\">첫째 고양이는 창가에 앉는다.</li>"))
            #expect(try web.get("/read?url=https%3A%2F%2Fone.example%2F").status == 403)
            #expect(try web.get(target.replacing("one.example", with: "two.example")).status == 403)
            #expect(try web.get("/read?url=https%3A%2F%2Fother.example%2F", asUser).status == 200)
        }
    }

    @Test func `a picture of a type that can run scripts is refused`() async throws {
        try await withWeb(daemon: { call in
            guard call.method == "image/get" else { return call.answerBasics() }
            call.result(#"{"type":"image/svg+xml","data":"PHN2Zz4=","bytes":4,"cache":"hit"}"#)
        }) { web throws in #expect(try web.get("/image?url=https%3A%2F%2Fone.example%2F", asUser).status == 502) }
    }

    @Test func `every response forbids inline scripts, frames and sniffing`() async throws {
        try await withWeb { web throws in
            for target in ["/", "/page.js", "/search?format=json", "/missing", "/library"] {
                let answer = try web.get(target)
                #expect(
                    answer.field("Content-Security-Policy")?.hasPrefix("default-src 'self'; object-src 'none'") == true
                )
                #expect(answer.field("X-Content-Type-Options") == "nosniff")
                #expect(answer.field("X-Frame-Options") == "DENY")
                #expect(answer.field("Referrer-Policy") == "same-origin")
            }
            let page = try web.get("/").body
            #expect(!page.contains("<script>") && !page.contains("style=") && !page.contains("onclick"))
            #expect(!page.contains("http://") && !page.contains("https://"))
        }
    }

    @Test func `hostile titles and addresses are shown as text`() async throws {
        let long = String(repeating: "가", count: 350_000)
        let hits = """
            {"hits":[{"id":"\\"><script>1","source":"<b>","kind":"x\\" onload=\\"1","title":"<script>alert(1)</script>",\
            "snippet":"a\\u202Eb\\u0000c","url":"javascript:alert(1)","rank":1},\
            {"id":"2","source":"a","kind":"web","title":"\(long)","url":"https://one.example/\\"onmouseover=1","rank":2},\
            {"id":"3","source":"a","kind":"web","title":"t","url":"data:text/html,x","thumbnail":"javascript:1","rank":3}],\
            "sources":[],"next":null}
            """
        try await withWeb(daemon: { call in
            if call.method == "search" { call.result(hits) } else { call.answerBasics() }
        }) { web throws in
            for fields in [[], [asUser]] {
                let page = try web.send("GET", "/search?q=%22%3E%3Cscript%3E", fields).body
                #expect(page.components(of: "<script") == 1)
                #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
                #expect(page.contains("<bdi>abc</bdi>"))
                #expect(
                    !page.contains("href=\"javascript") && !page.contains("href=\"data")
                        && !page.contains("src=\"javascript")
                )
                #expect(!page.contains("\"onmouseover") && !page.contains("\" onload"))
                #expect(page.utf8.count < 40_000)
            }
        }
    }

    @Test func `hidden characters are removed, but the positions of highlighted ranges count them`() {
        #expect(Visible.marked("고\u{202E}양이", [0..<1, 2..<3]).text == "<mark>고</mark><mark>양</mark>이")
        #expect(Visible.marked("abc", [1..<9]).text == "a<mark>bc</mark>")
        #expect(Visible.text("abcdef", scalarsMax: 3) == "abc…")
    }

    @Test(arguments: [
        ("https://one.example/", true), ("HTTP://one.example", true), ("https://", false),
        ("ftp://one.example/", false),
        ("https://one.example/ x", false), ("https://one.example/\u{202E}", true), ("//one.example", false),
    ])
    func `only web addresses are links`(_ address: String, _ isLink: Bool) {
        #expect(Visible.isLink(address) == isLink)
    }
}

extension String {
    func components(of text: String) -> Int { ranges(of: text).count }
}
