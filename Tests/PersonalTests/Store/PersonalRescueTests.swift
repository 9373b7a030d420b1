import EventLoop
import Glibc
import JSON
import SearchModel
import Storage
import TestSupport
import Testing

@testable import Personal

@Suite("What is rescued of a file that was damaged")
struct PersonalRescueTests {
    private static let pageBytes = 4096
    private static let settings = HistorySettings()

    /// The rows of three tables, by what tells them apart.
    private struct Rows: Equatable, Sendable {
        var items: [String] = []
        var searches: [String] = []
        var hits: [String] = []

        /// What is in one of two only.
        static func - (left: Rows, right: Rows) -> [Set<String>] {
            zip([left.items, left.searches, left.hits], [right.items, right.searches, right.hits]).map { left, right in
                Set(left).symmetricDifference(right)
            }
        }
    }

    /// A file with many items, searches and hits.
    private static func file(items: Int) async throws -> [UInt8] {
        let directory = TemporaryDirectory()
        try await PersonalWorld.withStore(directory) { store in
            for start in stride(from: 0, to: items, by: 500) {
                let saved = try (start..<min(start + 500, items)).map { key in
                    try SavedItemTests.item("\(key)", title: String(repeating: "고양이 \(key) ", count: 20))
                }
                _ = try await store.perform(.save(saved))
            }
            for start in stride(from: 0, to: items / 2, by: 50) {
                let searches = try (start..<start + 50).map { key in
                    HistorySearch(query: try #require(SearchQuery("길고양이 \(key)")), at: 1000 + Int64(key), sources: [])
                }
                let hits = (start..<start + 50).map { key in
                    BroughtHits.Hit(bytes: SavedItemTests.hit("seen \(key)").bytes, fetchedAt: 1)
                }
                try await store.record(searches, brought: [BroughtHits(searches[0], hits: hits)], settings)
            }
        }
        return Files.contents(of: PersonalWorld.file(in: directory))
    }

    /// What the rows are that can be read one at a time.
    private static func readable(_ bytes: [UInt8], upTo count: Int) throws -> Rows {
        let directory = TemporaryDirectory()
        let file = directory.file("damaged")
        Files.write(bytes, to: file)
        let found = Locked(Rows())
        try virtually { loop, _ in
            try Database.rescuing(file, at: file + ".copy", on: loop) { database throws(StorageError) in
                guard let database else { return }
                var rows = Rows()
                for number in 1...Int64(count) {
                    let text = { (row: borrowing Row) in row.text(0) }
                    if let item = try? database.first(
                        "SELECT item FROM items WHERE number = ?",
                        .integer(number),
                        read: { row in LibraryTable.item(row.blob(0)) }
                    ), let item {
                        rows.items.append(item.id)
                    }
                    if let query = try? database.first(
                        "SELECT query, at, count, sources FROM history WHERE number = ?",
                        .integer(number),
                        read: text
                    ) {
                        rows.searches.append(query)
                    }
                    // A search that brought it is enough, whatever stands behind that.
                    if let id = try? database.first(
                        "SELECT id, hit, query FROM seen JOIN seenBy USING (number) WHERE number = ? LIMIT 1",
                        .integer(number),
                        read: text
                    ) {
                        rows.hits.append(id)
                    }
                }
                found.withLock { $0 = rows }
            }
        }
        return found.withLock { $0 }
    }

    /// What a store has made of a file, and what it reported.
    private static func rescued(_ bytes: [UInt8], log: [UInt8] = []) async throws -> (rows: Rows, reports: [String]) {
        let (directory, reports) = (TemporaryDirectory(), Locked<[String]>([]))
        Files.write(bytes, to: PersonalWorld.file(in: directory))
        if !log.isEmpty { Files.write(log, to: PersonalWorld.file(in: directory) + "-wal") }
        let rows = try await PersonalWorld.withStore(directory, reports: reports) { store in
            // The first that reads it all finds the damage; a page that holds nothing does no harm.
            _ = try? await store.readThrough()
            return try await store.rows()
        }
        return (Rows(items: rows[0], searches: rows[1], hits: rows[2]), reports.withLock { $0 })
    }

    @Test(arguments: [1, 4, 40])
    func `of pages with garbage, all rows are rescued that can be read one at a time`(pages: Int) async throws {
        var random = SeededGenerator(seed: testSeed())
        let whole = try await Self.file(items: 800)
        for _ in 0..<testSize(2, "SEARCHD_TEST_DAMAGES") {
            var bytes = whole
            for _ in 0..<pages {
                let page = Int.random(in: 1..<bytes.count / Self.pageBytes, using: &random)
                let garbage = (0..<Self.pageBytes).map { _ in UInt8.random(in: 0...255, using: &random) }
                bytes.replaceSubrange(page * Self.pageBytes..<(page + 1) * Self.pageBytes, with: garbage)
            }
            let expected = try Self.readable(bytes, upTo: 1000)
            let (rows, reports) = try await Self.rescued(bytes)
            #expect(rows - expected == [[], [], []])
            #expect(reports.count <= 1)
        }
    }

    @Test(arguments: [2, 3])
    func `of a file that was cut short, what is left is rescued`(parts: Int) async throws {
        let whole = try await Self.file(items: 800)
        let half = Array(whole[..<(whole.count / parts)])
        let expected = try Self.readable(half, upTo: 1000)
        let (rows, reports) = try await Self.rescued(half)
        #expect(rows - expected == [[], [], []])
        #expect(rows.items.count > 500 / parts)
        #expect(reports.count == 1)
    }

    /// A file with its log as they are while ten changes of three items each are answered.
    private static func unclosed() async throws -> (file: [UInt8], log: [UInt8]) {
        let directory = TemporaryDirectory()
        let file = PersonalWorld.file(in: directory)
        return try await PersonalWorld.withStore(directory) { store in
            for start in stride(from: 0, to: 30, by: 3) {
                _ = try await store.perform(.save((start..<start + 3).map { try SavedItemTests.item("\($0)") }))
            }
            return (Files.contents(of: file), Files.contents(of: file + "-wal"))
        }
    }

    @Test func `a log that is whole is no damage`() async throws {
        let (file, log) = try await Self.unclosed()
        let (rows, reports) = try await Self.rescued(file, log: log)
        #expect(rows.items.count == 30 && reports == [])
    }

    @Test func `damage in the log is told, and what later changes brought is rescued`() async throws {
        var random = SeededGenerator(seed: testSeed())
        let (file, log) = try await Self.unclosed()
        let frames = log.count / (24 + Self.pageBytes)
        for round in 0..<testSize(20, "SEARCHD_TEST_DAMAGES") {
            var damaged = log
            // The last two changes are whole.
            let frame = Int.random(in: 0..<frames / 2, using: &random)
            let start = 32 + frame * (24 + Self.pageBytes)
            let offset = Int.random(in: start..<start + 24 + Self.pageBytes, using: &random)
            damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let (rows, reports) = try await Self.rescued(file, log: damaged)
            #expect(reports.count == 1 && reports.allSatisfy { $0.contains("log is damaged") }, "round \(round)")
            #expect(rows.items.count > 20, "round \(round): \(rows.items.count)")
        }
    }

    @Test func `a log without its file is told, and kept`() async throws {
        let (_, log) = try await Self.unclosed()
        let directory = TemporaryDirectory()
        let file = PersonalWorld.file(in: directory)
        Files.write(log, to: file + "-wal")
        try await PersonalWorld.withStore(directory) { store in
            _ = try await store.revision()
            #expect(await store.damages().map(\.at) == [500])
        }
        #expect(Files.contents(of: file + ".damaged-500-wal") == log)
    }

    @Test func `kill -9 during a rescue loses nothing that can be read`() async throws {
        var random = SeededGenerator(seed: testSeed())
        var bytes = try await Self.file(items: 800)
        for page in [bytes.count / Self.pageBytes / 2, bytes.count / Self.pageBytes / 3] {
            bytes.replaceSubrange(
                page * Self.pageBytes..<(page + 1) * Self.pageBytes,
                with: repeatElement(0xAB, count: Self.pageBytes)
            )
        }
        let expected = try Self.readable(bytes, upTo: 1000)
        for round in 0..<testSize(6, "SEARCHD_TEST_CRASHES") {
            let directory = TemporaryDirectory()
            Files.write(bytes, to: PersonalWorld.file(in: directory))
            await Self.readAndKill(in: directory.path, microseconds: Int.random(in: 1_000...700_000, using: &random))
            let rows = try await PersonalWorld.withStore(directory) { store in
                _ = try? await store.readThrough()
                #expect(await store.damages().count == 1)
                return try await store.rows()
            }
            let rescued = Rows(items: rows[0], searches: rows[1], hits: rows[2])
            #expect(rescued - expected == [[], [], []], "round \(round)")
            #expect(directory.names.filter { $0.contains(".new") || $0.contains("rescued") } == [])
        }
    }

    private static func readAndKill(in directory: String, microseconds: Int) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [directory = directory as String, microseconds = microseconds as Int] in
            let storage = try LoopThread(named: "storage")
            let store = PersonalWorld.store(in: directory, on: storage.loop)
            Death.schedule(microseconds: microseconds)
            while true { _ = try? await store.readThrough() }
        }
    }

    @Test func `many damaged pages don't take long`() async throws {
        let whole = try await Self.file(items: 800)
        var bytes = whole
        // Every third page but the first.
        for page in stride(from: 2, to: bytes.count / Self.pageBytes, by: 3) {
            bytes.replaceSubrange(
                page * Self.pageBytes..<(page + 1) * Self.pageBytes,
                with: repeatElement(0xAB, count: Self.pageBytes)
            )
        }
        let (rows, _) = try await Self.rescued(bytes)
        #expect(rows - (try Self.readable(bytes, upTo: 1000)) == [[], [], []])
    }
}

extension PersonalStore {
    /// Reads all that is in the file, so that what is damaged is found.
    fileprivate func readThrough() throws {
        try use { tables throws(StorageError) in
            try tables.database.run("SELECT count(*), sum(length(item)) FROM items NOT INDEXED")
            try tables.database.run("SELECT count(*), sum(length(sources)) FROM history NOT INDEXED")
            try tables.database.run("SELECT count(*), sum(length(hit)) FROM seen NOT INDEXED")
            try tables.database.run("SELECT count(*), sum(query) FROM seenBy NOT INDEXED")
        }
    }

    fileprivate func rows() throws -> [[String]] {
        try use { tables throws(StorageError) in
            var rows: [[String]] = [[], [], []]
            try tables.database.run("SELECT id FROM items NOT INDEXED ORDER BY number") { row throws(StorageError) in
                rows[0].append(row.text(0))
            }
            try tables.database.run("SELECT query FROM history NOT INDEXED ORDER BY number") {
                row throws(StorageError) in rows[1].append(row.text(0))
            }
            try tables.database.run("SELECT id FROM seen NOT INDEXED ORDER BY number") { row throws(StorageError) in
                rows[2].append(row.text(0))
            }
            return rows
        }
    }
}
