import Glibc
import JSON
import RPC
import Sandbox
import SearchModel
import Testing

@testable import Daemon

@Suite struct LookupTests {
    private static let sources = ["google.books", "itunes.app", "wikipedia.ko"]

    private func withKeys(_ body: (DaemonFixture, TestClient) async throws -> Void) async throws {
        try await withDaemon {
            $0.hasAllKeys = true
        } _: { daemon in
            try await body(daemon, daemon.connect())
        }
    }

    private func hit(
        of source: String,
        _ client: TestClient,
        _ query: String = "고양이 사료"
    ) throws -> JSONValue {
        let params: JSONValue = ["query": .string(query), "sources": [.string(source)], "limit": 1]
        let answer = try client.call("search", String(decoding: params.bytes, as: UTF8.self))
        return try #require(answer["result"]?["hits"]?[0], "\(source)")
    }

    private func lookup(_ params: JSONValue, _ client: TestClient) throws -> JSONValue {
        try client.call("search/lookup", String(decoding: params.bytes, as: UTF8.self))
    }

    private func result(_ params: JSONValue, _ client: TestClient) throws -> JSONValue {
        let answer = try lookup(params, client)
        return try #require(answer["result"], "\(answer)")
    }

    @Test(arguments: sources) func `a hit can be looked up by its id, or by its source and key`(source: String)
        async throws
    {
        try await withKeys { _, client in
            let hit = try hit(of: source, client)
            let id = try #require(hit["id"]?.string)
            let found = try result(["id": .string(id)], client)
            #expect(found["full"] == true && found["saved"] == false && found["cache"] == "miss")
            #expect(found["error"] == nil)
            let record = try #require(found["hit"])
            for member in ["id", "source", "kind", "title", "url"] {
                #expect(record[member] == hit[member], "\(member)")
            }
            #expect(record["rank"] == 1 && record["raw"] == nil)
            let key = String(id.dropFirst(source.utf8.count + 1))
            let again = try result(["source": .string(source), "key": .string(key), "raw": true], client)
            #expect(again["cache"] == "hit" && again["hit"]?["raw"]?.members?.isEmpty == false)
            #expect(again["age"]?.double.map { $0 < 30 } == true)
        }
    }

    @Test func `if a source has no lookups, the cached hit is returned without a request`() async throws {
        try await withKeys { daemon, client in
            let hit = try hit(of: "kakao.blog", client)
            let before = await daemon.requests()
            let found = try result(["id": try #require(hit["id"])], client)
            #expect(found["full"] == false && found["cache"] == "hit" && found["hit"] == hit)
            let error = try lookup(["source": "kakao.blog", "key": "x"], client)
            #expect(error.errorKind == "notFound" && error.hint == "Search for the item again.")
            #expect(await daemon.requests() == before)
        }
    }

    @Test func `an unknown id is not found`() async throws {
        try await withKeys { daemon, client in
            let before = await daemon.sandbox.counts.requests(to: "google.books")
            for id in [
                "", "x", "google.books", "google.books:", "google.books:a/b", "google.books:..", "no.such:1", "a:b",
            ] {
                let answer = try lookup(["id": .string(id)], client)
                #expect(answer.errorKind == "notFound", "\(id)")
                #expect(answer.hint?.isEmpty == false, "\(id)")
            }
            #expect(await daemon.sandbox.counts.requests(to: "google.books") == before)
        }
    }

    private static let wrong = [
        (#"{}"#, "params.id"), (#"{"source":"google.books"}"#, "params.key"), (#"{"key":"x"}"#, "params.source"),
        (#"{"id":"a.b:1","source":"google.books","key":"x"}"#, "params.id"),
        (#"{"id":"a.b:1","key":"x"}"#, "params.id"),
        (#"{"id":5}"#, "params.id"), (#"{"source":"google.*","key":"x"}"#, "params.source"),
        (#"{"source":"google.books","key":""}"#, "params.key"),
        (#"{"source":"google.books","key":".."}"#, "params.key"),
        (#"{"source":"google.books","key":" "}"#, "params.key"), (#"{"id":"a.b:1","limit":1}"#, "params.limit"),
        (#"{"id":"a.b:1","timeout":0}"#, "params.timeout"), (#"{"id":"a.b:1","maxAge":-1}"#, "params.maxAge"),
        (#"{"id":"a.b:1","priority":"urgent"}"#, "params.priority"), (#"{"id":"a.b:1","raw":1}"#, "params.raw"),
    ]

    @Test func `an invalid parameter is refused with its path`() async throws {
        try await withKeys { _, client in
            for (params, path) in Self.wrong {
                let answer = try client.call("search/lookup", params)
                #expect(answer.errorKind == "invalidParams" && answer.errorPath == path, "\(params): \(answer)")
                #expect(answer.hint?.isEmpty == false)
            }
        }
    }

    @Test func `a lookup in a source without an API key is an error`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let error = try lookup(["id": "google.books:zyTCAlFPjgYC"], client)
            #expect(error.errorKind == "notConfigured")
            #expect(error.hint?.contains("searchctl keys set google") == true)
        }
    }

    @Test func `an uncached item is found in the history or the library, and can be saved`()
        async throws
    {
        try await withDaemon {
            $0.keepsPersonalData = true
        } _: { daemon in
            let client = try daemon.connect()
            let query = #"{"query":"고양이","sources":["kakao.blog"],"limit":2}"#
            let hits = try #require(try client.call("search", query)["result"]?["hits"]?.array)
            let id = try #require(hits[0]["id"])
            let elsewhere: JSONValue = ["id": "gone.source:1", "source": "gone.source", "kind": "blog", "title": "x"]
            _ = try LibraryMethodTests.result(client, .librarySave, ["hit": elsewhere])
            // The daemon writes the results of the search before it answers this request.
            _ = try HistoryMethodTests.list(client)
            _ = try client.call("cache/clear")
            for offline in [true, false] {
                let found = try result(["id": id, "offline": .bool(offline)], client)
                #expect(found["full"] == false && found["cache"]?.string == (offline ? "offline" : "stale"))
                #expect(found["hit"]?["title"] == hits[0]["title"])
            }
            let saved = try result(["id": "gone.source:1"], client)
            #expect(saved["full"] == false && saved["saved"] == true && saved["hit"]?["title"] == "x")
            #expect(try lookup(["id": "gone.source:2"], client).errorKind == "notFound")
            _ = try LibraryMethodTests.result(client, .librarySave, ["id": id])
            #expect(try result(["id": id], client)["saved"] == true)
            _ = try client.call("history/clear", "{}")
            #expect(try lookup(["id": try #require(hits[1]["id"])], client).errorKind == "notFound")
        }
    }
}
