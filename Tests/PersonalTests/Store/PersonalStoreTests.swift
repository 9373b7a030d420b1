import EventLoop
import Glibc
import JSON
import SearchModel
import Storage
import TestSupport
import Testing

@testable import Personal

@Suite("The store of a user's data")
struct PersonalStoreTests {
    private func items(_ keys: String...) throws -> [SavedItem] { try keys.map { try SavedItemTests.item($0) } }

    @Test func `saved items are stored, and read again after the store is reopened`() async throws {
        let directory = TemporaryDirectory()
        let items = try items("1", "2")
        let first = try await PersonalStoreFixture.withStore(directory) { try await $0.perform(.save(items)) }
        #expect(first.added == 2)
        #expect(first.revision == 1)
        #expect(first.items == items)
        try await PersonalStoreFixture.withStore(directory) { store in
            let (kept, revision) = (try await store.all(), try await store.revision())
            #expect(kept == items)
            #expect(revision == 1)
        }
    }

    @Test func `saving an item again keeps its notes and time, and is not a change`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            var item = try SavedItemTests.item("1")
            _ = try await store.perform(.save([item]))
            let note = try Note(["text": "좋다"], at: 0, path: "n")
            item = try await store.perform(.edit(ids: [item.id], .note(note))).items[0]
            let again = try await store.perform(.save([SavedItemTests.item("1", title: "다른 제목")]))
            #expect(again.items == [item])
            #expect(again.added == 0)
            #expect(again.change == nil)
            #expect(again.revision == 2)
        }
    }

    @Test func `if the title of a page is its address, a later save replaces the title`() async throws {
        func page(_ title: JSONValue) throws -> SavedItem {
            let hit: JSONValue = [
                "id": "web:1", "source": "web", "kind": "page", "title": title, "url": "https://example.org/1",
            ]
            return try SavedItem(hit, savedNow: 100, path: "hit")
        }
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            var titles: [String] = []
            for title: JSONValue in ["https://example.org/1", "고양이", "https://example.org/1", "다른 제목"] {
                titles += try await store.perform(.save([page(title)])).items.map(\.hit.title)
            }
            #expect(titles == ["https://example.org/1", "고양이", "고양이", "고양이"])
        }
    }

    @Test func `a removed item is restored completely when it is saved again`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            let note = try Note(["text": "좋다", "rating": 4], at: 0, path: "n")
            _ = try await store.perform(.save(items("1")))
            let noted = try await store.perform(.edit(ids: ["kakao.book:1"], .note(note))).items
            let removed = try await store.perform(.remove(ids: ["kakao.book:1", "kakao.book:9", "kakao.book:1"]))
            #expect(removed.items == noted)
            #expect(removed.change?.deleted == ["kakao.book:1"])
            #expect(try await store.all() == [])
            #expect(try await store.perform(.save(removed.items)).items == noted)
        }
    }

    @Test func `a request can have the maximum size, but not more`() async throws {
        let (bytes, count) = (64 << 10, LibraryRequest.bytesMax / (64 << 10))
        // Indexed texts would make the test slow, so the large texts are in `extra`, which is not indexed.
        let items = try (100...100 + count).map { key in
            let bare = try SavedItemTests.item("\(key)")
            let filling = bytes - bare.bytes - #","extra":{"text":""}"#.utf8.count
            let extra = JSONMember("extra", ["text": .string(String(repeating: "x", count: filling))])
            let hit = JSONValue.object((SavedItemTests.hit("\(key)").members ?? []) + [extra])
            return try SavedItem(hit, savedNow: 100, path: "hit")
        }
        #expect(items.allSatisfy { $0.bytes == bytes })
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            for item in items { _ = try await store.perform(.save([item])) }
            let error = await #expect(throws: SearchError.self) {
                try await store.perform(.remove(ids: items.map(\.id)))
            }
            #expect(error?.kind == .invalidParams && error?.hint != nil)
            #expect(try await store.perform(.remove(ids: items.dropLast().map(\.id))).items.count == count)
            #expect(try await store.all() == [items[count]])
        }
    }

    @Test func `a library can have the maximum number of items, but not more`() async throws {
        let directory = TemporaryDirectory()
        try await PersonalStoreFixture.withStore(directory) { store in
            _ = try await store.perform(.save(items("1")))
            let (step, most) = (25_000, LibraryTable.itemsMax - 1)
            for start in stride(from: 2, through: most, by: step) {
                try await store.copyFirstItem(to: start...min(start + step - 1, most))
            }
            let error = await #expect(throws: SearchError.self) { try await store.perform(.save(items("2", "3"))) }
            #expect(error?.kind == .limitReached && error?.hint != nil)
            #expect(try await store.perform(.save(items("2"))).added == 1)
            #expect(try await store.perform(.save(items("1", "2"))).added == 0)
        }
    }

    @Test func `a user's jobs run in order, and another user's job waits for at most one of these jobs`() async throws {
        let thread = try LoopThread(named: "users")
        let threads = UserThreads([thread.loop])
        let (user, other) = (UserQueue(on: threads), UserQueue(on: threads))
        let order = Locked<[Int]>([])
        @Sendable func add(_ number: Int, to queue: UserQueue) {
            queue.perform { order.withLock { $0.append(number) } }
        }
        await withCheckedContinuation { done in
            user.perform {
                for number in 0..<400 { add(number, to: user) }
                for number in 1000..<1002 { add(number, to: other) }
                user.perform { done.resume() }
            }
        }
        #expect(order.withLock { Array($0.prefix(6)) } == [1000, 0, 1001, 1, 2, 3])
        #expect(order.withLock { $0.count } == 402)
        thread.stop()
    }

    @Test func `during a long job of one user, another user's jobs run`() async throws {
        let one = try LoopThread(named: "users")
        let two = try LoopThread(named: "users")
        let threads = UserThreads([one.loop, two.loop])
        let (user, other) = (UserQueue(on: threads), UserQueue(on: threads))
        let isDone = Locked(false)
        await withCheckedContinuation { done in
            user.perform {
                while !isDone.withLock({ $0 }) { sched_yield() }
                done.resume()
            }
            other.perform { isDone.withLock { $0 = true } }
        }
        one.stop()
        two.stop()
    }

    @Test func `a failed request changes nothing`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            _ = try await store.perform(.save(items("1")))
            let tag = try #require(Tag("t"))
            let error = await #expect(throws: SearchError.self) {
                try await store.perform(
                    .edit(ids: ["kakao.book:1", "kakao.book:2"], .tags(add: [tag], remove: []))
                )
            }
            #expect(error?.kind == .notFound)
            #expect(try await store.item("kakao.book:1")?.tags == [])
            #expect(try await store.revision() == 1)
        }
    }

    @Test func `each change is reported once, in order, and the changes since any revision can be read`() async throws {
        let committed = Locked<[LibraryChange]>([])
        try await PersonalStoreFixture.withStore(TemporaryDirectory(), committed: committed) { store in
            _ = try await store.perform(.save(items("1", "2")))
            _ = try await store.perform(
                .edit(ids: ["kakao.book:1"], .tags(add: [#require(Tag("t"))], remove: []))
            )
            _ = try await store.perform(.remove(ids: ["kakao.book:2"]))
            _ = try await store.perform(.remove(ids: ["kakao.book:2"]))
            #expect(committed.withLock { $0.map(\.revision) } == [1, 2, 3])
            #expect(committed.withLock { $0.map(\.inserted.count) } == [2, 0, 0])
            #expect(committed.withLock { $0.map(\.deleted) } == [[], [], ["kakao.book:2"]])
            let since = try #require(try await store.changes(since: 1))
            #expect(since.updated.map(\.id) == ["kakao.book:1"])
            #expect(since.inserted == [])
            #expect(since.deleted == ["kakao.book:2"])
            #expect(try await store.changes(since: 3)?.isEmpty == true)
            #expect(try await store.changes(since: 4) == nil)
        }
    }

    @Test func `each of several concurrent requests gets its own answer`() async throws {
        let committed = Locked<[LibraryChange]>([])
        try await PersonalStoreFixture.withStore(TemporaryDirectory(), committed: committed) { store in
            try await withThrowingTaskGroup { group in
                for number in 0..<600 {
                    group.addTask {
                        let outcome = try await store.perform(.save([SavedItemTests.item("\(number)")]))
                        #expect(outcome.items.map(\.id) == ["kakao.book:\(number)"])
                        #expect(outcome.added == 1)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.all().count == 600)
            #expect(committed.withLock { $0.map(\.revision) } == Array(1...600))
        }
    }

    @Test func `a file that cannot be opened is an error until it can be opened again`() async throws {
        let directory = TemporaryDirectory()
        try await PersonalStoreFixture.withStore(directory) { store in
            // The kernel copies the path during the call.
            let made = unsafe mkdir(PersonalStoreFixture.file(in: directory), 0o700)
            #expect(made == 0)
            let items = try items("1")
            let error = await #expect(throws: SearchError.self) { try await store.perform(.save(items)) }
            #expect(error?.kind == .unavailable)
            #expect(error?.hint != nil)
            let removed = unsafe rmdir(PersonalStoreFixture.file(in: directory))
            #expect(removed == 0)
            #expect(try await store.perform(.save(items)).added == 1)
        }
    }

    @Test func `kill -9 at any moment loses no acknowledged change, and leaves none half written`() async throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let directory = TemporaryDirectory()
        let rounds = testSize(6, "SEARCHD_TEST_CRASHES")
        for round in 0..<rounds {
            let delay = Int.random(in: 1_000...40_000, using: &random)
            await Self.runAndKill(in: directory.path, round: round, microseconds: delay)
            let answered = String(decoding: Files.contents(of: directory.file("answered")), as: UTF8.self)
                .split(separator: "\n")
            let reports = Locked<[String]>([])
            try await PersonalStoreFixture.withStore(directory, reports: reports) { store in
                let saved = try await store.all()
                let ids = Set(saved.map(\.id))
                #expect(answered.allSatisfy { ids.contains("kakao.book:\($0)a") }, "round \(round)")
                #expect(ids.count.isMultiple(of: 2))
                #expect(try await store.revision() == Int64(ids.count / 2))
            }
            #expect(reports.withLock { $0 } == [])
        }
    }

    @Test func `kill -9 while saving the first item causes no damage`() async throws {
        var random = SeededGenerator(seed: testSeed())
        let rounds = testSize(6, "SEARCHD_TEST_CRASHES")
        for round in 0..<rounds {
            let (directory, reports) = (TemporaryDirectory(), Locked<[String]>([]))
            let delay = Int.random(in: 100...6_000, using: &random)
            await Self.runAndKill(in: directory.path, round: round, microseconds: delay)
            try await PersonalStoreFixture.withStore(directory, reports: reports) { store in
                let (revision, count) = (try await store.revision(), try await store.all().count)
                #expect(Int(revision) * 2 == count)
            }
            #expect(reports.withLock { $0 } == [])
        }
    }

    /// Eight clients save items and record the answers until the process is killed.
    private static func runAndKill(in directory: String, round: Int, microseconds: Int) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [directory = directory as String, round = round as Int, microseconds = microseconds as Int] in
            let storage = try LoopThread(named: "storage")
            let store = PersonalStoreFixture.store(in: directory, on: storage.loop)
            Death.schedule(microseconds: microseconds)
            try await withThrowingTaskGroup { group in
                for client in 0..<8 {
                    group.addTask {
                        for number in 0... {
                            let key = "\(round)-\(client)-\(number)"
                            let items = try ["\(key)a", "\(key)b"].map { try SavedItemTests.item($0) }
                            _ = try await store.perform(.save(items))
                            Files.append("\(key)\n", to: "\(directory)/answered")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
