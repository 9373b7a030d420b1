import JSON
import TestSupport
import Testing

/// Answers past their time, over the wire, from a sandbox whose faults are real answers.
@Suite struct StaleTests {
    private static func params(_ query: String, _ more: String = "") -> String {
        "{\"query\":\"\(query)\",\"sources\":[\"kakao.blog\"]\(more)}"
    }

    private static func entry(_ answer: JSONValue) -> JSONValue? { answer.source("kakao.blog") }

    @Test func `past its time an answer is given at once and a newer one fetched behind it`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let line = Self.params("고양이")
            for _ in 0..<4 { _ = try client.call("search", line) }
            let calls = await daemon.requests()
            daemon.advance(by: .seconds(601))
            let stale = Self.entry(try client.call("search", line))
            #expect(stale?["cache"] == "stale")
            #expect((stale?["age"]?.double ?? 0) >= 601)
            try await daemon.waitForRequests(calls + 1)
            try await eventually("a fresh answer") {
                let entry = Self.entry(try client.call("search", line))
                return entry?["cache"] == "hit" && (entry?["age"]?.double ?? 1000) < 600
            }
            #expect(await daemon.requests() == calls + 1)
        }
    }
}
