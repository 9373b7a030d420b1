import EventLoop
import TestSupport
import Testing

@testable import Storage

/// Which numbers are tried in a table that can't be read whole.
@Suite struct TableTreeTests {
    private static let schema = Schema(migrations: [
        "CREATE TABLE words (number INTEGER PRIMARY KEY, bytes BLOB) STRICT"
    ])
    private static let pageBytes = 4096

    /// A file with rows whose numbers lie apart.
    private static func file(rows: Int, apart: Int = 1, from first: Int = 1) throws -> [UInt8] {
        let directory = TemporaryDirectory()
        let path = directory.file("a.sqlite")
        try virtually { loop, _ in
            let database = try Database(path, schema: schema, journal: .log, on: loop)
            try database.transaction { () throws(StorageError) in
                for row in 0..<rows {
                    try database.run(
                        "INSERT INTO words VALUES (?, randomblob(200))",
                        .integer(first + row * apart)
                    )
                }
            }
        }
        return Files.contents(of: path)
    }

    private static func numbersToTry(_ bytes: [UInt8]) throws -> [Int64] {
        let directory = TemporaryDirectory()
        Files.write(bytes, to: directory.file("a"))
        let numbers = Locked<[Int64]>([])
        try virtually { loop, _ in
            try Database.rescuing(directory.file("a"), at: directory.file("b"), on: loop) { database in
                numbers.withLock { $0 = database?.numbersToTry(in: "words") ?? [] }
            }
        }
        #expect(directory.names == ["a"])
        return numbers.withLock { $0 }
    }

    @Test(arguments: [(0, 1, 1), (3, 1, 1), (5000, 1, 1), (5000, 1000, 3), (2000, 1 << 40, 1 << 50)])
    func `a table that is whole has the numbers of its rows`(rows: Int, apart: Int, first: Int) throws {
        let numbers = try Self.numbersToTry(Self.file(rows: rows, apart: apart, from: first))
        #expect(numbers == (0..<rows).map { Int64(first + $0 * apart) })
    }

    @Test func `of a table with both ends damaged and numbers far apart, the rest is tried`() throws {
        var bytes = try Self.file(rows: 5000, apart: 1 << 30, from: 1 << 50)
        let pages = bytes.count / Self.pageBytes
        // The first leaves and the last ones.
        for page in Array(3..<8) + Array(pages - 5..<pages) {
            bytes.replaceSubrange(
                page * Self.pageBytes..<(page + 1) * Self.pageBytes,
                with: repeatElement(0xAB, count: Self.pageBytes)
            )
        }
        let numbers = try Self.numbersToTry(bytes)
        #expect((4700...4900).contains(numbers.count))
        #expect(numbers == numbers.sorted() && numbers.allSatisfy { $0 % (1 << 30) == 0 })
    }

    @Test func `pages that lead in a circle or nowhere end the reading`() {
        // One inner page with a single cell, which leads to itself and to a page that isn't there.
        var page = [UInt8](repeating: 0, count: 512)
        (page[0], page[4], page[11]) = (5, 1, 9)
        (page[12], page[13]) = (1, 0)
        (page[256 + 3], page[256 + 4], page[256 + 5]) = (1, 0x81, 0x01)
        #expect(TableTree.leafEnds(root: 1, pageCount: 3) { _ in page } == [129])
        #expect(TableTree.leafEnds(root: 7, pageCount: 3) { _ in page } == [])
        #expect(TableTree.leafEnds(root: 1, pageCount: 3) { _ in nil } == [])
    }

    @Test func `garbage is read without harm`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<200 {
            let ends = TableTree.leafEnds(root: 1, pageCount: 20) { _ in
                [5] + (1..<512).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
            #expect(ends == ends.sorted())
        }
    }
}
