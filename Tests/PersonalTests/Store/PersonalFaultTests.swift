import EventLoop
import Glibc
import SearchModel
import Storage
import TestSupport
import Testing

@testable import Personal

@Suite("Faults of personal files")
struct PersonalFaultTests {
    private static func items(_ keys: Range<Int>) throws -> [SavedItem] {
        try keys.map { try SavedItemTests.item("\($0)", title: String(repeating: "고양이 \($0) ", count: 30)) }
    }

    private static func titles(_ store: PersonalStore) async throws(SearchError) -> Int {
        try await store.page(LibraryQuery()).items.count
    }

    private static func damage(_ file: String, at offset: Int, count: Int) {
        var bytes = Files.contents(of: file)
        bytes.replaceSubrange(offset..<offset + count, with: repeatElement(0xAB, count: count))
        Files.write(bytes, to: file)
    }

    private static func flip(_ text: String, in file: String) {
        var bytes = Files.contents(of: file)
        for index in bytes.indices where bytes[index...].starts(with: text.utf8) { bytes[index + 1] ^= 1 }
        Files.write(bytes, to: file)
    }

    @Test func `a damaged file is replaced by a copy, the revision increases, and the loss is reported`() async throws {
        let (directory, reports, renewed) = (TemporaryDirectory(), Locked<[String]>([]), Locked(0))
        let file = PersonalStoreFixture.file(in: directory)
        let last = try await PersonalStoreFixture.withStore(directory) { store in
            _ = try await store.perform(.save(Self.items(0..<20)))
            let copy = try await store.backUp()
            #expect(copy.items == 20 && copy.at == 500 && copy.bytes == Files.size(of: copy.file))
            return try await store.perform(.save(Self.items(20..<25))).revision
        }
        Self.damage(file, at: 0, count: 4096)
        let losses = try await PersonalStoreFixture.withStore(directory, reports: reports, renewed: renewed) { store in
            let listed = try await Self.titles(store)
            #expect(listed == 20)
            #expect(try await store.revision() > last)
            #expect(try await store.changes(since: last) == nil)
            #expect(try await store.perform(.save(Self.items(0..<25))).added == 5)
            return await store.condition().losses
        }
        #expect(losses == [PersonalLoss(at: 500, file: "\(file).damaged-500", copyAt: 500)])
        #expect(reports.withLock { $0.count } == 1)
        #expect(renewed.withLock { $0 } == 1)
        #expect(Files.mode(of: file) == 0o600)
        #expect(Files.size(of: "\(file).damaged-500") > 0)
    }

    @Test func `if the directory cannot be opened, the library and the history report errors`() async throws {
        let directory = TemporaryDirectory()
        Files.write([], to: directory.file("blocked"))
        let storage = try LoopThread(named: "storage")
        // Unlike missing permissions, a file in the path also stops root.
        let store = PersonalStoreFixture.store(in: directory.file("blocked/personal"), on: storage.loop)
        await #expect(throws: SearchError.self) { try await store.revision() }
        await #expect(throws: SearchError.self) { try await store.entries(HistoryQuery(), HistorySettings()) }
        #expect(await store.condition().failure?.kind == .unavailable)
        await store.close()
        storage.stop()
    }

    @Test(arguments: [[], [UInt8](repeating: 0x41, count: 10_000)])
    func `an empty file, or a file that is not a database, is renamed and replaced`(bytes: [UInt8]) async throws {
        let (directory, reports) = (TemporaryDirectory(), Locked<[String]>([]))
        let file = PersonalStoreFixture.file(in: directory)
        Files.write(bytes, to: file)
        let added = try await PersonalStoreFixture.withStore(directory, reports: reports) { store in
            try await store.perform(.save(Self.items(0..<1))).added
        }
        #expect(added == 1)
        #expect(Files.size(of: "\(file).damaged-500") == bytes.count)
        #expect(reports.withLock { $0.count } == 1)
    }

    @Test func `a damaged row is restored from a copy, or else removed and reported`() async throws {
        let (directory, reports, renewed) = (TemporaryDirectory(), Locked<[String]>([]), Locked(0))
        let file = PersonalStoreFixture.file(in: directory)
        let settings = HistorySettings()
        try await PersonalStoreFixture.withStore(directory) { store in
            _ = try await store.perform(.save([SavedItemTests.item("1", title: "Tortoise")]))
            let search = HistorySearch(query: try #require(SearchQuery("hedgehog")), at: 499_000, sources: [])
            try await store.record([search], settings)
            _ = try await store.backUp()
            _ = try await store.perform(.save([SavedItemTests.item("2", title: "Porcupine")]))
        }
        for text in ["Tortoise", "hedgehog", "Porcupine"] { Self.flip(text, in: file) }
        try await PersonalStoreFixture.withStore(directory, reports: reports, renewed: renewed) { store in
            let titles = try await store.page(LibraryQuery()).items.compactMap { LibraryTable.item($0)?.hit.title }
            #expect(titles == ["Tortoise"])
            #expect(try await store.entries(HistoryQuery(), settings).map(\.query) == ["hedgehog"])
            var query = LibraryQuery()
            for (words, count) in [("tortoise", 1), ("porcupine", 0)] {
                query.words = words
                #expect(try await store.page(query).total == count, "the index has an entry for each row")
            }
            let losses = await store.condition().losses
            #expect(losses.map(\.restored) == [2] && losses.map(\.lost) == [1])
            #expect(try await store.backUp().items == 1)
        }
        #expect(reports.withLock { $0.count } == 1)
        #expect(renewed.withLock { $0 } == 1)
    }

    @Test func `a new copy replaces the older of two copies, and a damaged copy is skipped`() async throws {
        let directory = TemporaryDirectory()
        let file = PersonalStoreFixture.file(in: directory)
        let now = Locked<Int64>(500)
        let newest = try await PersonalStoreFixture.withStore(directory, now: now) { store in
            var newest = ""
            for day in 0..<4 {
                now.withLock { $0 = 500 + Int64(day) * PersonalStore.copyEvery }
                _ = try await store.perform(.save(Self.items(day..<day + 1)))
                newest = try await store.backUp().file
                let copies = await store.condition().copies
                #expect(copies.map(\.items) == (day == 0 ? [1, 1] : [day + 1, day]))
            }
            return newest
        }
        #expect(directory.names.filter { $0.contains(".copy-") } == ["1000.sqlite.copy-1", "1000.sqlite.copy-2"])
        Self.damage(newest, at: 0, count: 4096)
        Self.damage(file, at: 0, count: 4096)
        let count = try await PersonalStoreFixture.withStore(directory, now: now) { try await Self.titles($0) }
        #expect(count == 3)
    }

    @Test func `of copies from the same second, the latest is the newest`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory(), now: Locked(500)) { store in
            for number in 0..<4 {
                _ = try await store.perform(.save(Self.items(number..<number + 1)))
                #expect(try await store.backUp().items == number + 1)
            }
        }
    }

    @Test func `a copy of a newer version is skipped and reported, and an older copy is used`() async throws {
        let (directory, reports) = (TemporaryDirectory(), Locked<[String]>([]))
        let (file, now) = (PersonalStoreFixture.file(in: directory), Locked<Int64>(500))
        let newest = try await PersonalStoreFixture.withStore(directory, now: now) { store in
            _ = try await store.perform(.save(Self.items(0..<3)))
            let older = try await store.backUp().file
            now.withLock { $0 += 60 }
            try await store.setVersion(99)
            await store.close()
            return older.hasSuffix("1") ? "\(file).copy-2" : "\(file).copy-1"
        }
        Files.write(Files.contents(of: file), to: newest)
        Self.damage(file, at: 0, count: 4096)
        let count = try await PersonalStoreFixture.withStore(directory, now: now, reports: reports) {
            try await Self.titles($0)
        }
        #expect(count == 3)
        let report = try #require(reports.withLock { $0.first })
        #expect(report.contains("\(newest) has version 99") && report.contains("versions up to"))
    }

    @Test(arguments: [true, false])
    func `erased searches are removed from all files, and a new copy is made`(hasFile: Bool) async throws {
        let directory = TemporaryDirectory()
        let file = PersonalStoreFixture.file(in: directory)
        let query = "수상한 검색어"
        let condition = try await PersonalStoreFixture.withStore(directory) { store in
            let search = HistorySearch(query: try #require(SearchQuery(query)), at: 1000, sources: [])
            try await store.record([search], HistorySettings())
            _ = try await store.backUp()
            for name in ["400", "400-wal", "401"] {
                Files.write(Files.contents(of: file), to: "\(file).damaged-\(name)")
            }
            // The file of another user must not change.
            Files.write([1], to: directory.file("10001.sqlite.damaged-400"))
            await store.close()
            if !hasFile { Files.remove(file) }
            let erased = try await store.erase(.all)
            #expect(erased == (hasFile ? 1 : 0))
            return await store.condition()
        }
        #expect(condition.losses == [] && condition.copies.count == (hasFile ? 1 : 0))
        let left = TemporaryDirectory.files(below: directory.path).filter { _, bytes in
            bytes.indices.contains { bytes[$0...].starts(with: query.utf8) }
        }
        #expect(left.map(\.path) == [])
        #expect(directory.names.contains("10001.sqlite.damaged-400"))
    }

    @Test func `the next process completes a replacement that was interrupted between two renames`() async throws {
        let directory = TemporaryDirectory()
        let file = PersonalStoreFixture.file(in: directory)
        try await PersonalStoreFixture.withStore(directory) { _ = try await $0.perform(.save(Self.items(0..<3))) }
        Files.write(Files.contents(of: file), to: file + ".new")
        Files.remove(file)
        Files.write([4, 5, 6], to: file + "-wal")
        let count = try await PersonalStoreFixture.withStore(directory) { try await Self.titles($0) }
        #expect(count == 3)
        #expect(!directory.names.contains { $0.contains("new") })
    }

    @Test func `a library of an older version is copied, and then converted with all its items`() async throws {
        let directory = TemporaryDirectory()
        let file = PersonalStoreFixture.file(in: directory)
        let items = try Self.items(0..<30)
        let storage = try LoopThread(named: "storage")
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            storage.loop.perform { [loop = storage.loop] in
                done.resume(with: Result { try OldLibrary.write(items, indexed: 20, to: file, on: loop) })
            }
        }
        storage.stop()
        try await PersonalStoreFixture.withStore(directory) { store in
            let kept = try await store.all()
            #expect(kept == items)
            var query = LibraryQuery()
            query.words = "고양이"
            query.limit = 100
            #expect(try await store.page(query).items.count == 30)
            #expect(try await store.entries(HistoryQuery(), HistorySettings()).map(\.query) == ["old"])
            #expect(await store.condition().losses == [])
        }
        #expect(directory.names.contains("1000.sqlite.copy-1"))
    }

    @Test func `a library of a newer version is refused with its path and is not changed`() async throws {
        let directory = TemporaryDirectory()
        let file = PersonalStoreFixture.file(in: directory)
        try await PersonalStoreFixture.withStore(directory) { store in
            _ = try await store.perform(.save(Self.items(0..<1)))
            try await store.setVersion(99)
        }
        let before = Files.contents(of: file)
        try await PersonalStoreFixture.withStore(directory) { store in
            let error = await #expect(throws: SearchError.self) { try await Self.titles(store) }
            #expect(error?.message.contains(file) == true && error?.hint != nil)
        }
        #expect(Files.contents(of: file) == before)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount"))
    func `on a full disk, changes are refused and nothing is lost`() async throws {
        let disk = try #require(SmallDisk(bytes: 1 << 20))
        defer { disk.remove() }
        try await PersonalStoreFixture.withStore(disk.directory) { store in
            _ = try await store.perform(.save(Self.items(0..<10)))
            Files.fill(disk.directory.file("filling"))
            let error = await #expect(throws: SearchError.self) {
                for start in stride(from: 10, to: 2000, by: 50) {
                    _ = try await store.perform(.save(Self.items(start..<start + 50)))
                }
            }
            #expect(error?.kind == .unavailable)
            #expect(error?.hint == "Make room on the disk.")
            let kept = try await store.all().count
            #expect(kept >= 10 && kept % 50 == 10)
            Files.remove(disk.directory.file("filling"))
            #expect(try await store.perform(.save(Self.items(5000..<5001))).added == 1)
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount"))
    func `a library on a read-only disk can be read, and the error of a change has a hint`() async throws {
        let disk = try #require(SmallDisk(bytes: 1 << 20))
        defer { disk.remove() }
        try await PersonalStoreFixture.withStore(disk.directory) { _ = try await $0.perform(.save(Self.items(0..<10))) }
        try #require(disk.change(isReadOnly: true))
        try await PersonalStoreFixture.withStore(disk.directory) { store in
            let error = await #expect(throws: SearchError.self) { try await store.perform(.save(Self.items(10..<11))) }
            #expect(
                error?.kind == .unavailable && error?.hint?.contains("writable") == true,
                "\(String(describing: error))"
            )
            let listed = try await Self.titles(store)
            #expect(listed == 10)
            #expect(try await store.all().count == 10)
        }
        try #require(disk.change(isReadOnly: false))
        try await PersonalStoreFixture.withStore(disk.directory) { store in
            let saved = try await store.perform(.save(Self.items(0..<11)))
            #expect(saved.added == 1)
        }
    }

    @Test func `acknowledged changes are not lost when the power fails, in any state of the disk`() async throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let directory = TemporaryDirectory()
        let file = PersonalStoreFixture.file(in: directory)
        var states: [(file: [UInt8], log: [UInt8], revision: Int64)] = []
        try await PersonalStoreFixture.withStore(directory) { store in
            for key in 0..<12 {
                let revision = try await store.perform(.save(Self.items(key * 2..<key * 2 + 2))).revision
                // The answer has arrived, so the disk has at least this state.
                states.append((Files.contents(of: file), Files.contents(of: file + "-wal"), revision))
            }
        }
        let losses = testSize(30, "SEARCHD_TEST_DAMAGES")
        for _ in 0..<losses {
            let index = Int.random(in: 0..<states.count - 1, using: &random)
            // Each change is on the disk before the next begins, so at most one change is incomplete.
            let (answered, later) = (states[index], states[index + 1])
            var log = answered.log
            // Each sector that was written later may be on the disk or not.
            for start in stride(from: log.count, to: later.log.count, by: 512) {
                let sector = later.log[start..<min(start + 512, later.log.count)]
                log += Bool.random(using: &random) ? Array(sector) : Array(repeating: 0, count: sector.count)
            }
            let world = TemporaryDirectory()
            Files.write(answered.file, to: PersonalStoreFixture.file(in: world))
            Files.write(log, to: PersonalStoreFixture.file(in: world) + "-wal")
            let reports = Locked<[String]>([])
            try await PersonalStoreFixture.withStore(world, reports: reports) { store in
                let (revision, count) = (try await store.revision(), try await store.all().count)
                #expect(revision >= answered.revision)
                #expect(count == Int(revision) * 2)
            }
            #expect(reports.withLock { $0 } == [])
        }
        proved("after \(losses) power failures, all acknowledged changes were stored, and no change was stored in part")
    }
}
