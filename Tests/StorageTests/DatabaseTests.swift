import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Storage

@Suite struct DatabaseTests {
    private static let schema = Schema(migrations: [
        "CREATE TABLE words (word TEXT PRIMARY KEY, bytes BLOB, number INTEGER) STRICT"
    ])

    private func withDatabase(
        _ path: String,
        _ schema: Schema = schema,
        _ journal: Database.Journal = .log,
        _ body: @escaping @Sendable (Database) throws -> Void
    ) throws {
        try virtually { loop, _ in
            try body(try Database(path, schema: schema, journal: journal, on: loop))
        }
    }

    private func expect(
        _ number: Int64?,
        from sql: String,
        in database: Database,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try database.first(sql) { $0.integer(0) }
        #expect(found == number, sourceLocation: location)
    }

    @Test func `written data still exists after reopening`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("a.sqlite")
        try withDatabase(path) { database in
            try database.run("INSERT INTO words VALUES (?, ?, ?)", .text("고양이"), .blob([0, 1, 255]), .integer(-7))
            try database.run("INSERT INTO words VALUES (?, ?, ?)", .text(""), .blob([]), .null)
        }
        try withDatabase(path) { database in
            var rows: [String] = []
            try database.run("SELECT word, bytes, number FROM words ORDER BY word") { row in
                rows.append("\(row.text(0)) \(row.blob(1)) \(row.integer(2))")
            }
            #expect(rows == [" [] 0", "고양이 [0, 1, 255] -7"])
            try expect(0, from: "SELECT count(*) FROM words WHERE bytes IS NULL", in: database)
            try expect(nil, from: "SELECT 1 WHERE 0", in: database)
        }
    }

    @Test func `files and new directories are private`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("one/two/a.sqlite")
        try withDatabase(path) { database in
            try database.run("INSERT INTO words VALUES ('a', NULL, NULL)")
            for suffix in ["", "-wal", "-shm"] { #expect(Files.mode(of: path + suffix) == 0o600) }
        }
        #expect(Files.mode(of: directory.file("one")) == 0o700)
        #expect(Files.mode(of: directory.file("one/two")) == 0o700)
        _ = unsafe chmod(path, 0o644)
        try withDatabase(path) { _ in #expect(Files.mode(of: path) == 0o600) }
    }

    @Test func `a directory writable by others is refused`() throws {
        let directory = TemporaryDirectory()
        _ = unsafe chmod(directory.path, 0o770)
        #expect(throws: StorageError(.directory, file: "", message: "", hint: "")) {
            try withDatabase(directory.file("a.sqlite")) { _ in }
        }
    }

    @Test(arguments: [(Database.Journal.log, "wal", Int64(2), Int64(1)), (.unsyncedUndo, "persist", 0, 0)])
    func `each kind of journal has its own SQLite settings`(
        journal: Database.Journal,
        mode: String,
        level: Int64,
        erases: Int64
    ) throws {
        let directory = TemporaryDirectory()
        try withDatabase(directory.file("a.sqlite"), Self.schema, journal) { database in
            #expect(try database.first("PRAGMA journal_mode") { $0.text(0) } == mode)
            try expect(level, from: "PRAGMA synchronous", in: database)
            try expect(erases, from: "PRAGMA secure_delete", in: database)
        }
    }

    @Test func `a copy has the state at the start of copying, even if rows are deleted meanwhile`() throws {
        let directory = TemporaryDirectory()
        let (path, copied) = (directory.file("a.sqlite"), directory.file("b.sqlite"))
        try virtually { loop, _ in
            let database = try Database(path, schema: Self.schema, journal: .log, on: loop)
            for number in 0..<2000 {
                try database.run("INSERT INTO words VALUES (?, zeroblob(2000), 1)", .text("\(number)"))
            }
            var steps = 0
            try Database(reading: path, isInUse: true, on: loop).copy(to: copied) {
                steps += 1
                _ = try? database.run("DELETE FROM words WHERE word = '1'")
                return false
            }
            #expect(steps > 2)
            let copy = try Database(reading: copied, on: loop)
            #expect(try copy.isSound())
            try self.expect(2000, from: "SELECT count(*) FROM words", in: copy)
            try self.expect(1999, from: "SELECT count(*) FROM words", in: database)
            #expect(Files.mode(of: copied) == 0o600)
            #expect(directory.names.filter { $0.hasPrefix("b.") } == ["b.sqlite"])
            let error = #expect(throws: StorageError.self) {
                try copy.copy(to: directory.file("c.sqlite")) { true }
            }
            #expect(error?.code == .cancelled)
        }
    }

    @Test func `a cancelled statement ends, and no statement starts until the cancellation is reset`() throws {
        let directory = TemporaryDirectory()
        let cancellation = Cancellation()
        try withDatabase(directory.file("a.sqlite")) { database in
            let error = #expect(throws: StorageError.self) {
                try database.interruptible(by: cancellation) { () throws(StorageError) in
                    var count = 0
                    try database.run(
                        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
                    ) { _ throws(StorageError) in
                        count += 1
                        if count == 10 { cancellation.cancel() }
                    }
                }
            }
            #expect(error?.code == .cancelled)
            #expect(throws: StorageError.self) { try database.interruptible(by: cancellation) {} }
            cancellation.reset()
            try database.interruptible(by: cancellation) { () throws(StorageError) in _ = try database.isSound() }
        }
    }

    @Test func `a checksum changes if a bit or the type of a value changes`() throws {
        let directory = TemporaryDirectory()
        try withDatabase(directory.file("a.sqlite")) { database in
            var sums: Set<Int64> = []
            let lists: [[SQLValue]] = [
                [.text("a"), .text("b")], [.text("ab"), .text("")], [.text("a"), .text("c")],
                [.blob([97]), .text("b")],
                [.integer(1), .integer(2)], [.integer(2), .integer(1)], [.null, .integer(0)], [.integer(0), .null],
                [.text("고양이 사료 한 봉지"), .null], [.text("고양이 사료 한 봉진"), .null],
            ]
            for list in lists {
                try database.run("SELECT checksum(?, ?)", values: list) { row in sums.insert(row.integer(0)) }
            }
            #expect(sums.count == lists.count)
        }
    }

    @Test(arguments: [Database.Journal.log, .unsyncedUndo])
    func `many threads can open the same new file and write to it`(journal: Database.Journal) async throws {
        let directory = TemporaryDirectory()
        let path = directory.file("a.sqlite")
        let count = 8
        try await withThrowingTaskGroup { group in
            for number in 0..<count {
                group.addTask {
                    try withDatabase(path, Self.schema, journal) { database in
                        try database.run("INSERT INTO words VALUES (?, NULL, 1)", .text("\(number)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        try withDatabase(path, Self.schema, journal) { database in
            try expect(Int64(count), from: "SELECT count(*) FROM words", in: database)
        }
    }

    @Test func `migrations run once, in order, and keep existing data`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("a.sqlite")
        try withDatabase(path) { try $0.run("INSERT INTO words VALUES ('a', NULL, 1)") }
        let longer = Schema(
            migrations: Self.schema.migrations + [
                "ALTER TABLE words ADD COLUMN again INTEGER; UPDATE words SET again = number + 1;",
                "UPDATE words SET again = again * 10;",
            ]
        )
        for _ in 1...2 {
            try withDatabase(path, longer) { database in
                try expect(20, from: "SELECT again FROM words", in: database)
                try expect(3, from: "PRAGMA user_version", in: database)
            }
        }
    }

    @Test func `a failed migration leaves the file unchanged`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("a.sqlite")
        try withDatabase(path) { try $0.run("INSERT INTO words VALUES ('a', NULL, 1)") }
        let broken = Schema(
            migrations: Self.schema.migrations + ["UPDATE words SET number = 2; SELECT nothing FROM no;"]
        )
        #expect(throws: StorageError.self) { try withDatabase(path, broken) { _ in } }
        try withDatabase(path) { database in
            try expect(1, from: "SELECT number FROM words", in: database)
            try expect(1, from: "PRAGMA user_version", in: database)
        }
    }

    @Test func `a file of a newer program is refused, and the error says so`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("a.sqlite")
        try withDatabase(path, Schema(migrations: ["CREATE TABLE a (b)", "CREATE TABLE c (d)"])) { _ in }
        let error = try #require(throws: StorageError.self) { try withDatabase(path) { _ in } }
        #expect(error.code == .newerSchema)
        #expect(error.message == "\(path) has version 2, and this searchd knows versions up to 1")
    }

    @Test func `a snapshot does not change while another connection writes`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("a.sqlite")
        try virtually { loop, _ in
            let database = try Database(path, schema: Self.schema, journal: .log, on: loop)
            let other = try Database(path, schema: Self.schema, journal: .log, on: loop)
            let counts = try database.snapshot { () throws(StorageError) in
                let before = try database.first("SELECT count(*) FROM words") { $0.integer(0) }
                try other.run("INSERT INTO words VALUES ('a', x'', 1)")
                return [before, try database.first("SELECT count(*) FROM words") { $0.integer(0) }]
            }
            #expect(counts == [0, 0])
            try self.expect(1, from: "SELECT count(*) FROM words", in: database)
        }
    }

    @Test func `a failed transaction is rolled back, and the next transaction works`() throws {
        let directory = TemporaryDirectory()
        try withDatabase(directory.file("a.sqlite")) { database in
            #expect(throws: StorageError.self) {
                try database.transaction { () throws(StorageError) in
                    try database.run("INSERT INTO words VALUES ('a', NULL, 1)")
                    try database.run("INSERT INTO words VALUES ('a', NULL, 1)")
                }
            }
            try expect(0, from: "SELECT count(*) FROM words", in: database)
            try database.transaction { () throws(StorageError) in
                try database.run("INSERT INTO words VALUES ('a', NULL, 1)")
            }
            try expect(1, from: "SELECT count(*) FROM words", in: database)
        }
    }

    @Test func `an error has SQLite's extended code, but not the inserted value`() throws {
        let directory = TemporaryDirectory()
        try withDatabase(directory.file("a.sqlite")) { database in
            try database.run("INSERT INTO words VALUES (?, NULL, 1)", .text("a-secret"))
            let error = try #require(throws: StorageError.self) {
                try database.run("INSERT INTO words VALUES (?, NULL, 1)", .text("a-secret"))
            }
            // SQLITE_CONSTRAINT_PRIMARYKEY
            #expect(error.code.rawValue == 1555)
            #expect(!"\(error) \(error.hint)".contains("secret"))
        }
    }

    @Test func `a file that is not a database is reported as damaged`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("a.sqlite")
        Files.write([UInt8](repeating: 0x41, count: 8192), to: path)
        let error = try #require(throws: StorageError.self) { try withDatabase(path) { _ in } }
        #expect(error.code.isCorrupt)
    }
}
