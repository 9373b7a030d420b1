import JSON
import Personal
import RPC
import TestSupport
import Testing

@testable import Daemon

@Suite struct HistoryMethodTests {
    typealias Library = LibraryMethodTests

    static func search(_ client: TestClient, _ query: String, _ more: [JSONMember] = []) throws -> JSONValue {
        let members = [JSONMember("query", .string(query)), JSONMember("sources", ["kakao.blog"])] + more
        return try Library.result(client, .search, .object(members))
    }

    static func list(_ client: TestClient, _ params: JSONValue = [:]) throws -> [String] {
        let entries = try Library.result(client, .historyList, params)["entries"]?.array ?? []
        return entries.compactMap { entry in entry["query"]?.string.map { "\($0) \(entry["count"]?.int ?? 0)" } }
    }

    @Test func `an answered search is listed at once, with its count and sources`() async throws {
        try await Library.withLibrary { daemon, client in
            _ = try Self.search(client, "고양이")
            #expect(try Self.list(client) == ["고양이 1"])
            daemon.advance(by: .seconds(1))
            _ = try Self.search(client, "강아지")
            _ = try Self.search(client, "고양이")
            daemon.advance(by: .seconds(1))
            #expect(try Self.list(client) == ["고양이 2", "강아지 1"])
            let entry = try Library.result(client, .historyList, ["limit": 1])["entries"]?[0]
            #expect(entry?["sources"] == ["kakao.blog"])
            let before = try #require(entry?["at"]?.string)
            #expect(try Self.list(client, ["before": .string(before)]) == ["강아지 1"])
            #expect(try Self.list(client, ["prefix": "ㄱㅇㅈ"]) == ["강아지 1"])
            #expect(try Self.list(client, ["prefix": "말"]) == [])
            #expect(try Self.list(client, ["prefix": " "]) == ["고양이 2", "강아지 1"])
        }
    }

    @Test func `if a search selects sources by kind, the history does not record the sources`() async throws {
        try await Library.withLibrary { _, client in
            _ = try Library.result(client, .search, ["query": "고양이", "kinds": ["blog"]])
            let entry = try Library.result(client, .historyList, [:])["entries"]?[0]
            #expect(entry?["query"] == "고양이" && entry?["sources"]?.array?.isEmpty != false)
        }
    }

    @Test func `a search that is private, or has “history” false, leaves no trace in files`() async throws {
        try await Library.withLibrary { daemon, client in
            _ = try Self.search(client, "고양이")
            _ = try Self.search(client, "비밀스러운낱말", [JSONMember("private", true)])
            for _ in 0..<3 { _ = try Self.search(client, "숨은낱말", [JSONMember("history", false)]) }
            daemon.advance(by: .seconds(1))
            #expect(try Self.list(client) == ["고양이 1"])
            #expect(Self.holds("고양이", below: daemon.directory.path))
            #expect(!Self.holds("비밀스러운낱말", below: daemon.directory.path))
            #expect(!Self.holds("숨은낱말", below: daemon.directory.path))
        }
    }

    @Test func `a search on a channel is recorded only if “history” is true, and recording costs no call`() async throws
    {
        try await Library.withLibrary { daemon, client in
            let channel = JSONMember("channel", "typing")
            for query in ["고", "고양", "고양이"] { _ = try Self.search(client, query, [channel]) }
            #expect(try Self.list(client) == [])
            let calls = await daemon.requests()
            _ = try Self.search(client, "고양이", [channel, JSONMember("history", true)])
            #expect(try Self.list(client) == ["고양이 1"])
            #expect(await daemon.requests() == calls)
        }
    }

    static func holds(_ text: String, below path: String) -> Bool {
        let text = Array(text.utf8)
        return TemporaryDirectory.files(below: path).contains { _, bytes in
            bytes.indices.contains { bytes[$0] == text[0] && bytes[$0...].starts(with: text) }
        }
    }

    @Test func `cleared searches are removed from all files`() async throws {
        try await Library.withLibrary { daemon, client in
            _ = try Self.search(client, "처음낱말")
            _ = try Self.search(client, "다음낱말")
            daemon.advance(by: .seconds(1))
            #expect(try Self.list(client).count == 2)
            _ = try Self.search(client, "처음낱말")
            #expect(try Library.result(client, .historyClear, ["query": " 처음낱말 "]) == ["removed": 1])
            daemon.advance(by: .seconds(1))
            #expect(try Self.list(client) == ["다음낱말 1"])
            #expect(!Self.holds("처음낱말", below: daemon.directory.file("personal")))
            #expect(try Library.result(client, .historyClear, ["since": "2999-01-01"]) == ["removed": 0])
            #expect(try Library.result(client, .historyClear, ["since": "2020-01-01"]) == ["removed": 1])
            _ = try Self.search(client, "셋째낱말")
            daemon.advance(by: .seconds(1))
            #expect(try Self.list(client) == ["셋째낱말 1"])
            #expect(try Library.result(client, .historyClear, [:]) == ["removed": 1])
            #expect(try Self.list(client) == [])
            #expect(!Self.holds("낱말", below: daemon.directory.file("personal")))
        }
    }

    @Test(arguments: ["{}"])
    func `if the history is cleared during a search, the search is not recorded`(_ params: String) async throws {
        try await Library.withLibrary { daemon, client in
            await daemon.delay(500, source: "kakao.blog")
            let before = await daemon.requests()
            let slow = try client.ask("search", #"{"query":"느린낱말","sources":["kakao.blog"]}"#)
            try await eventually("the call") { await daemon.requests() > before }
            _ = try daemon.connect().call("history/clear", params)
            #expect(try !client.answer(to: slow).hitIDs.isEmpty)
            let seen = #"{"query":"느린낱말","sources":["seen"],"history":false}"#
            #expect(try client.call("search", seen).hitIDs == [])
            #expect(!Self.holds("느린낱말", below: daemon.directory.file("personal")))
        }
    }

    private static let wrong = [
        (#"{"query":"고양이","since":"2024-01-01"}"#, "params.since"), (#"{"query":"  "}"#, "params.query"),
        (#"{"since":"gestern"}"#, "params.since"),
    ]

    @Test func `invalid parameters of history/clear are refused`() async throws {
        try await Library.withLibrary { _, client in
            for (params, path) in Self.wrong {
                let answer = try client.call("history/clear", params)
                #expect(answer.errorKind == "invalidParams" && answer.errorPath == path)
            }
        }
    }

    @Test func `the configuration can disable the history, and a reload can enable it again`() async throws {
        try await withDaemon {
            $0.keepsPersonalData = true
            $0.members = #"history: { enabled: false },"#
        } _: { daemon in
            let client = try daemon.connect()
            for _ in 0..<3 { _ = try Self.search(client, "고양이") }
            daemon.advance(by: .seconds(1))
            #expect(try Self.list(client) == [])
            #expect(!Self.holds("고양이", below: daemon.directory.file("personal")))
            daemon.configure(members: #"history: { enabled: true, keep: "7d" },"#)
            let reloaded = try client.call("server/reload")["result"]
            #expect(reloaded?["changed"]?.array?.count == 2)
            for _ in 0..<3 { _ = try Self.search(client, "고양이") }
            daemon.advance(by: .seconds(1))
            #expect(try Self.list(client) == ["고양이 1"])
        }
    }
}
