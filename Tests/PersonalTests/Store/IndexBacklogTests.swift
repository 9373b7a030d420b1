import EventLoop
import JSON
import SearchModel
import Storage
import TestSupport
import Testing

@testable import Personal

@Suite("Items that wait for the index of words")
struct IndexBacklogTests {
    private static func item(_ key: String, title: String) throws -> LibraryRequest {
        .save([try SavedItemTests.item(key, title: title)])
    }

    private static func items(_ keys: ClosedRange<Int>, title: String) throws -> LibraryRequest {
        .save(try keys.map { try SavedItemTests.item("\($0)", title: title) })
    }

    /// Saves so many, few at a time.
    private static func save(_ count: Int, title: String, in store: PersonalStore) async throws {
        for first in stride(from: 1, through: count, by: IndexBacklog.worthMin - 1) {
            let last = min(first + IndexBacklog.worthMin - 2, count)
            _ = try await store.perform(items(first...last, title: title))
        }
    }

    /// The keys of what is found, the latest first.
    private static func keys(_ words: String, in store: PersonalStore) async throws -> [String] {
        var query = LibraryQuery()
        query.words = words
        query.sort = .saved
        return try await store.page(query).items.map { String($0.id.dropFirst("kakao.book:".count)) }
    }

    private static func total(_ words: String, in store: PersonalStore) async throws -> Int {
        var query = LibraryQuery()
        query.words = words
        return try await store.page(query).total
    }

    /// How many items the index itself finds, without those that wait.
    private static func indexed(_ word: String, in store: PersonalStore) async throws -> Int64 {
        let expression = try #require(TypedWords(word)).expression
        return try await store.use { tables throws(StorageError) in
            try tables.database.first(
                "SELECT count(*) FROM words WHERE words MATCH ?",
                .text(expression)
            ) { $0.integer(0) } ?? -1
        }
    }

    private static func run(_ statement: StaticString, in store: PersonalStore) async throws {
        try await store.use { tables throws(StorageError) in try tables.database.run(statement) }
    }

    @Test func `when nothing is changed for a while they go into the index, unless they are too few`() async throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            let store = PersonalWorld.store(in: directory.path, on: loop)
            for key in 1..<IndexBacklog.worthMin { _ = try await store.perform(Self.item("\(key)", title: "고양이")) }
            try await loop.sleep(until: loop.now.advanced(by: PersonalStore.quiet * 2))
            #expect(try await Self.indexed("고양이", in: store) == 0)
            _ = try await store.perform(Self.item("last", title: "고양이"))
            try await loop.sleep(until: loop.now.advanced(by: PersonalStore.quiet / 2))
            // It begins anew with each change.
            _ = try await store.perform(Self.item("one more", title: "고양이"))
            try await loop.sleep(until: loop.now.advanced(by: PersonalStore.quiet * 3 / 4))
            #expect(try await Self.indexed("고양이", in: store) == 0)
            try await loop.sleep(until: loop.now.advanced(by: PersonalStore.quiet))
            #expect(try await Self.indexed("고양이", in: store) == Int64(IndexBacklog.worthMin) + 1)
            await store.close()
        }
    }

    @Test func `then all are written, a step after the other`() async throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            let store = PersonalWorld.store(in: directory.path, on: loop)
            let count = 2 * IndexBacklog.step + 1
            try await Self.save(count, title: "고양이", in: store)
            try await loop.sleep(until: loop.now.advanced(by: PersonalStore.quiet * 2))
            #expect(try await Self.indexed("고양이", in: store) == Int64(count))
            await store.close()
        }
    }

    @Test func `a file that was closed meanwhile is not opened again for them`() async throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            let store = PersonalWorld.store(in: directory.path, on: loop)
            try await Self.save(IndexBacklog.worthMin, title: "고양이", in: store)
            await store.close()
            try await loop.sleep(until: loop.now.advanced(by: PersonalStore.quiet * 2))
            // Its log is there while it is open.
            #expect(Files.mode(of: PersonalWorld.file(in: directory) + "-wal") == nil)
        }
    }

    @Test func `many that are saved together don't wait, nor do those that waited before them`() async throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            let store = PersonalWorld.store(in: directory.path, on: loop)
            _ = try await store.perform(Self.items(1...IndexBacklog.worthMin - 1, title: "고양이"))
            #expect(try await Self.indexed("고양이", in: store) == 0)
            let more = IndexBacklog.worthMin...2 * IndexBacklog.worthMin - 1
            _ = try await store.perform(Self.items(more, title: "고양이"))
            #expect(try await Self.indexed("고양이", in: store) == Int64(more.upperBound))
            await store.close()
        }
    }

    @Test func `no more wait than may, however many come`() async throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            let store = PersonalWorld.store(in: directory.path, on: loop)
            _ = try await store.perform(Self.item("1", title: "고양이"))
            try await store.repeatFirst(as: 2...IndexBacklog.itemsMax - 1)
            _ = try await store.perform(Self.item("last", title: "고양이"))
            #expect(try await Self.indexed("고양이", in: store) == 0)
            _ = try await store.perform(Self.item("one more", title: "고양이"))
            #expect(try await Self.indexed("고양이", in: store) == 1)
            #expect(try await Self.keys("고양이", in: store).sorted() == ["1", "last", "one more"])
            await store.close()
        }
    }

    @Test func `a search finds them, and so do those after it`() async throws {
        try await PersonalWorld.withStore(TemporaryDirectory()) { store in
            for round in 1...3 {
                _ = try await store.perform(Self.item("\(round)", title: "고양이 \(round)"))
                #expect(try await Self.indexed("고양이", in: store) == Int64(round - 1))
                #expect(try await Self.keys("ㄱㅇㅇ", in: store).count == round)
                #expect(try await Self.indexed("고양이", in: store) == Int64(round))
            }
        }
    }

    @Test func `a file that is opened again still knows who waits`() async throws {
        let directory = TemporaryDirectory()
        try await PersonalWorld.withStore(directory) { store in
            _ = try await store.perform(Self.item("1", title: "고양이"))
            #expect(try await Self.keys("고양이", in: store) == ["1"])
            _ = try await store.perform(Self.item("2", title: "길고양이"))
        }
        try await PersonalWorld.withStore(directory) { store in
            #expect(try await Self.indexed("고양이", in: store) == 1)
            _ = try await store.perform(Self.item("3", title: "고양이 사료"))
            #expect(try await Self.keys("고양이", in: store).sorted() == ["1", "2", "3"])
        }
    }

    @Test(arguments: [false, true])
    func `one that is changed or removed is found by what it is`(isIndexed: Bool) async throws {
        try await PersonalWorld.withStore(TemporaryDirectory()) { store in
            for key in ["1", "2", "3"] { _ = try await store.perform(Self.item(key, title: "고양이")) }
            if isIndexed { #expect(try await Self.keys("고양이", in: store).count == 3) }
            let note = LibraryEdit.note(try NoteDraft(["text": "강아지"], path: "note"))
            _ = try await store.perform(.edit(ids: ["kakao.book:1"], note))
            _ = try await store.perform(.remove(ids: ["kakao.book:2", "kakao.book:3"]))
            // It takes the number of the one that was removed.
            _ = try await store.perform(Self.item("4", title: "앵무새"))
            #expect(try await Self.keys("고양이", in: store) == ["1"])
            #expect(try await Self.keys("강아지", in: store) == ["1"])
            #expect(try await Self.keys("앵무새", in: store) == ["4"])
        }
    }

    @Test func `a change that fails leaves none of its own among them`() async throws {
        try await PersonalWorld.withStore(TemporaryDirectory()) { store in
            _ = try await store.perform(Self.item("1", title: "고양이"))
            // The file may not grow: the small one fits in, the other doesn't.
            try await Self.run("PRAGMA max_page_count = 1", in: store)
            let large = String(repeating: "고양이 ", count: 1600)
            let both = try [SavedItemTests.item("2", title: "앵무새"), SavedItemTests.item("large", title: large)]
            await #expect(throws: SearchError.self) { try await store.perform(.save(both)) }
            try await Self.run("PRAGMA max_page_count = 100000", in: store)
            _ = try await store.perform(Self.item("3", title: "고양이"))
            #expect(try await Self.keys("고양이", in: store).sorted() == ["1", "3"])
            #expect(try await Self.keys("앵무새", in: store).isEmpty)
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount"))
    func `a full disk doesn't keep a search from finding them`() async throws {
        let disk = try #require(SmallDisk(bytes: 1 << 20))
        defer { disk.remove() }
        let directory = disk.directory
        try virtually { loop, _ in
            let store = PersonalWorld.store(in: directory.path, on: loop)
            let count = 2 * IndexBacklog.step + 1
            try await Self.save(count, title: "고양이", in: store)
            Files.fill(directory.file("filling"))
            for _ in 0..<2 { #expect(try await Self.total("고양이", in: store) == count) }
            // They go on waiting.
            #expect(try await Self.indexed("고양이", in: store) == 0)
            await store.close()
        }
    }
}
