import JSON
import RPC
import Sandbox
import SearchModel
import TestSupport
import Testing

@testable import Daemon

@Suite struct LibraryRefreshTests {
    private static func withLibrary(_ body: (DaemonFixture, TestClient) async throws -> Void) async throws {
        try await withDaemon {
            ($0.keepsPersonalData, $0.hasAllKeys) = (true, true)
        } _: { daemon in
            try await body(daemon, daemon.connect())
        }
    }

    private static func save(of source: String, _ client: TestClient) throws -> JSONValue {
        let query: JSONValue = ["query": "고양이 사료", "sources": [.string(source)], "limit": 20]
        let answer = try client.call("search", String(decoding: query.bytes, as: UTF8.self))
        let hits = answer["result"]?["hits"]?.array ?? []
        let priced = hits.first { $0["extra"]?["price"]?.double.map { $0 > 0 } == true }
        let id = try #require((priced ?? hits.first)?["id"], "\(answer)")
        let saved = try LibraryMethodTests.result(
            client,
            .librarySave,
            ["id": id, "tags": ["읽을 것"], "note": ["rating": 5]]
        )
        return try #require(saved["items"]?[0])
    }

    private static func follow(_ daemon: DaemonFixture) throws -> TestClient {
        let follower = try daemon.connect()
        _ = try LibraryMethodTests.result(follower, .libraryWatch, ["since": 1])
        return follower
    }

    private static func waitForEnd(_ daemon: DaemonFixture, requests: Int, to source: String) async throws {
        try await eventually("\(requests) lookups of \(source)") { await daemon.requests(to: source) >= requests }
    }

    @Test(arguments: ["itunes.ebook", "google.books"])
    func `a changed price updates the item, and a subscription gets one notice`(source: String) async throws {
        try await Self.withLibrary { daemon, client in
            let old = try Self.save(of: source, client)
            let follower = try Self.follow(daemon)
            await daemon.sandbox.change { $0.quirks.pricePercent = 150 }
            #expect(try LibraryMethodTests.result(client, .libraryRefresh, [:]) == ["queued": 1, "left": 0])
            let notice = try #require(try follower.message()["params"])
            #expect(notice["inserted"] == [] && notice["deleted"] == [] && notice["revision"] == 2)
            let item = try #require(notice["updated"]?[0])
            #expect(item["changes"]?.array?.count == 1)
            let change = try #require(item["changes"]?[0])
            #expect(change["field"] == "price" && change["at"] == item["updatedAt"])
            #expect(change["from"] == old["extra"]?["price"] && change["to"] == item["extra"]?["price"])
            #expect(try #require(change["to"]?.double) > #require(change["from"]?.double))
            for member in ["savedAt", "tags", "notes", "title", "id"] { #expect(item[member] == old[member]) }
            let got = try LibraryMethodTests.result(client, .libraryGet, ["id": try #require(old["id"])])
            #expect(got["item"] == item && got["revision"] == 2)
        }
    }

    @Test(
        arguments: [
            (1, nil, .seconds(5)), (2, nil, .seconds(10)), (4, nil, .seconds(40)), (8, nil, .seconds(600)),
            (1000, nil, .seconds(600)), (1, .seconds(60), .seconds(60)), (5, .seconds(60), .seconds(80)),
            (1, .seconds(86_400), .seconds(600)),
        ] as [(Int, Duration?, Duration)]
    )
    func `after each failed refresh the wait doubles: at least retryAfter, at most ten minutes`(
        failures: Int,
        retryAfter: Duration?,
        wait: Duration
    ) {
        #expect(LibraryRefresh.wait(after: failures, retryAfter: retryAfter) == wait)
    }

    @Test func `a refresh skips items whose source has no lookup, and refuses unsaved items`() async throws {
        try await Self.withLibrary { daemon, client in
            _ = try LibraryMethodTests.result(client, .librarySave, ["hit": LibraryMethodTests.hit("1")])
            let saved = try #require(try Self.save(of: "wikipedia.ko", client)["id"])
            let before = await daemon.requests(to: "kakao.book")
            let left = try LibraryMethodTests.result(client, .libraryRefresh, ["ids": ["kakao.book:1"]])
            #expect(left == ["queued": 0, "left": 1])
            let all = try LibraryMethodTests.result(client, .libraryRefresh, [:])
            #expect(all == ["queued": 1, "left": 1])
            try await Self.waitForEnd(daemon, requests: 2, to: "wikipedia.ko")
            let missing: JSONValue = ["ids": [saved, "kakao.book:2"]]
            #expect(try LibraryMethodTests.call(client, .libraryRefresh, missing).errorKind == "notFound")
            #expect(try LibraryMethodTests.call(client, .libraryRefresh, ["ids": []]).errorPath == "params.ids")
            #expect(await daemon.requests(to: "kakao.book") == before)
        }
    }
}
