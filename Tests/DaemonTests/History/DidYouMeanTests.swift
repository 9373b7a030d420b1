import JSON
import RPC
import TestSupport
import Testing

@testable import Daemon

/// `didYouMean` in the answers of searches that find nothing.
@Suite struct DidYouMeanTests {
    typealias Library = LibraryMethodTests

    private static func meant(_ client: TestClient, _ query: String, _ more: [JSONMember] = []) throws -> [String]? {
        let members = [JSONMember("query", .string(query)), JSONMember("sources", ["library"])] + more
        let result = try Library.result(client, .search, .object(members))
        #expect(result["hits"]?.array?.isEmpty ?? (result["order"] == []))
        return result["didYouMean"]?.array?.compactMap(\.string)
    }

    @Test func `has the query in the other layout always, whatever is known`() async throws {
        try await Library.withLibrary { _, client in
            let first = try Self.meant(client, "dkssud")
            #expect(first == ["안녕"])
            #expect(try Self.meant(client, "dkssud") == first)
            #expect(try Self.meant(client, "ㅗ디ㅣㅐ", [JSONMember("stream", true)]) == ["hello"])
            #expect(try Self.meant(client, "rhdiddl tkfy", [JSONMember("private", true)]) == ["고양이 사료"])
            #expect(try Self.meant(client, "재깅", [JSONMember("offline", true)]) == ["world"])
            for query in ["고양이", "hello", "ㅋㅋㅋ"] { #expect(try Self.meant(client, query) == nil, "\(query)") }
            #expect(try Self.meant(client, "dkssud", [JSONMember("offset", 10)]) == nil)
        }
    }

    @Test func `has what would have found something here, and no query that found nothing`() async throws {
        try await Library.withLibrary { daemon, client in
            _ = try Self.meant(client, "고야이")
            daemon.advance(by: .seconds(1))
            _ = try HistoryMethodTests.search(client, "고양이")
            daemon.advance(by: .seconds(1))
            _ = try Library.result(client, .librarySave, ["hit": Library.hit("1", title: "바다의 노래")])
            try await eventually("what was brought") { try Self.meant(client, "고얌이")?.first == "고양이" }
            #expect(try Self.meant(client, "바더의") == ["바다의 노래"])
            #expect(try Self.meant(client, "바더의 노리개") == nil)
        }
    }
}
