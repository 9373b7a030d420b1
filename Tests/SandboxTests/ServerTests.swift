import HTTP
import JSON
import TestSupport
import Testing

@testable import Sandbox

@Suite struct ServerTests {
    static let blog = "/v2/search/blog?query=cat&size=1"

    private func asker(_ name: String, _ change: (inout FaultRule) -> Void = { _ in }) -> SandboxClient {
        var rule = FaultRule(source: "kakao.blog", name: name)
        change(&rule)
        return SandboxClient { $0.faults = [rule] }
    }

    @Test func `a general fault changes the body of an answer or the way the answer is sent`() {
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

    @Test func `an error occurs as often as its rule says, and is counted`() {
        var asker = SandboxClient {
            var rule = FaultRule(source: "kakao.*", name: "maintenance", times: 2)
            rule.retryAfter = 7
            $0.faults = [rule]
        }
        let answers = (0..<3).map { _ in asker.get(Self.blog) }
        #expect(answers.map(\.status) == [503, 503, 200] && answers[0].fields["Retry-After"] == "7")
        let counts: JSONValue = [
            "requests": 3, "foundURLs": 1, "sources": ["kakao.blog": ["200": 1, "503": 2]],
            "faults": ["maintenance": 2],
        ]
        #expect(asker.json("/_sandbox/counts") == counts)
        #expect(asker.answer("/_sandbox/reset", method: "POST").response.json["requests"] == 0)
        let rule = FaultRule(source: "*", name: "status", share: 0.3)
        asker.responder.options.faults = [rule]
        let failed = (0..<400).count { _ in asker.get(Self.blog).status == 500 }
        #expect((80...160).contains(failed))
    }

    @Test func `FaultRule can cause every error of every API, with all placeholders filled`() {
        for api in API.all {
            for name in api.errors.keys.sorted() {
                var asker = SandboxClient { $0.faults = [FaultRule(source: "*", name: name)] }
                let path = "/\(api.name)\(api.prefixes.first ?? "/")"
                let answer = asker.get(path.hasSuffix("/") ? path + "x" : path)
                #expect(answer.status == api.errors[name]?[1]?.int && !answer.text.contains("{a}"), "\(name)")
                #expect(FaultRule.names(for: "\(api.account).x").contains(name))
            }
        }
    }

    @Test func `options are changed by JSON and by arguments, and unknown names are reported`() throws {
        var asker = SandboxClient()
        func post(_ body: String) -> HTTPResponse {
            asker.answer("/_sandbox/options", method: "POST", body: body).response
        }
        #expect(post(#"{"limits":{"naverPerDay":5},"quirks":{"callsPerNewDocument":3}}"#).status == 200)
        #expect(
            asker.responder.options.limits.naverPerDay == 5 && asker.responder.options.quirks.callsPerNewDocument == 3
        )
        for wrong in [
            "[]", "{", #"{"x":1}"#, #"{"limits":{"x":1}}"#, #"{"quirks":{"totalsDrift":1}}"#, #"{"faults":[{}]}"#,
        ] {
            #expect(post(wrong).status == 400 && post(wrong).json["error"]?.string?.isEmpty == false, "\(wrong)")
        }
        let arguments = try SandboxArguments([
            "--port", "80", "--options",
            #"{"limits":{"itunesPerMinute":2},"keys":{"naverHub":[{"id":"a","secret":"b"}]},"#
                + #""faults":[{"source":"kakao.blog","name":"cut","bytes":10}]}"#,
        ])
        #expect(arguments.port == 80 && arguments.options.limits.itunesPerMinute == 2)
        #expect(arguments.options.faults[0].bytes == 10 && arguments.options.keys.naverHub[0].secret == "b")
        #expect(throws: OptionsProblem.self) {
            try SandboxArguments(["--options", #"{"faults":[{"source":"kakao.blog","name":"none"}]}"#])
        }
        #expect(throws: OptionsProblem("--port needs a value")) { try SandboxArguments(["--port"]) }
    }

    @Test func `the picture URLs in answers return PNG files`() throws {
        var asker = SandboxClient()
        let image = try #require(asker.json("/v2/search/image?query=cat&size=1")["documents"]?[0])
        for member in ["image_url", "thumbnail_url"] {
            let url = image[member]?.string ?? ""
            let picture = asker.get(String(url.dropFirst("http://127.0.0.1".count)))
            #expect(
                picture.fields["Content-Type"] == "image/png" && picture.body.starts(with: [0x89, 0x50, 0x4E, 0x47])
            )
        }
        #expect(asker.get("/_sandbox/image/none.png").status == 404)
    }

    @Test func `requests over a socket are answered and counted`() async throws {
        try await withLoop("sandbox") { loop in
            let server = try await SandboxServer.start(on: loop)
            let client = try RawClient(port: server.port)
            let key = "Authorization: KakaoAK \(SandboxKeys().kakao[0])"
            for _ in 0..<2 {
                client.send("GET \(Self.blog) HTTP/1.1\r\nHost: x\r\n\(key)\r\n\r\n")
                #expect(client.receive(until: "}}")?.contains(#"{"documents":[{"blogname""#) == true)
            }
            let counts = await server.counts
            #expect(counts.requests(to: "kakao.blog", status: 200) == 2)
            #expect(counts.json["foundURLs"] == 1)
            #expect(await server.options.base == "http://127.0.0.1:\(server.port)")
            await server.stop()
        }
    }
}
