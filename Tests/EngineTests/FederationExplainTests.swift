import Catalogue
import EventLoop
import JSON
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

struct FederationExplainTests {
    private func story(_ answer: SearchAnswer, of source: String? = nil) throws -> [String] {
        var writer = JSONWriter()
        TraceEvent.write(try #require(answer.trace), since: answer.startedAt, to: &writer)
        return try story(writer.bytes, of: source)
    }

    private func story(_ text: [UInt8], of source: String? = nil) throws -> [String] {
        let steps = try JSONDocument(text).root.value.array ?? []
        let times = steps.compactMap { $0["at"]?.double }
        #expect(times.count == steps.count && times == times.sorted())
        return steps.filter { source == nil || $0["source"]?.string == source }.map { step in
            (step.members ?? []).filter { $0.name != "source" }
                .map { member -> String in
                    var writer = JSONWriter()
                    writer.value(member.value)
                    return member.value.string ?? String(decoding: writer.bytes, as: UTF8.self)
                }
                .joined(separator: " ")
        }
    }

    @Test func `a trace is returned only on request`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            let answer = try await world.search(request()).get()
            let cached = try #require(try await world.cachedAnswer(request()))
            #expect(answer.trace == nil && cached.trace == nil)
        }
    }

    @Test func `a trace shows whether a page came from the cache or its source`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            _ = try await world.search(request()).get()
            try await world.sleep(.seconds(2))
            var request = request(offset: 9, limit: 2)
            request.explain = true
            let answer = try await world.search(request).get()
            #expect(
                try story(answer) == [
                    "0.0 plan 1 relevance 9 11 10000.0", "0.0 cacheHit 0 10 2", "0.0 cacheMiss 1", "0.0 sent 1",
                    "50.0 answered 1 200 1000 50.0", "50.0 received 1 10",
                    #"50.0 merged a.one:9 10 0.14 {"rank":0.14} {"a.one":10}"#,
                    #"50.0 merged a.one:10 11 0.1312 {"rank":0.1312} {"a.one":11}"#,
                ]
            )
            let cached = try #require(try await world.cachedAnswer(request))
            #expect(
                try story(cached).prefix(3).map { $0.split(separator: " ")[1] } == ["plan", "cacheHit", "cacheHit"]
            )
        }
    }

    @Test func `a trace has every wait, every attempt and the parts of every score`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in
                let isSlow = key.source.text == "b.two"
                let addresses = isSlow ? ["p", "q"] : ["r", "p"]
                var answer = ScriptedFetcher.Answer.page(
                    Page(
                        hits: addresses.enumerated().map { hit(key.source.text, $0, url: "https://x.example/\($1)") },
                        isEnd: true
                    )
                )
                if key.source.text == "c.three" { return .failure(.unavailable, after: .milliseconds(5)) }
                if isSlow {
                    answer.events = [
                        (.queued(.rateLimit, wait: .milliseconds(800)), .milliseconds(800)),
                        (.breaker(.halfOpen), .zero),
                        (.retrying(attempt: 2, wait: .milliseconds(20)), .milliseconds(20)),
                    ]
                }
                return answer
            }
            let missing = profile("d.four", unavailable: SearchError(.notConfigured, "no key"))
            var request = request([profile("a.one"), profile("b.two", weight: 2), profile("c.three"), missing])
            request.explain = true
            let answer = try await world.search(request).get()
            #expect(try story(answer, of: "d.four") == ["0.0 excluded notConfigured"])
            #expect(
                try story(answer, of: "c.three") == [
                    "0.0 cacheMiss 0", "0.0 sent 0", "5.0 failed unavailable the script says so",
                ]
            )
            #expect(
                try story(answer, of: "b.two") == [
                    "0.0 cacheMiss 0", "0.0 queued 0 rateLimit 800.0", "800.0 breaker 0 halfOpen",
                    "800.0 retrying 0 2 20.0", "820.0 sent 0", "870.0 answered 0 200 200 50.0", "870.0 received 0 2",
                    // The first hit is also a hit of a.one. The weight of b.two is 2.
                    #"870.0 merged b.two:0 1 0.9857 {"rank":0.35,"weight":0.55,"found":0.0857} {"b.two":1,"a.one":2}"#,
                    #"870.0 merged b.two:1 2 0.83 {"rank":0.3,"weight":0.55,"variety":-0.02} {"b.two":2}"#,
                ]
            )
            let last = try #require(try story(answer, of: "a.one").last)
            #expect(last == #"870.0 merged a.one:0 3 0.35 {"rank":0.35} {"a.one":1}"#)
        }
    }

    @Test func `the error of a failed search has the trace on request`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in
                .failure(.unavailable, after: .milliseconds(key.source.text == "a.one" ? 5 : 20))
            }
            var request = request([profile("a.one"), profile("b.two")])
            request.maxAge = .zero
            let plain = try #require(await world.search(request).failure)
            #expect(plain.trace == nil)
            request.explain = true
            let explained = try #require(await world.search(request).failure)
            #expect(
                try story(try #require(explained.trace)) == [
                    "0.0 plan 2 relevance 0 10 10000.0", "0.0 cacheSkipped 0", "0.0 sent 0", "0.0 cacheSkipped 0",
                    "0.0 sent 0", "5.0 failed unavailable the script says so",
                    "20.0 failed unavailable the script says so",
                ]
            )
            var writer = JSONWriter()
            MessageWriter.error(explained, to: &writer)
            let data = try #require(try JSONDocument(writer.bytes).root.value["data"])
            #expect(data["kind"] == "unavailable")
            #expect(data["trace"]?.array?.count == 7)
        }
    }

    @Test func `a stream reports each wait at once, and the status of each source at the end`() throws {
        try virtually { loop, _ in
            let world = World(on: loop) { key, _ in
                var answer = ScriptedFetcher.Answer.page(page(key.source.text, 0..<3, isEnd: true))
                if key.source.text == "b.two" {
                    answer.events = [
                        (.queued(.rateLimit, wait: .microseconds(799_500)), .milliseconds(800)),
                        (.retrying(attempt: 2, wait: .milliseconds(50)), .milliseconds(50)),
                    ]
                }
                return answer
            }
            let recorder = StreamRecorder(on: loop)
            _ = try await world.search(request([profile("a.one"), profile("b.two")]), observer: recorder).get()
            #expect(
                recorder.notifications.map(\.at) == [0, 50, 800, 900, 900, 900].map { at(.milliseconds($0)) }
            )
            let sources = recorder.notifications.map(\.source.text)
            #expect(sources == ["b.two", "a.one", "b.two", "b.two", "a.one", "b.two"])
            #expect(recorder.notices == [.queued(.rateLimit, wait: .microseconds(799_500)), .retrying(attempt: 2)])
            #expect(recorder.reports.map(\.text) == ["a.one", "b.two"])
            let alone = StreamRecorder(on: loop)
            var again = request([profile("b.two")])
            again.maxAge = .zero
            _ = try await world.search(again, observer: alone).get()
            #expect(alone.notices.count == 2 && alone.hits.count == 3)
        }
    }

    @Test func `a wait notification has the documented members`() throws {
        func written(_ notice: WaitNotice) throws -> JSONValue {
            var writer = JSONWriter()
            writer.object { notice.write(of: sourceName("a.one"), to: &$0) }
            return try JSONDocument(writer.bytes).root.value
        }
        #expect(
            try written(.queued(.rateLimit, wait: .microseconds(799_500)))
                == ["source": "a.one", "status": "queued", "reason": "rateLimit", "wait": 800]
        )
        #expect(try written(.retrying(attempt: 2)) == ["source": "a.one", "status": "retrying", "attempt": 2])
    }
}
