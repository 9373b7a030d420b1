import JSON
import RPC
import Testing

@testable import Daemon

@Suite struct SavedMarkTests {
    private static let search = #"{"query":"고양이","sources":["kakao.blog"],"limit":5}"#

    private static func saved(_ answer: JSONValue) -> [String] {
        answer["result"]?["saved"]?.array?.compactMap(\.string) ?? []
    }

    @Test func `saved hits are marked at once in whole, streamed and cached answers`()
        async throws
    {
        try await LibraryMethodTests.withLibrary { daemon, client in
            let ids = try client.call("search", Self.search).hitIDs
            for _ in 0..<3 { #expect(try client.call("search", Self.search)["result"]?["saved"] == nil) }
            _ = try LibraryMethodTests.result(client, .librarySave, ["items": [.string(ids[2]), .string(ids[0])]])
            for _ in 0..<3 { #expect(try Self.saved(client.call("search", Self.search)) == [ids[0], ids[2]]) }
            #expect(try Self.saved(daemon.connect().call("search", Self.search)) == [ids[0], ids[2]])
            let streamed = try client.call("search", String(Self.search.dropLast()) + #","stream":true}"#)
            #expect(Self.saved(streamed) == [ids[0], ids[2]])
            let other = try client.call("search", String(Self.search.dropLast()) + #","maxAge":0}"#)
            #expect(Self.saved(other) == [ids[0], ids[2]])
            _ = try LibraryMethodTests.result(client, .libraryRemove, ["ids": [.string(ids[0])]])
            for _ in 0..<3 { #expect(try Self.saved(client.call("search", Self.search)) == [ids[2]]) }
            _ = try LibraryMethodTests.result(client, .libraryRemove, ["ids": [.string(ids[2])]])
            for _ in 0..<3 { #expect(try client.call("search", Self.search)["result"]?["saved"] == nil) }
        }
    }
}
