import HTTP
import JSON
import Testing

@testable import Sandbox

@Suite struct FaultTests {
    let target = "/v2/search/blog?query=cat"

    func asker(_ name: String, share: Double = 1, times: Int? = nil, change: (inout FaultRule) -> Void = { _ in })
        -> Asker
    {
        var rule = FaultRule(source: "kakao.blog", name: name, share: share, times: times)
        change(&rule)
        var options = SandboxOptions()
        options.faults = [rule]
        return .kakao(options: options)
    }

    @Test func `faults of delivery leave the answer as it is`() {
        var plain = Asker.kakao()
        let body = plain.get(target).body
        let manners: [(String, SandboxDelivery.Manner)] = [
            ("hang", .hang), ("stall", .stall(after: body.count / 2)), ("cut", .cut(after: body.count / 2)),
            ("refuse", .refuse), ("drip", .drip(bytes: 64, pause: .milliseconds(50))),
            ("longLength", .claim(length: body.count + 100)), ("shortLength", .claim(length: body.count / 2)),
        ]
        for (name, manner) in manners {
            var asker = asker(name)
            let answer = asker.answer(target)
            #expect(answer.delivery.manner == manner, "\(name)")
            #expect(answer.response.body == body)
        }
        var slow = asker("delay") { $0.milliseconds = 250 }
        #expect(slow.answer(target).delivery == SandboxDelivery(delay: .milliseconds(250)))
    }

    @Test func `faults of content break the body`() {
        var malformed = asker("malformedJSON")
        #expect(malformed.get(target).json == .null)
        #expect(malformed.get(target).status == 200)
        var html = asker("html")
        #expect(html.get(target).fields["Content-Type"]?.hasPrefix("text/html") == true)
        #expect(html.get(target).text.contains("<html>"))
        var empty = asker("emptyBody")
        #expect(empty.get(target).body.isEmpty)
        var huge = asker("hugeBody") { $0.bytes = 100_000 }
        #expect(huge.get(target).body.count == 100_000)
        var padded = asker("padded") { $0.bytes = 100_000 }
        #expect(padded.get(target).body.count == 100_000 && padded.get(target).body.starts(with: "{".utf8))
        var status = asker("status") {
            $0.status = 502
            $0.retryAfter = 7
        }
        #expect(status.get(target).status == 502)
        #expect(status.get(target).fields["Retry-After"] == "7")
    }

    @Test func `pictures are counted, and have faults of their own`() {
        var asker = asker("delay") { $0.source = "sandbox.picture" }
        let picture = asker.answer("/_sandbox/image/abc-10x10.png")
        #expect(picture.response.body.starts(with: [0x89, 0x50, 0x4E, 0x47]) && picture.delivery.delay == .seconds(1))
        #expect(asker.answer(target).delivery.delay == .zero)
        #expect(asker.responder.counts.requests(to: "sandbox.picture") == 1)
    }

    @Test func `a redirect leads to the same answer, or to itself`() {
        var asker = asker("redirect")
        asker.responder.options.base = "http://sandbox.example"
        let response = asker.get(target)
        #expect(response.status == 302)
        let location = response.fields["Location"] ?? ""
        #expect(location == "http://sandbox.example/_sandbox/moved\(target)")
        var plain = Asker.kakao()
        plain.responder.options.base = "http://sandbox.example"
        #expect(asker.get(String(location.dropFirst("http://sandbox.example".count))) == plain.get(target))

        var loop = self.asker("redirectLoop")
        let first = loop.get(target).fields["Location"] ?? ""
        #expect(first.hasSuffix("/_sandbox/loop"))
        #expect(loop.get("/_sandbox/loop").fields["Location"] == first)
    }

    @Test func `a share of a half fails about half of the requests, and the same ones each time`() {
        func statuses() -> [Int] {
            var asker = asker("throttled", share: 0.5)
            return (0..<1_000).map { _ in asker.get(target).status }
        }
        let first = statuses()
        #expect((400...600).contains(first.count { $0 == 429 }))
        #expect(first == statuses())
    }

    @Test func `a rule ends after its times, and a changed list begins anew`() {
        var asker = asker("throttled", times: 2)
        #expect((0..<4).map { _ in asker.get(target).status } == [429, 429, 200, 200])
        asker.responder.options.faults.append(FaultRule(source: "naver.*", name: "rate"))
        #expect(asker.get(target).status == 429)
    }

    @Test func `a rule covers its source, all that begin so, or everything`() {
        #expect(FaultRule(source: "kakao.blog", name: "hang").covers("kakao.blog"))
        #expect(!FaultRule(source: "kakao.blog", name: "hang").covers("kakao.book"))
        #expect(FaultRule(source: "kakao.*", name: "hang").covers("kakao.book"))
        #expect(!FaultRule(source: "kakao.*", name: "hang").covers("naver.blog"))
        #expect(FaultRule(source: "*", name: "hang").covers("naver.blog"))
    }

    @Test func `several faults at once add up`() {
        var asker = asker("maintenance")
        asker.responder.options.faults.append(FaultRule(source: "*", name: "delay"))
        let answer = asker.answer(target)
        #expect(answer.response.status == 503)
        #expect(answer.delivery.delay == .seconds(1))
        #expect(asker.responder.counts.byFault == ["maintenance": 1, "delay": 1])
    }

    @Test func `one failure in so many comes from Google on its own`() {
        var options = SandboxOptions()
        options.quirks.googleFails1In = 4
        options.limits = .none
        var asker = Asker(options: options)
        let key = options.keys.google[0]
        let statuses = (0..<400).map { _ in asker.get("/books/v1/volumes?q=cat&country=KR&key=\(key)").status }
        #expect((60...140).contains(statuses.count { $0 == 503 }))
        #expect(statuses.allSatisfy { $0 == 200 || $0 == 503 })
    }

    @Test func `a 403 of the store has no body and no retry time`() {
        var options = SandboxOptions()
        options.faults = [FaultRule(source: "itunes.*", name: "rateLimited")]
        var asker = Asker(options: options)
        let response = asker.get("/search?term=cat")
        #expect(response.body.isEmpty)
        #expect(response.fields["Retry-After"] == nil)
        #expect(response.fields["Cache-Control"]?.contains("no-store") == true)
    }
}
