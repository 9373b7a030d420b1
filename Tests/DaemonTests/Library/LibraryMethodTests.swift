import Glibc
import JSON
import Personal
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Daemon

@Suite struct LibraryMethodTests {
    static func withLibrary(_ body: (DaemonFixture, TestClient) async throws -> Void) async throws {
        try await withDaemon {
            $0.keepsPersonalData = true
        } _: { daemon in
            try await body(daemon, daemon.connect())
        }
    }

    static func hit(_ key: String, title: String = "고양이") -> JSONValue {
        [
            "id": .string("kakao.book:\(key)"), "source": "kakao.book", "kind": "book", "title": .string(title),
            "rank": 1, "url": "https://example.org/", "marks": ["title": [[0, 3]]],
        ]
    }

    static func call(_ client: TestClient, _ method: MethodName, _ params: JSONValue) throws -> JSONValue {
        try client.call(method.rawValue, String(decoding: params.bytes, as: UTF8.self))
    }

    static func result(_ client: TestClient, _ method: MethodName, _ params: JSONValue) throws -> JSONValue {
        let answer = try call(client, method, params)
        return try #require(answer["result"], "\(answer)")
    }

    private static func ids(_ result: JSONValue?) -> [String] {
        (result?["items"]?.array ?? []).compactMap { $0["id"]?.string }
    }

    @Test func `a hit is saved, annotated, tagged, found, removed and restored completely`() async throws {
        try await Self.withLibrary { _, client in
            let saved = try Self.result(
                client,
                .librarySave,
                ["hit": Self.hit("1"), "tags": ["읽을 것"], "note": ["rating": 4]]
            )
            #expect(saved["added"] == 1 && saved["revision"] == 1)
            let item = try #require(saved["items"]?[0])
            #expect(item["tags"] == ["읽을 것"] && item["notes"]?[0]?["rating"] == 4)
            #expect(item["rank"] == nil && item["marks"] == nil)
            let again = try Self.result(client, .librarySave, ["hit": Self.hit("1", title: "다른 제목")])
            #expect(again["added"] == 0 && again["updated"] == 0)
            #expect(again["revision"] == 1 && again["items"] == [item])
            let noted = try Self.result(
                client,
                .libraryNote,
                ["id": "kakao.book:1", "note": ["text": "나중에\n다시", "title": "첫"]]
            )
            #expect(noted["items"]?[0]?["notes"]?[1]?["text"] == "나중에\n다시" && noted["revision"] == 2)
            let tagged = try Self.result(
                client,
                .libraryTag,
                ["ids": ["kakao.book:1"], "add": ["Books"], "remove": ["읽을 것"]]
            )
            #expect(tagged["items"]?[0]?["tags"] == ["Books"] && tagged["updated"] == 1)
            let untagged = try Self.result(client, .libraryTag, ["ids": ["kakao.book:1"], "remove": ["nope"]])
            #expect(untagged["updated"] == 0 && untagged["items"] == tagged["items"])
            let found = try Self.result(client, .libraryList, ["query": "ㄱㅇㅇ", "tags": ["books"], "kinds": ["book"]])
            #expect(found["items"] == tagged["items"] && found["total"] == 1 && found["next"] == .null)
            let got = try Self.result(client, .libraryGet, ["id": "kakao.book:1"])
            #expect(got["item"] == tagged["items"]?[0] && got["revision"] == 3)
            let removed = try Self.result(client, .libraryRemove, ["ids": ["kakao.book:1", "kakao.book:2"]])
            #expect(removed["removed"] == 1 && removed["items"] == tagged["items"])
            #expect(try Self.call(client, .libraryGet, ["id": "kakao.book:1"]).errorKind == "notFound")
            let back = try Self.result(client, .librarySave, ["items": try #require(removed["items"])])
            #expect(back["items"] == removed["items"])
        }
    }

    @Test func `a hit of a search can be saved by its id, and an unknown id is not found`() async throws {
        try await Self.withLibrary { daemon, client in
            let answer = try client.call("search", #"{"query":"고양이","sources":["kakao.blog"],"limit":3}"#)
            let ids = answer.hitIDs
            let before = await daemon.requests()
            let items: JSONValue = [.string(ids[0]), ["id": .string(ids[1])], ["hit": Self.hit("7")], Self.hit("8")]
            let saved = try Self.result(client, .librarySave, ["items": items])
            #expect(Self.ids(saved) == [ids[0], ids[1], "kakao.book:7", "kakao.book:8"])
            #expect(saved["items"]?[0]?["title"] == answer["result"]?["hits"]?[0]?["title"])
            for id in ["kakao.blog:nothing", "nowhere.here:1", "x", ""] {
                let error = try Self.call(client, .librarySave, ["items": [Self.hit("9"), .string(id)]])
                #expect(error.errorKind == "notFound" && error.hint != nil && error.errorPath == "params.items[1]")
            }
            #expect(try Self.call(client, .libraryGet, ["id": "kakao.book:9"]).errorKind == "notFound")
            let again = try Self.result(client, .librarySave, ["id": "kakao.book:7", "tags": ["x"]])
            #expect(again["added"] == 0 && again["updated"] == 1)
            #expect(await daemon.requests() == before)
        }
    }

    @Test func `the metrics and “server/stats” do not count requests to the library`() async throws {
        try await Self.withLibrary { daemon, client in
            let other = try daemon.connect()
            _ = try Self.result(other, .libraryWatch, [:])
            func told() throws -> [String] {
                let text = try #require(try client.call("server/metrics")["result"]?["text"]?.string)
                let metrics = text.split(separator: "\n").filter { $0.hasPrefix("searchd_requests_total") }
                let requests = try daemon.stats(client)["requests"]?.members ?? []
                return metrics.filter { !$0.contains("server/") }.map(String.init)
                    + requests.filter { !$0.name.hasPrefix("server/") }.map { "\($0.name) \($0.value)" }
            }
            let before = try told()
            _ = try Self.result(other, .librarySave, ["hit": Self.hit("1")])
            _ = try Self.call(other, .librarySave, [:])
            _ = try Self.call(other, .libraryGet, ["id": "kakao.book:2"])
            #expect(try told() == before)
            #expect(!"\(before)".contains("library"))
        }
    }

    @Test func `a list can be grouped, and cursors lead to all pages of a list`() async throws {
        try await Self.withLibrary { _, client in
            let items = (0..<7).map { Self.hit("\($0)") }
            _ = try Self.result(client, .librarySave, ["items": .array(items), "tags": ["a", "b"]])
            let groups = try Self.result(client, .libraryList, ["groupBy": "tag", "limit": 2])
            #expect(groups["items"] == nil && groups["total"] == 7)
            #expect(groups["groups"]?.array?.map { $0["name"]?.string } == ["a", "b"])
            #expect(groups["groups"]?[0]?["count"] == 7 && groups["groups"]?[0]?["items"]?.array?.count == 2)
            var seen: [String] = []
            var cursor = JSONValue.null
            repeat {
                let page = try Self.result(client, .libraryList, ["limit": 3, "cursor": cursor])
                seen += Self.ids(page)
                cursor = page["next"] ?? .null
            } while !cursor.isNull
            #expect(seen == (0..<7).reversed().map { "kakao.book:\($0)" })
        }
    }

    private static let wrong: [(method: MethodName, params: JSONValue, path: String)] = [
        (.librarySave, [:], "params.hit"), (.librarySave, ["items": []], "params.items"),
        (.librarySave, ["id": "a:b", "hit": [:]], "params"), (.librarySave, ["hit": ["id": 1]], "params.hit.id"),
        (.librarySave, ["items": [["id": "a", "x": 1]]], "params.items[0].x"),
        (.librarySave, ["hit": 1], "params.hit"), (.libraryRemove, ["ids": []], "params.ids"),
        (.libraryRemove, [:], "params.ids"), (.libraryNote, ["id": "a"], "params.note"),
        (.libraryNote, ["id": "a", "note": ["rating": 0]], "params.note.rating"),
        (.libraryNote, ["id": "a", "note": ["text": "x"], "remove": "1"], "params.note"),
        (.libraryTag, ["ids": ["a"]], "params.add"), (.libraryTag, ["ids": ["a"], "add": [""]], "params.add[0]"),
        (.libraryList, ["query": " "], "params.query"), (.libraryList, ["since": "soon"], "params.since"),
        (.libraryList, ["cursor": "x"], "params.cursor"), (.libraryList, ["limit": 1001], "params.limit"),
        (.libraryList, ["cursor": "1.1", "groupBy": "kind"], "params.cursor"),
        (.libraryList, ["kinds": ["A B"]], "params.kinds[0]"),
        (.libraryList, ["sources": ["@books"]], "params.sources"),
        (.libraryGet, [:], "params.id"), (.libraryWatch, ["since": -1], "params.since"),
        (.libraryUnwatch, [:], "params.subscription"), (.libraryGet, ["id": "a", "colour": 1], "params.colour"),
    ]

    @Test func `an invalid parameter is refused with its path`() async throws {
        try await Self.withLibrary { _, client in
            for (method, params, path) in Self.wrong {
                let error = try Self.call(client, method, params)
                #expect(error.errorKind == "invalidParams" && error.errorPath == path, "\(params): \(error)")
            }
        }
    }

    @Test func `the contract and the module Personal have the same bounds for notes`() {
        #expect(WireBounds.noteTitleBytesMax == Note.titleBytesMax)
        #expect(WireBounds.noteTextBytesMax == Note.textBytesMax)
        #expect(WireBounds.rating == Note.ratings)
    }

    @Test func `searches work without a state directory, and with an unusable library file`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let error = try Self.call(client, .libraryList, [:])
            #expect(error.errorKind == "unavailable" && error.hint?.contains("--state") == true)
            #expect(try client.call("search", #"{"query":"고양이","sources":["kakao.blog"]}"#)["result"] != nil)
        }
        try await Self.withLibrary { daemon, client in
            daemon.directory.makeDirectory("personal")
            daemon.directory.makeDirectory("personal/\(getuid()).sqlite")
            #expect(try Self.call(client, .librarySave, ["hit": Self.hit("1")]).errorKind == "unavailable")
            let answer = try client.call("search", #"{"query":"고양이","sources":["kakao.blog"]}"#)
            #expect(answer["result"]?["saved"] == nil && answer["result"] != nil)
        }
    }

    @Test func `the directory and the file of a user's data are private`() async throws {
        try await Self.withLibrary { daemon, client in
            _ = try Self.result(client, .librarySave, ["hit": Self.hit("1")])
            let path = daemon.directory.file("personal")
            #expect(Files.mode(of: path) == 0o700)
            #expect(Files.mode(of: "\(path)/\(getuid()).sqlite") == 0o600)
        }
    }
}
