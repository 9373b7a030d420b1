import JSON
import Personal
import RPC
import TestSupport
import Testing

@testable import Daemon

/// `history/*` over the socket.
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

    @Test func `a search is listed once it stood for a second, with how often and where`() async throws {
        try await Library.withLibrary { daemon, client in
            _ = try Self.search(client, "고양이")
            #expect(try Self.list(client) == [])
            daemon.advance(by: .seconds(1))
            #expect(try Self.list(client) == ["고양이 1"])
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

    @Test func `repeated searches are counted by the second, whatever way they are answered`() async throws {
        try await Library.withLibrary { daemon, client in
            func repeated() throws -> Int { try daemon.stats(client)["answers"]?["repeated"]?.int ?? -1 }
            for _ in 0..<3 { _ = try Self.search(client, "고양이") }
            let before = try repeated()
            for round in 1...3 {
                for _ in 0..<5 { _ = try Self.search(client, "고양이") }
                daemon.advance(by: .seconds(1))
                #expect(try Self.list(client) == ["고양이 \(round)"])
            }
            #expect(try repeated() == before + 15)
        }
    }

    @Test func `half-typed words are not listed, on a channel and without one`() async throws {
        try await Library.withLibrary { daemon, client in
            for query in ["고", "고야", "고양", "고양이"] {
                _ = try Self.search(client, query, [JSONMember("channel", "typing"), JSONMember("debounce", 0)])
            }
            for query in ["s", "sw", "swift"] { _ = try Self.search(daemon.connect(), query) }
            _ = try Self.search(client, "고양ㅇ")
            daemon.advance(by: .seconds(1))
            #expect(try Self.list(client) == ["swift 1", "고양이 1"])
        }
    }

    @Test func `a lookup, saving and the next page make a search count at once`() async throws {
        try await Library.withLibrary { daemon, client in
            let id = try #require(try Self.search(client, "고양이")["hits"]?[0]?["id"])
            #expect(try Self.list(client) == [])
            _ = try Library.result(client, .lookup, ["id": id])
            #expect(try Self.list(client) == ["고양이 1"])
            let saved = try #require(try Self.search(client, "강아지")["hits"]?[0]?["id"])
            _ = try Library.result(client, .librarySave, ["id": saved])
            #expect(try Self.list(client) == ["강아지 1", "고양이 1"])
            let next = try #require(try Self.search(client, "바다")["next"])
            _ = try Self.search(daemon.connect(), "바다", [JSONMember("cursor", next)])
            #expect(try Self.list(client) == ["바다 1", "강아지 1", "고양이 1"])
            _ = try Self.search(client, "말")
            _ = try Library.result(client, .lookup, ["id": id, "private": true])
            _ = try Library.result(daemon.connect(), .lookup, ["id": id])
            #expect(try Self.list(client).count == 3)
        }
    }

    @Test func `a private search and one without history leave nothing, in no file`() async throws {
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

    static func holds(_ text: String, below path: String) -> Bool {
        let text = Array(text.utf8)
        return TemporaryDirectory.files(below: path).contains { _, bytes in
            bytes.indices.contains { bytes[$0] == text[0] && bytes[$0...].starts(with: text) }
        }
    }

    @Test func `what is cleared is in no file any more, also what does not count yet`() async throws {
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

    @Test func `pages of the cache that are the user's alone go with it`() async throws {
        try await Library.withLibrary { daemon, client in
            func entries() throws -> Int? { try client.call("cache/stats")["result"]?["entries"]?.int }
            let before = try #require(try entries())
            _ = try Self.search(client, "처음낱말")
            _ = try Self.search(client, "다음낱말")
            #expect(try entries() == before + 2)
            _ = try Library.result(client, .historyClear, ["query": "처음낱말"])
            #expect(try entries() == before + 1)
            let calls = await daemon.requests()
            _ = try Self.search(client, "처음낱말")
            #expect(await daemon.requests() == calls + 1)
            _ = try Library.result(client, .historyClear, [:])
            #expect(try entries() == 0)
        }
    }

    @Test(arguments: ["{}", #"{"query":"느린낱말"}"#, #"{"since":"2020-01-01"}"#])
    func `a search that is under way when the history is cleared leaves nothing either`(_ params: String) async throws {
        try await Library.withLibrary { daemon, client in
            await daemon.delay(500, source: "kakao.blog")
            let before = await daemon.requests()
            let slow = try client.ask("search", #"{"query":"느린낱말","sources":["kakao.blog"]}"#)
            try await eventually("the call") { await daemon.requests() > before }
            _ = try daemon.connect().call("history/clear", params)
            #expect(try !client.answer(to: slow).hitIDs.isEmpty)
            let seen = #"{"query":"느린낱말","sources":["seen"]}"#
            #expect(try client.call("search", seen).hitIDs == [])
            let cached = #"{"query":"느린낱말","sources":["kakao.blog"],"offline":true,"history":false}"#
            try await eventually("the page is removed") { try client.call("search", cached).hitIDs.isEmpty }
            #expect(!Self.holds("느린낱말", below: daemon.directory.file("personal")))
        }
    }

    @Test func `what was searched within the second of an instant is cleared since then, too`() async throws {
        try await Library.withLibrary { daemon, client in
            _ = try Self.search(client, "고양이")
            daemon.advance(by: .seconds(1))
            let at = try #require(try Library.result(client, .historyList, [:])["entries"]?[0]?["at"]?.string)
            let later = at.replacing(try Regex("\\.[0-9]+Z$"), with: ".999Z")
            #expect(try Library.result(client, .historyClear, ["since": .string(later)]) == ["removed": 1])
        }
    }

    @Test(arguments: [
        (#"{"query":"고양이","since":"2024-01-01"}"#, "params.since"), (#"{"query":"  "}"#, "params.query"),
        (#"{"since":"gestern"}"#, "params.since"),
    ])
    func `what can't be cleared is refused`(_ params: String, _ path: String) async throws {
        try await Library.withLibrary { _, client in
            let answer = try client.call("history/clear", params)
            #expect(answer.errorKind == "invalidParams")
            #expect(answer["error"]?["data"]?["path"]?.string == path)
        }
    }

    @Test func `the configuration switches it off, at once after a reload`() async throws {
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

    @Test func `what counts is kept when the daemon ends`() async throws {
        let directory = TemporaryDirectory()
        try await withDaemon {
            $0.personalDirectory = directory.path
        } _: { daemon in
            let client = try daemon.connect()
            _ = try Self.search(client, "고양이")
            daemon.advance(by: .seconds(1))
        }
        #expect(Self.holds("고양이", below: directory.path))
    }
}
