import JSON
import Personal
import RPC
import TestSupport
import Testing

@testable import Daemon

@Suite struct SuggestMethodTests {
    typealias Library = LibraryMethodTests
    typealias History = HistoryMethodTests

    static func suggest(_ client: TestClient, _ prefix: String, limit: Int = 8) throws -> [JSONValue] {
        let params: JSONValue = ["prefix": .string(prefix), "limit": .number(JSONNumber(limit))]
        return try Library.result(client, .suggest, params)["suggestions"]?.array ?? []
    }

    static func texts(_ client: TestClient, _ prefix: String, _ kind: String) throws -> [String] {
        try suggest(client, prefix, limit: 100).filter { $0["kind"]?.string == kind }.compactMap { $0["text"]?.string }
    }

    @Test func `an answered search is suggested at once, in every spelling`() async throws {
        try await Library.withLibrary { daemon, client in
            #expect(try Self.suggest(client, "고") == [])
            _ = try History.search(client, "고양이")
            for prefix in ["고", "고야", "고양ㅇ", "ㄱㅇㅇ", "고ㅇㅇ", "rhdid", "\u{1100}\u{1169}"] {
                #expect(try Self.texts(client, prefix, "history") == ["고양이"], "\(prefix)")
            }
            daemon.advance(by: .seconds(1))
            // When the ping is answered, the timer that writes the history has fired.
            _ = try client.call("server/ping")
            _ = try History.search(client, "고양이")
            let first = try #require(try Self.suggest(client, "고양이").first)
            #expect(first["text"] == "고양이" && first["kind"] == "history" && first["count"] == 2)
            #expect(first["at"]?.string != nil && first.members?.count == 4)
        }
    }

    @Test func `titles of results and of saved items are suggested without a call`() async throws {
        try await Library.withLibrary { daemon, client in
            #expect(try Self.suggest(client, "") == [])
            let hits = try History.search(client, "고양이")["hits"]?.array ?? []
            let title = try #require(hits[0]["title"]?.string)
            let calls = await daemon.requests()
            daemon.advance(by: .seconds(1))
            try await eventually("titles") { try !Self.texts(client, "", "title").isEmpty }
            #expect(try Self.texts(client, title, "title") == [title])
            _ = try Library.result(client, .librarySave, ["hit": Library.hit("1", title: "처음 보는 책")])
            try await eventually("the saved title") { try Self.texts(client, "ㅊㅇ ㅂㄴ", "saved") == ["처음 보는 책"] }
            _ = try Library.result(client, .libraryRemove, ["ids": ["kakao.book:1"]])
            try await eventually("the removal") { try Self.texts(client, "ㅊㅇ ㅂㄴ", "saved") == [] }
            #expect(await daemon.requests() == calls)
        }
    }
}
