import EventLoop
import SearchModel
import Storage
import TestSupport
import Testing

@testable import Personal

/// One user's store in a separate directory.
enum PersonalStoreFixture {
    static let userID: UInt32 = 1000

    static func file(in directory: TemporaryDirectory) -> String { directory.file("\(userID).sqlite") }

    static func store(
        in directory: String,
        on loop: EventLoop,
        now: Locked<Int64> = Locked(500),
        reports: Locked<[String]> = Locked([]),
        renewed: Locked<Int> = Locked(0),
        committed: Locked<[LibraryChange]> = Locked([])
    ) -> PersonalStore {
        PersonalStore(
            of: userID,
            in: PersonalPlace(directory, on: [loop]),
            wallClock: { now.withLock { $0 } },
            report: { line in reports.withLock { $0.append(line) } },
            whenRenewed: { renewed.withLock { $0 += 1 } },
            whenCommitted: { changes, answer in
                committed.withLock { $0 += changes }
                answer()
            }
        )
    }

    static func withStore<Value: Sendable>(
        _ directory: TemporaryDirectory,
        now: Locked<Int64> = Locked(500),
        reports: Locked<[String]> = Locked([]),
        renewed: Locked<Int> = Locked(0),
        committed: Locked<[LibraryChange]> = Locked([]),
        _ body: (PersonalStore) async throws -> Value
    ) async throws -> Value {
        let storage = try LoopThread(named: "storage")
        let store = store(
            in: directory.path,
            on: storage.loop,
            now: now,
            reports: reports,
            renewed: renewed,
            committed: committed
        )
        let result = try await body(store)
        await store.close()
        storage.stop()
        return result
    }
}

extension PersonalStore {
    func copyFirstItem(to numbers: ClosedRange<Int>) throws(SearchError) {
        try use { tables throws(StorageError) in
            try tables.database.transaction { () throws(StorageError) in
                try tables.database.run(
                    """
                    WITH RECURSIVE counts(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM counts WHERE n < ?2)
                    INSERT INTO items
                    SELECT n, n, insertedBy, revision, kind, source, genre, savedAt, published, rating, x'', x'',
                        checksum(CAST(n AS TEXT), insertedBy, revision, kind, source, genre, savedAt, published, rating,
                            x'', x'')
                    FROM counts JOIN items ON number = 1
                    """,
                    .integer(Int64(numbers.lowerBound)),
                    .integer(Int64(numbers.upperBound))
                )
            }
        }
    }

    func setVersion(_ version: Int) throws(SearchError) {
        try use { tables throws(StorageError) in try tables.database.script("PRAGMA user_version = \(version)") }
    }

    func all() throws(SearchError) -> [SavedItem] { try changes(since: 0)?.inserted ?? [] }

    /// Reads the changes in the smallest possible parts.
    func changes(since revision: Int64) throws(SearchError) -> LibraryChange? {
        guard var part = try changes(after: LibraryPosition(after: revision), bytesMax: 1) else { return nil }
        var (inserted, updated) = (part.change.inserted, part.change.updated)
        let deleted = part.change.deleted
        while let next = part.next {
            guard let following = try changes(after: next, bytesMax: 1) else { return nil }
            #expect(following.change.revision >= part.change.revision)
            part = following
            inserted += part.change.inserted
            updated += part.change.updated
        }
        return LibraryChange(revision: part.change.revision, inserted: inserted, updated: updated, deleted: deleted)
    }
}

extension [UInt8] {
    var id: String { LibraryTable.item(self)?.id ?? "" }
}

/// A library in version 5 of the file format.
enum OldLibrary {
    static func write(_ items: [SavedItem], indexed: Int, to file: String, on loop: EventLoop) throws {
        let old = Schema(migrations: Array(PersonalSchema.schema.migrations.prefix(5)))
        let database = try Database(file, schema: old, journal: .log, on: loop)
        for (index, item) in items.enumerated() {
            try database.run(
                """
                INSERT INTO items
                    (id, insertedBy, revision, kind, source, genre, savedAt, published, rating, title, item)
                VALUES (?, 1, 1, 'book', ?, '', ?, NULL, NULL, x'', ?)
                """,
                .text(item.id),
                .text(item.hit.source.text),
                .integer(item.savedAt),
                .blob(item.jsonBytes)
            )
            guard index < indexed else { continue }
            try database.run(
                "INSERT INTO words (rowid, tokens) VALUES (last_insert_rowid(), ?)",
                .text(IndexTokens(SavedItem.texts(of: item.jsonBytes)).text)
            )
        }
        try database.run("UPDATE state SET revision = 1, indexed = ?", .integer(indexed))
        try database.run("INSERT INTO history (at, count, query, sources) VALUES (499000, 1, 'old', 'a.b')")
    }
}
