import EventLoop
import Glibc
import HTTP
import JSON
import Testing

@testable import Sandbox

/// Faults, the control paths, and HTTP over real sockets.
@Suite struct ServerTests {
    static let blog = "/v2/search/blog?query=cat&size=1"

    private func asker(_ name: String, _ change: (inout FaultRule) -> Void = { _ in }) -> Asker {
        var rule = FaultRule(source: "kakao.blog", name: name)
        change(&rule)
        return Asker { $0.faults = [rule] }
    }

    @Test func `general faults change how an answer travels, or its body`() {
        var asker = asker("delay") { $0.milliseconds = 5 }
        let usual = asker.get(Self.blog).body
        #expect(asker.answer(Self.blog).delay == .milliseconds(5))
        let manners: [(String, HTTPAnswer.Manner)] = [
            ("hang", .hang), ("refuse", .refuse), ("cut", .cut(after: usual.count / 2)),
            ("stall", .stall(after: usual.count / 2)), ("longLength", .claim(length: usual.count + 100)),
            ("shortLength", .claim(length: usual.count / 2)), ("drip", .drip(bytes: 64, pause: .milliseconds(50))),
        ]
        for (name, manner) in manners {
            asker = self.asker(name)
            #expect(asker.answer(Self.blog).manner == manner)
            #expect(asker.responder.counts.byFault == [name: 1])
        }
        asker = self.asker("malformedJSON")
        #expect(asker.json(Self.blog) == .null)
        asker = self.asker("redirect")
        let moved = asker.get(Self.blog).fields["Location"] ?? ""
        #expect(asker.get(String(moved.dropFirst("http://127.0.0.1".count))).body == usual)
        asker = self.asker("echo")
        #expect(asker.get(Self.blog).text.contains(SandboxKeys().kakao[0]))
    }

    @Test func `a row of the error table comes as often as its rule says, and is counted`() {
        var asker = Asker {
            var rule = FaultRule(source: "kakao.*", name: "maintenance", times: 2)
            rule.retryAfter = 7
            $0.faults = [rule]
        }
        let answers = (0..<3).map { _ in asker.get(Self.blog) }
        #expect(answers.map(\.status) == [503, 503, 200] && answers[0].fields["Retry-After"] == "7")
        let counts: JSONValue = [
            "requests": 3, "sources": ["kakao.blog": ["200": 1, "503": 2]], "faults": ["maintenance": 2],
        ]
        #expect(asker.json("/_sandbox/counts") == counts)
        #expect(asker.answer("/_sandbox/reset", method: "POST").response.json["requests"] == 0)
        let rule = FaultRule(source: "*", name: "status", share: 0.3)
        asker.responder.options.faults = [rule]
        let failed = (0..<400).count { _ in asker.get(Self.blog).status == 500 }
        #expect((80...160).contains(failed))
    }

    @Test func `every error of every API can be called for, and is written without gaps`() {
        for api in API.all {
            for name in api.errors.keys.sorted() {
                var asker = Asker { $0.faults = [FaultRule(source: "*", name: name)] }
                let path = "/\(api.name)\(api.prefixes[0])"
                let answer = asker.get(path.hasSuffix("/") ? path + "x" : path)
                #expect(answer.status == api.errors[name]?.status && !answer.text.contains("{a}"), "\(name)")
                #expect(FaultRule.names(for: "\(api.sourcePrefix).x").contains(name))
            }
        }
    }

    @Test func `options are changed by JSON and by arguments; what is unknown is named`() throws {
        var asker = Asker()
        func post(_ body: String) -> HTTPResponse {
            asker.answer("/_sandbox/options", method: "POST", body: body).response
        }
        #expect(post(#"{"limits":{"naverPerDay":5},"quirks":{"arrivalCalls":3}}"#).status == 200)
        #expect(asker.responder.options.limits.naverPerDay == 5 && asker.responder.options.quirks.arrivalCalls == 3)
        for wrong in [
            "[]", "{", #"{"x":1}"#, #"{"limits":{"x":1}}"#, #"{"quirks":{"totalsDrift":1}}"#, #"{"faults":[{}]}"#,
        ] {
            #expect(post(wrong).status == 400 && post(wrong).json["error"]?.string?.isEmpty == false, "\(wrong)")
        }
        var options = SandboxOptions()
        try options.apply(asker.json("/_sandbox/options"))
        #expect(options == asker.responder.options)
        let arguments = try SandboxArguments([
            "--port", "80", "--limit", "itunesPerMinute=2", "--quirk", "googleOverlaps=false", "--fault",
            "kakao.blog:cut:0.5,times=2,bytes=10", "--hub-key", "a:b",
        ])
        #expect(arguments.port == 80 && arguments.options.limits.itunesPerMinute == 2)
        #expect(arguments.options.quirks.googleOverlaps == false && arguments.options.faults[0].bytes == 10)
        #expect(arguments.options.keys.naverHub[0].secret == "b")
        #expect(throws: OptionsProblem.self) { try SandboxArguments(["--fault", "kakao.blog:none"]) }
        #expect(throws: OptionsProblem("--port takes a value")) { try SandboxArguments(["--port"]) }
    }

    @Test func `picture URLs of answers lead to PNG files of their size`() throws {
        var asker = Asker()
        let image = try #require(asker.json("/v2/search/image?query=cat&size=1")["documents"]?[0])
        for member in ["image_url", "thumbnail_url"] {
            let url = image[member]?.string ?? ""
            let picture = asker.get(String(url.dropFirst("http://127.0.0.1".count)))
            #expect(
                picture.fields["Content-Type"] == "image/png" && picture.body.starts(with: [0x89, 0x50, 0x4E, 0x47])
            )
        }
        #expect(asker.get("/_sandbox/thumb/R9x9.q85/?fname=x").status == 403)
    }

    // MARK: HTTP

    private func request(_ target: String, method: String = "GET", _ more: String = "") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: x\r\nAuthorization: KakaoAK \(SandboxKeys().kakao[0])\r\n\(more)\r\n"
    }

    /// Runs a body with a server on a loop with its own thread.
    private func withServer(connectionsMax: Int = 100, _ body: (SandboxServer) async throws -> Void) async throws {
        let loop = try EventLoop()
        let thread = try loop.startThread(named: "sandbox")
        let server = try await SandboxServer.start(on: loop, connectionsMax: connectionsMax)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(server)) } catch { outcome = .failure(error) }
        await server.stop()
        loop.stop()
        thread.join()
        try outcome.get()
    }

    @Test func `requests on one connection are answered in order, a HEAD without a body`() async throws {
        try await withServer { server in
            let visitor = try Visitor(port: server.port)
            for letter in request(Self.blog, method: "HEAD") { visitor.send(String(letter)) }
            for _ in 0..<500 { visitor.send(request(Self.blog)) }
            visitor.finish()
            let text = try #require(visitor.receive())
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.ranges(of: "HTTP/1.1 200 OK\r\n").count == 501)
            #expect(text.ranges(of: #"{"documents""#).count == 500)
            #expect(await server.counts.requests(to: "kakao.blog", status: 200) == 501)
        }
    }

    @Test(arguments: [
        ("HELLO\r\n\r\n", "HTTP/1.1 400 "), ("GET / HTTP/2.0\r\n\r\n", "HTTP/1.1 505 "),
        ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: HTTPRequestParser.headBytesMax))", "HTTP/1.1 431 "),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 501 "),
        ("POST / HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n", "HTTP/1.1 413 "),
        ("\u{16}\u{3}\u{1}", "\u{15}\u{3}\u{1}"),
    ])
    func `what is not valid HTTP gets its status, and TLS an alert`(text: String, start: String) async throws {
        try await withServer { server in
            let visitor = try Visitor(port: server.port)
            visitor.send(text)
            #expect(visitor.receive()?.hasPrefix(start) == true)
        }
    }

    @Test func `a client that hangs does not hold up others, and one connection too many waits`() async throws {
        try await withServer(connectionsMax: 2) { server in
            await server.change {
                $0.faults = [
                    FaultRule(source: "kakao.blog", name: "hang"), FaultRule(source: "kakao.cafe", name: "cut"),
                ]
            }
            let hanging = try Visitor(port: server.port)
            hanging.send(request(Self.blog))
            let cut = try Visitor(port: server.port)
            cut.send(request("/v2/search/cafe?query=zxqvkjw"))
            let third = try Visitor(port: server.port)
            third.send(request("/v2/search/web?query=zxqvkjw"))
            #expect(cut.receive()?.hasSuffix(#"{"documents":[],"meta":{"is_end":true"#) == true)
            #expect(third.receive(until: #""total_count":0}}"#) != nil)
            hanging.finish()
            #expect(hanging.receive() == "")
        }
    }
}
