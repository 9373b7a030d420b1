import EventLoop
import SearchModel
import Storage
import TestSupport
import Testing

@testable import Personal

/// One user's store in a directory of its own.
enum PersonalWorld {
    static let userID: UInt32 = 1000

    static func file(in directory: TemporaryDirectory) -> String { directory.file("\(userID).sqlite") }

    static func store(
        in directory: String,
        on loop: EventLoop,
        reports: Locked<[String]> = Locked([]),
        told: Locked<[LibraryChange]> = Locked([])
    ) -> PersonalStore {
        PersonalStore(
            of: userID,
            in: PersonalClaim(directory, in: directory),
            on: loop,
            wallClock: { 500 },
            report: { line in reports.withLock { $0.append(line) } },
            whenCommitted: { changes, answer in
                told.withLock { $0 += changes }
                answer()
            }
        )
    }

    /// Lends a store on a thread of its own, and closes it.
    static func withStore<Value: Sendable>(
        _ directory: TemporaryDirectory,
        reports: Locked<[String]> = Locked([]),
        told: Locked<[LibraryChange]> = Locked([]),
        _ body: (PersonalStore) async throws -> Value
    ) async throws -> Value {
        let storage = try LoopThread(named: "storage")
        let store = store(in: directory.path, on: storage.loop, reports: reports, told: told)
        let result = try await body(store)
        await store.close()
        storage.stop()
        return result
    }
}

extension PersonalStore {
    /// Repeats the first row under other ids and numbers.
    func repeatFirst(as numbers: ClosedRange<Int>) throws(SearchError) {
        try use { tables throws(StorageError) in
            try tables.database.transaction { () throws(StorageError) in
                try tables.database.run(
                    """
                    WITH RECURSIVE counts(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM counts WHERE n < ?2)
                    INSERT INTO items
                    SELECT n, n, insertedBy, revision, kind, source, genre, savedAt, published, rating, title, x''
                    FROM counts JOIN items ON number = 1
                    """,
                    .integer(Int64(numbers.lowerBound)),
                    .integer(Int64(numbers.upperBound))
                )
            }
        }
    }

    /// Every item, in the order in which they came.
    func all() throws(SearchError) -> [SavedItem] { try changes(since: 0)?.inserted ?? [] }

    /// All that is different from a revision on, read in small parts.
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
