import HTTP
import JSON
import Testing

@testable import Sandbox

@Suite struct OptionsTests {
    func post(_ path: String, _ body: String, _ responder: inout SandboxResponder) -> HTTPResponse {
        let request = HTTPRequest(method: "POST", url: "/_sandbox/\(path)", body: Array(body.utf8))
        return responder.respond(to: request, at: noon).response
    }

    @Test func `options go out and come in as the same JSON`() throws {
        var options = SandboxOptions()
        options.seed = 9
        options.limits.naverPerDay = nil
        options.quirks.arrivalSeconds = 4
        options.quirks.kakaoRepeatsLastPage = false
        options.keys.naver = [SandboxKeys.KeyPair(id: "i", secret: "s")]
        options.keys.naverDisabled = ["kin"]
        var rule = FaultRule(source: "kakao.*", name: "drip", share: 0.25, times: 3)
        rule.milliseconds = 5
        rule.bytes = 7
        options.faults = [rule]
        var copy = SandboxOptions()
        try copy.apply(options.json)
        #expect(copy == options)
    }

    @Test func `a post changes what it names and leaves the rest`() {
        var responder = SandboxResponder()
        let before = responder.options
        let response = post("options", #"{"quirks":{"totalsDrift":false},"limits":{"googlePerDay":5}}"#, &responder)
        #expect(response.status == 200)
        var expected = before
        expected.quirks.totalsDrift = false
        expected.limits.googlePerDay = 5
        #expect(responder.options == expected)
        _ = post("options", #"{"limits":null}"#, &responder)
        #expect(responder.options.limits == .none)
    }

    @Test(arguments: [
        "", "[]", "{", #"{"colour":1}"#, #"{"quirks":{"colour":true}}"#, #"{"quirks":{"totalsDrift":1}}"#,
        #"{"limits":{"naverPerDay":-1}}"#, #"{"limits":{"colour":1}}"#, #"{"keys":{"kakao":"x"}}"#,
        #"{"keys":{"naver":[{"id":"x"}]}}"#, #"{"faults":[{"source":"kakao.blog"}]}"#, #"{"seed":-1}"#,
        #"{"faults":[{"source":"kakao.blog","name":"nope"}]}"#, #"{"faults":{}}"#,
        #"{"faults":[{"source":"kakao.blog","name":"rate"}]}"#,
        #"{"faults":[{"source":"kakao.blog","name":"hang","share":1.5}]}"#,
    ])
    func `a wrong option is refused and changes nothing`(body: String) {
        var responder = SandboxResponder()
        let before = responder.options
        let response = post("options", body, &responder)
        #expect(response.status == 400)
        #expect(response.json["error"]?.string?.isEmpty == false)
        #expect(responder.options == before)
    }

    @Test func `counts are shown and reset, with quotas and faults`() {
        var options = SandboxOptions()
        options.limits.kakaoPerDayEach = 1
        var asker = Asker.kakao(options: options)
        _ = asker.get("/v2/search/blog?query=cat")
        _ = asker.get("/v2/search/blog?query=cat")
        let counts: JSONValue = [
            "requests": 2, "sources": ["kakao.blog": ["200": 1, "429": 1]], "faults": .object([]),
        ]
        #expect(asker.json("/_sandbox/counts") == counts)
        #expect(asker.get("/_sandbox/reset").status == 405)
        let reset = post("reset", "", &asker.responder)
        #expect(reset.status == 200)
        #expect(asker.json("/_sandbox/counts")["requests"] == 0)
        #expect(asker.get("/v2/search/blog?query=cat").status == 200)
    }

    @Test func `truth and fault names are told over HTTP`() {
        var asker = Asker()
        let truth = asker.json("/_sandbox/truth?source=kakao.blog&query=cat&sort=recency")
        let known = asker.responder.truth(of: "kakao.blog", query: "cat", sort: "recency", at: noon)
        #expect(truth["ids"]?.array?.compactMap(\.string) == known?.ids)
        #expect(truth["total"]?.int == known?.total && truth["reachable"]?.int == known?.reachable)
        #expect(asker.get("/_sandbox/truth?source=kakao.soap&query=cat").status == 400)
        #expect(asker.get("/_sandbox/truth?source=kakao.blog&query=cat&sort=size").status == 400)
        let names = asker.json("/_sandbox/faults?source=naver.blog").array?.compactMap(\.string) ?? []
        #expect(names.contains("hang") && names.contains("dailyQuota") && !names.contains("ipMismatch"))
        #expect(asker.get("/_sandbox/colour").status == 404)
        #expect(asker.get("/nowhere").status == 404)
    }

    @Test func `the command line says the same`() throws {
        let parsed = try SandboxArguments([
            "--port", "8080", "--print-port", "--seed", "7", "--unlimited", "--limit", "naverPerSecond=3", "--quirk",
            "arrivalSeconds=2", "--quirk", "googleOverlaps=false", "--drift", "off", "--fault",
            "kakao.blog:cut:0.5,times=3,bytes=10", "--kakao-key", "k", "--naver-key", "i:s:t", "--hub-key", "a:b",
            "--google-key", "g", "--options", #"{"keys":{"naverDisabled":["kin"]}}"#,
        ])
        var options = SandboxOptions()
        options.seed = 7
        options.limits = .none
        options.limits.naverPerSecond = 3
        options.quirks.arrivalSeconds = 2
        options.quirks.googleOverlaps = false
        options.quirks.totalsDrift = false
        var rule = FaultRule(source: "kakao.blog", name: "cut", share: 0.5, times: 3)
        rule.bytes = 10
        options.faults = [rule]
        options.keys.kakao = ["k"]
        options.keys.naver = [SandboxKeys.KeyPair(id: "i", secret: "s:t")]
        options.keys.naverHub = [SandboxKeys.KeyPair(id: "a", secret: "b")]
        options.keys.google = ["g"]
        options.keys.naverDisabled = ["kin"]
        #expect(parsed.options == options)
        #expect(parsed.port == 8_080 && parsed.printsPort && !parsed.wantsHelp)
        #expect(SandboxArguments.help.contains(SandboxKeys().kakao[0]))
    }

    @Test(arguments: [
        ["--colour"], ["--port"], ["--port", "70000"], ["--seed", "x"], ["--fault", "kakao.blog"],
        ["--naver-key", "x"],
        ["--fault", "kakao.blog:cut:2"], ["--fault", "kakao.blog:cut,colour=2"], ["--limit", "x"], ["--limit", "x=1"],
        ["--quirk", "totalsDrift=maybe"], ["--options", "{"],
    ])
    func `a wrong argument is refused`(arguments: [String]) {
        #expect(throws: OptionsProblem.self) { try SandboxArguments(arguments) }
    }

    @Test func `arrivals push what was there back`() {
        var options = SandboxOptions()
        options.quirks.arrivalSeconds = 10
        var asker = Asker.kakao(options: options)
        func urls() -> [String] {
            let json = asker.json("/v2/search/blog?query=cat&sort=recency")
            return (json["documents"]?.array ?? []).compactMap { $0["url"]?.string }
        }
        let before = urls()
        asker.now += 30 * second
        #expect(Array(urls().dropFirst(3)) == Array(before.dropLast(3)))
    }
}
