import JSON
import RPC
import Testing

@testable import Daemon

@Suite struct LibraryWatchTests {
    private static func keys(_ items: JSONValue?) -> [String] {
        (items?.array ?? []).compactMap { ($0["id"] ?? $0).string.map { String($0.dropFirst(11)) } }
    }

    private static func save(_ client: TestClient, _ keys: String...) throws {
        let items = keys.map { LibraryMethodTests.hit($0) }
        _ = try LibraryMethodTests.result(client, .librarySave, ["items": .array(items)])
    }

    private static func notice(_ client: TestClient) throws -> JSONValue {
        let message = try client.message()
        #expect(message.method == "library/changed")
        return try #require(message["params"], "\(message)")
    }

    @Test func `a subscription sends all items first, and then each change once`() async throws {
        try await LibraryMethodTests.withLibrary { daemon, client in
            try Self.save(client, "1", "2")
            let follower = try daemon.connect()
            let begun = try LibraryMethodTests.result(follower, .libraryWatch, [:])
            #expect(Self.keys(begun["items"]) == ["1", "2"] && begun["revision"] == 1)
            try Self.save(client, "3")
            try Self.save(client, "3")
            _ = try LibraryMethodTests.result(client, .libraryTag, ["ids": ["kakao.book:1"], "add": ["x"]])
            _ = try LibraryMethodTests.result(client, .libraryRemove, ["ids": ["kakao.book:2"]])
            let notices = try (0..<3).map { _ in try Self.notice(follower) }
            #expect(notices.map { $0["revision"]?.int } == [2, 3, 4])
            #expect(notices.map { Self.keys($0["inserted"]) } == [["3"], [], []])
            #expect(notices.map { Self.keys($0["updated"]) } == [[], ["1"], []])
            #expect(notices.map { Self.keys($0["deleted"]) } == [[], [], ["2"]])
            #expect(notices.allSatisfy { $0["subscription"] == begun["subscription"] })
            let number = try #require(begun["subscription"])
            _ = try LibraryMethodTests.result(follower, .libraryUnwatch, ["subscription": number])
            #expect(
                try LibraryMethodTests.call(follower, .libraryUnwatch, ["subscription": number]).errorKind == "notFound"
            )
            try Self.save(client, "4")
            #expect(try follower.call("server/ping")["result"] != nil)
        }
    }

    @Test func `a subscription can continue after any known revision, even on another connection`() async throws {
        try await LibraryMethodTests.withLibrary { daemon, client in
            for key in ["1", "2", "3"] { try Self.save(client, key) }
            _ = try LibraryMethodTests.result(client, .libraryRemove, ["ids": ["kakao.book:1"]])
            _ = try LibraryMethodTests.result(client, .libraryTag, ["ids": ["kakao.book:2"], "add": ["x"]])
            let since = try LibraryMethodTests.result(daemon.connect(), .libraryWatch, ["since": 2])
            #expect(Self.keys(since["inserted"]) == ["3"] && Self.keys(since["updated"]) == ["2"])
            #expect(Self.keys(since["deleted"]) == ["1"] && since["revision"] == 5 && since["items"] == nil)
            let nothing = try LibraryMethodTests.result(daemon.connect(), .libraryWatch, ["since": 5])
            #expect(nothing["inserted"] == [] && nothing["updated"] == [] && nothing["deleted"] == [])
            let unknown = try LibraryMethodTests.result(daemon.connect(), .libraryWatch, ["since": 99])
            #expect(Self.keys(unknown["items"]) == ["3", "2"] && unknown["revision"] == 5)
        }
    }

    @Test func `a large library is sent in parts, followed by the changes that were made meanwhile`() async throws {
        try await LibraryMethodTests.withLibrary { daemon, client in
            let text = JSONValue.string(String(repeating: "x", count: 60_000))
            for start in stride(from: 0, to: 120, by: 10) {
                let items = (start..<start + 10).map { key in
                    let hit = LibraryMethodTests.hit("\(key)").members ?? []
                    return JSONValue.object(hit + [JSONMember("extra", ["text": text])])
                }
                _ = try LibraryMethodTests.result(client, .librarySave, ["items": .array(items)])
            }
            let follower = try daemon.connect()
            follower.checksContract = false
            let begun = try LibraryMethodTests.result(follower, .libraryWatch, [:])
            var keys = Self.keys(begun["items"])
            #expect((50..<120).contains(keys.count))
            try Self.save(client, "last")
            var revision = begun["revision"]?.int ?? 0
            while keys.count < 121 {
                let notice = try Self.notice(follower)
                keys += Self.keys(notice["inserted"])
                #expect(notice["revision"]?.int ?? 0 >= revision)
                revision = notice["revision"]?.int ?? 0
            }
            #expect(Set(keys).count == 121 && keys.last == "last" && revision == 13)
        }
    }

    @Test func `if a client reads slowly, its subscription is reset, and other clients are not delayed`() async throws {
        try await LibraryMethodTests.withLibrary { daemon, client in
            let slow = try daemon.connect()
            slow.checksContract = false
            _ = try LibraryMethodTests.result(slow, .libraryWatch, [:])
            let text = JSONValue.string(String(repeating: "x", count: 60_000))
            for key in 0..<100 {
                let hit = LibraryMethodTests.hit("\(key)").members ?? []
                let large = JSONValue.object(hit + [JSONMember("extra", ["text": text])])
                _ = try LibraryMethodTests.result(client, .librarySave, ["hit": large])
            }
            var revisions: [Int] = []
            var reset: Int?
            while reset == nil || revisions.last ?? 0 < 100 {
                let notice = try Self.notice(slow)
                revisions.append(notice["revision"]?.int ?? 0)
                if notice["reset"] == true { reset = revisions.last }
            }
            #expect(revisions == revisions.sorted() && Set(revisions).count == revisions.count)
            #expect(revisions.count < 100)
        }
    }

    @Test func `a fast reader gets changes of any size`() async throws {
        try await LibraryMethodTests.withLibrary { daemon, client in
            let text = JSONValue.string(String(repeating: "x", count: 30_000))
            let ids = (0..<80).map { JSONValue.string("kakao.book:\($0)") }
            for start in stride(from: 0, to: 80, by: 20) {
                let items = (start..<start + 20).map { key in
                    let hit = LibraryMethodTests.hit("\(key)").members ?? []
                    return JSONValue.object(hit + [JSONMember("extra", ["text": text])])
                }
                _ = try LibraryMethodTests.result(client, .librarySave, ["items": .array(items)])
            }
            let follower = try daemon.connect()
            follower.checksContract = false
            _ = try LibraryMethodTests.result(follower, .libraryWatch, ["since": 4])
            for (count, tag) in ["a", "b"].enumerated() {
                _ = try LibraryMethodTests.result(client, .libraryTag, ["ids": .array(ids), "add": [.string(tag)]])
                var updated: [String] = []
                while updated.count < 80 {
                    let notice = try Self.notice(follower)
                    #expect(notice["reset"] == nil)
                    let items = notice["updated"]?.array ?? []
                    #expect(items.allSatisfy { $0["tags"]?.array?.count == count + 1 })
                    updated += Self.keys(.array(items))
                }
                #expect(Set(updated).count == 80)
            }
            try Self.save(client, "last")
            #expect(Self.keys(try Self.notice(follower)["inserted"]) == ["last"])
        }
    }
}
