import Glibc
import JSON
import Sandbox
import TestSupport
import Testing

@testable import Daemon

@Suite struct PersistenceTests {
    private static let search = #"{"query":"고양이","sources":["kakao.blog"]}"#

    private func source(_ client: TestClient) throws -> JSONValue {
        try #require(try client.call("search", Self.search).source("kakao.blog"))
    }

    @Test func `a page that was cached before a restart is used, until the cache is cleared`() async throws {
        try await withProgram { program in
            let before = try source(program.connect())
            #expect(before["cache"] == "miss")
            program.searchd.signal(SIGTERM)
            #expect(try program.searchd.waitForExit() == 0)
            let next = try program.start()
            #expect(try next.readyText() == "R")
            let client = try program.connect()
            let after = try source(client)
            #expect(after["cache"] == "hit")
            // The age has a resolution of 0.1 s, so it may be 0 after a fast restart.
            #expect(after["age"]?.double ?? -1 >= 0)
            #expect(await program.sandbox.counts.requests() == 1)
            let figures = try client.call("cache/stats")["result"]?["disk"]
            #expect(figures?["hits"]?.int == 1)
            #expect(figures?["entries"]?.int == 1)
            #expect(figures?["limit"]?.int == 256 << 20)
            #expect(try client.call("cache/clear")["result"]?["removed"]?.int == 1)
            next.signal(SIGTERM)
            #expect(try next.waitForExit() == 0)
            let last = try program.start()
            #expect(try last.readyText() == "R")
            #expect(try source(program.connect())["cache"] == "miss")
            last.signal(SIGTERM)
            _ = try last.waitForExit()
        }
    }

    private func used(_ client: TestClient) throws -> Int? {
        let sources = try client.call("source/list")["result"]?["sources"]?.array
        let blog = sources?.first { $0["source"]?.string == "kakao.blog" }
        return blog?["quota"]?.array?.first { $0["name"]?.string == "kakao-day" }?["used"]?.int
    }

    @Test func `the usage of a quota is kept after a restart and after kill -9`() async throws {
        try await withProgram { program in
            let client = try program.connect()
            _ = try source(client)
            try await eventually("a counted call") { try used(client) == 1 }
            program.searchd.signal(SIGTERM)
            _ = try program.searchd.waitForExit()
            let next = try program.start()
            #expect(try next.readyText() == "R")
            let again = try program.connect()
            try await eventually("the counts of the ledger") { try used(again) == 1 }
            _ = try again.call("search", #"{"query":"강아지","sources":["kakao.blog"]}"#)
            #expect(try used(again) == 2)
            next.signal(SIGKILL)
            _ = try next.waitForExit()
            let last = try program.start()
            #expect(try last.readyText() == "R")
            let final = try program.connect()
            try await eventually("the counts of the ledger") { try used(final) == 2 }
            last.signal(SIGTERM)
            #expect(try last.waitForExit() == 0)
        }
    }
}
