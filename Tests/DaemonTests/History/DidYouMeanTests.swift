import JSON
import RPC
import TestSupport
import Testing

@testable import Daemon

@Suite struct DidYouMeanTests {
    typealias Library = LibraryMethodTests

    private static func meant(
        _ client: TestClient,
        _ query: String,
        in source: String,
        _ more: [JSONMember] = []
    ) throws -> [String]? {
        let members =
            [JSONMember("query", .string(query)), JSONMember("sources", [.string(source)])] + more
            + (source == "kakao.blog" ? [JSONMember("offline", true)] : [])
        let result = try Library.result(client, .search, .object(members))
        #expect(result["hits"]?.array?.isEmpty ?? (result["order"] == []))
        return result["didYouMean"]?.array?.compactMap(\.string)
    }

    @Test func `if a query in the wrong keyboard layout has no hits, the corrected query is suggested`() async throws {
        try await Library.withLibrary { _, client in
            func meant(_ query: String, _ more: JSONMember...) throws -> [String]? {
                try Self.meant(client, query, in: "kakao.blog", more)
            }
            let first = try meant("dkssud")
            #expect(first == ["안녕"])
            #expect(try meant("dkssud") == first)
            #expect(try meant("ㅗ디ㅣㅐ", JSONMember("stream", true)) == ["hello"])
            #expect(try meant("rhdiddl tkfy", JSONMember("private", true)) == ["고양이 사료"])
            #expect(try meant("재깅") == ["world"])
            for query in ["고양이", "hello", "ㅋㅋㅋ"] { #expect(try meant(query) == nil, "\(query)") }
            #expect(try meant("dkssud", JSONMember("offset", 10)) == nil)
        }
    }

    @Test func `if a query has no hits, similar titles are suggested, and similar queries that have hits`() async throws
    {
        try await Library.withLibrary { daemon, client in
            _ = try Self.meant(client, "고야이", in: "library")
            daemon.advance(by: .seconds(1))
            _ = try HistoryMethodTests.search(client, "고양이")
            daemon.advance(by: .seconds(1))
            _ = try Library.result(client, .librarySave, ["hit": Library.hit("1", title: "바다의 노래")])
            for source in ["kakao.blog", "seen"] {
                try await eventually("a suggestion") {
                    try Self.meant(client, "고얌이", in: source)?.first == "고양이"
                }
                #expect(try Self.meant(client, "바더의", in: source) == ["바다의 노래"])
                #expect(try Self.meant(client, "바더의 노리개", in: source) == nil)
            }
        }
    }
}
