import JSON
import RPC
import TestSupport
import Testing

@testable import Daemon

@Suite struct OwnSourcesTests {
    typealias Library = LibraryMethodTests

    private static func search(_ client: TestClient, _ query: String, _ more: [JSONMember]) throws -> JSONValue {
        try Library.call(client, .search, .object([JSONMember("query", .string(query))] + more))
    }

    private static let seen = JSONMember("sources", ["seen"])

    @Test func `earlier hits are found in every spelling, without a call to a source`() async throws {
        try await Library.withLibrary { daemon, client in
            let ids = try client.call("search", #"{"query":"고양이","sources":["kakao.blog"],"limit":5}"#).hitIDs
            let calls = await daemon.requests()
            for words in ["고양이", "ㄱㅇㅇ", "rhdiddl"] {
                let answer = try Self.search(client, words, [Self.seen, JSONMember("offline", true)])
                #expect(Set(answer.hitIDs) == Set(ids), "\(words)")
                let hit = answer["result"]?["hits"]?[0]
                #expect(hit?["source"] == "kakao.blog" && hit?["alsoFrom"] == ["seen"])
                #expect(hit?["extra"]?["fetchedAt"]?.string != nil)
                #expect(answer["result"]?["sources"]?[0]?["cache"] == "offline")
            }
            let streamed = try Self.search(client, "고양이", [Self.seen, JSONMember("stream", true)])
            let order = (streamed["result"]?["order"]?.array ?? []).compactMap(\.string)
            #expect(Set(order) == Set(ids))
            #expect(await daemon.requests() == calls)
        }
    }

    @Test func `the source “seen” has the hits of recorded searches until the history is cleared`() async throws {
        try await Library.withLibrary { daemon, client in
            for more in [JSONMember("private", true), JSONMember("history", false)] {
                _ = try Self.search(client, "고양이", [JSONMember("sources", ["kakao.blog"]), more])
            }
            #expect(try Self.search(client, "고양이", [Self.seen]).hitIDs == [])
            let query = [JSONMember("sources", ["kakao.blog"])]
            for _ in 0..<3 { _ = try Self.search(client, "고양이", query) }
            #expect(try Self.search(client, "고양이", [Self.seen]).hitIDs.count == 10)
            _ = try Library.result(client, .historyClear, [:])
            #expect(try Self.search(client, "고양이", [Self.seen]).hitIDs == [])
            _ = try Self.search(client, "고양이", query)
            #expect(try Self.search(client, "고양이", [Self.seen]).hitIDs.count == 10)
        }
    }

    @Test func `if the library and another source find the same hit, the hit is listed once`() async throws {
        try await Library.withLibrary { _, client in
            let ids = try client.call("search", #"{"query":"고양이","sources":["kakao.blog"],"limit":5}"#).hitIDs
            _ = try Library.result(client, .librarySave, ["id": .string(ids[3])])
            let alone = try Self.search(client, "고양이", [JSONMember("sources", ["library"])])
            #expect(alone.hitIDs == [ids[3]])
            #expect(alone["result"]?["saved"] == [.string(ids[3])])
            let both = try Self.search(client, "고양이", [JSONMember("sources", ["library", "kakao.blog"])])
            #expect(both.hitIDs.count == 10 && Set(both.hitIDs).count == 10)
            let hits = both["result"]?["hits"]?.array ?? []
            #expect(hits.first { $0["id"]?.string == ids[3] }?["alsoFrom"] == ["library"])
            #expect(both["result"]?["sources"]?.array?.compactMap { $0["source"] } == ["library", "kakao.blog"])
        }
    }

    @Test func `if user data is stored, “library” and “seen” are listed, and profiles can use both`() async throws {
        try await withDaemon { daemon in
            let sources = try daemon.connect().call("source/list")["result"]?["sources"]?.array ?? []
            #expect(!sources.contains { $0["local"] == true })
        }
        try await withDaemon {
            $0.keepsPersonalData = true
            $0.members = #"profiles: { "@mine": ["seen"], "@both": ["kakao.blog", "library", "@mine"] },"#
        } _: { daemon in
            let client = try daemon.connect()
            let sources = try client.call("source/list")["result"]?["sources"]?.array ?? []
            let local = sources.filter { $0["local"] == true }
            #expect(local.map { $0["source"] } == ["library", "seen"])
            #expect(local.allSatisfy { $0["enabled"] == true })
            func asked(_ more: [JSONMember]) throws -> [JSONValue?] {
                let answer = try Self.search(client, "고양이", more)
                return (answer["result"]?["sources"]?.array ?? []).map { $0["source"] }
            }
            #expect(try asked([JSONMember("sources", ["@both"])]) == ["kakao.blog", "library", "seen"])
            #expect(try asked([JSONMember("sources", ["@mine"])]) == ["seen"])
        }
    }
}
