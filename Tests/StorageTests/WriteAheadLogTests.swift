import EventLoop
import TestSupport
import Testing

@testable import Storage

/// Which losses of a log are told, and what is read of it then.
///
/// Each log is one that SQLite wrote.
@Suite struct WriteAheadLogTests {
    private static let schema = Schema(migrations: ["CREATE TABLE words (number INTEGER PRIMARY KEY, bytes BLOB)"])
    private static let pageBytes = 4096
    private static let frameBytes = 24 + pageBytes

    private struct Log: Sendable {
        /// Of the file beside it.
        var file: [UInt8] = []
        var bytes: [UInt8] = []
        /// Where each transaction ends, in frames.
        var ends: [Int] = []
    }

    /// The log of transactions that each add so many rows; it goes on from another one, if that is given.
    private static func log(rows: [Int] = Array(repeating: 6, count: 8), after log: Log? = nil) throws -> Log {
        let directory = TemporaryDirectory()
        let path = directory.file("a.sqlite")
        if let log {
            Files.write(log.file, to: path)
            Files.write(log.bytes, to: path + "-wal")
        }
        let written = Locked(Log())
        try virtually { loop, _ in
            let database = try Database(path, schema: schema, journal: .log, on: loop)
            if log == nil { try database.emptyLog() }
            written.withLock { $0.file = Files.contents(of: path) }
            for count in rows {
                try database.transaction { () throws(StorageError) in
                    for _ in 0..<count { try database.run("INSERT INTO words (bytes) VALUES (randomblob(1500))") }
                }
                written.withLock { $0.ends.append((Files.size(of: path + "-wal") - 32) / frameBytes) }
            }
            written.withLock { $0.bytes = Files.contents(of: path + "-wal") }
        }
        return written.withLock { $0 }
    }

    private static func read(_ bytes: [UInt8]) -> WriteAheadLog { WriteAheadLog(bytes, pageBytes: pageBytes) }

    /// Where a frame stands, from 0.
    private static func start(of frame: Int) -> Int { 32 + frame * frameBytes }

    /// The frames that are read of it, from 0.
    private static func frames(of log: WriteAheadLog) -> [Int] {
        log.pages.map { ($0.bytes.lowerBound - 32) / frameBytes }
    }

    @Test func `a log that is whole is read to its end`() throws {
        let written = try Self.log()
        let (bytes, ends) = (written.bytes, written.ends)
        let log = Self.read(bytes)
        #expect(!log.isDamaged && log.pageBytes == 4096)
        #expect(Self.frames(of: log) == Array(0..<ends[7]))
        #expect(log.pages.allSatisfy { $0.number > 0 && $0.bytes.count == 4096 })
    }

    @Test func `no log, and one of zeros, bring nothing and are no damage`() {
        for bytes in [[], [UInt8](repeating: 0, count: 20), [UInt8](repeating: 0, count: 32 + 3 * Self.frameBytes)] {
            let log = Self.read(bytes)
            #expect(!log.isDamaged && log.pages.isEmpty)
        }
    }

    @Test func `one bit that is wrong anywhere in a transaction with another behind its next is damage`() throws {
        var random = SeededGenerator(seed: testSeed())
        let written = try Self.log()
        let (bytes, ends) = (written.bytes, written.ends)
        for _ in 0..<200 {
            var damaged = bytes
            let frame = Int.random(in: 0..<ends[5], using: &random)
            let offset = Self.start(of: frame) + Int.random(in: 0..<Self.frameBytes, using: &random)
            damaged[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let log = Self.read(damaged)
            #expect(log.isDamaged, "a bit at \(offset)")
            // The checksum that stands in a frame is what the next one continues.
            let isSum = (16..<24).contains(offset - Self.start(of: frame))
            let lost = isSum ? [frame, frame + 1] : [frame]
            #expect(Self.frames(of: log) == (0..<ends[7]).filter { !lost.contains($0) })
        }
    }

    @Test func `of transactions that all end with one page, as many are read behind the damage`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("a.sqlite")
        let written = Locked<[UInt8]>([])
        try virtually { loop, _ in
            let database = try Database(path, schema: Self.schema, journal: .log, on: loop)
            try database.run("INSERT INTO words (bytes) VALUES (randomblob(100)), (randomblob(9000))")
            try database.emptyLog()
            // The second row's pages, and the first's last.
            for _ in 0..<30 {
                try database.transaction { () throws(StorageError) in
                    try database.run("UPDATE words SET bytes = randomblob(9000) WHERE number = 2")
                    try database.run("UPDATE words SET bytes = randomblob(100) WHERE number = 1")
                }
            }
            written.withLock { $0 = Files.contents(of: path + "-wal") }
        }
        var bytes = written.withLock { $0 }
        let count = (bytes.count - 32) / Self.frameBytes
        bytes[Self.start(of: count / 2) + 2000] ^= 1
        let log = Self.read(bytes)
        #expect(log.isDamaged && Self.frames(of: log) == (0..<count).filter { $0 != count / 2 })
    }

    @Test func `a header that is wrong is damage once two transactions follow`() throws {
        let written = try Self.log()
        let ends = written.ends
        var bytes = written.bytes
        bytes[17] ^= 1
        let log = Self.read(bytes)
        #expect(log.isDamaged)
        #expect(Self.frames(of: log) == Array(1..<ends[7]))
        #expect(!Self.read(Array(bytes[..<Self.start(of: ends[0])])).isDamaged)
    }

    @Test func `a last transaction of which any sectors are missing is no damage`() throws {
        var random = SeededGenerator(seed: testSeed())
        let written = try Self.log()
        let (bytes, ends) = (written.bytes, written.ends)
        for _ in 0..<300 {
            let last = Int.random(in: 0..<ends.count, using: &random)
            var torn = Array(bytes[..<Self.start(of: ends[last])])
            // A sector that two transactions share was written with the first, too.
            let begin = last == 0 ? 0 : Self.start(of: ends[last - 1])
            for start in stride(from: begin / 512 * 512, to: torn.count, by: 512) where Bool.random(using: &random) {
                for offset in max(start, begin)..<min(start + 512, torn.count) { torn[offset] = 0 }
            }
            let log = Self.read(torn)
            #expect(!log.isDamaged)
            #expect([last == 0 ? 0 : ends[last - 1], ends[last]].contains(log.pages.count))
        }
    }

    @Test func `what an earlier round left behind the end does not count`() throws {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<20 {
            let (old, new) = (try Self.log(), try Self.log())
            let (length, last) = (Self.start(of: new.ends[3]), Self.start(of: new.ends[2]))
            var bytes = Array(new.bytes[..<length] + old.bytes[length...])
            #expect(!Self.read(bytes).isDamaged)
            for start in stride(from: last, to: length, by: 512) where Bool.random(using: &random) {
                for offset in start..<min(start + 512, length) { bytes[offset] = old.bytes[offset] }
            }
            #expect(!Self.read(bytes).isDamaged)
        }
    }

    @Test func `what transactions that came to nothing left behind the end does not count`() throws {
        let begin = try Self.log(rows: [6, 6])
        let long = try Self.log(rows: [40], after: begin)
        let middle = try Self.log(rows: [20], after: begin)
        let short = try Self.log(rows: [3], after: begin)
        var bytes = long.bytes
        // Each came to nothing, as by a loss of power, and the next one began at the same place.
        for next in [middle, short] { bytes.replaceSubrange(..<next.bytes.count, with: next.bytes) }
        let log = Self.read(bytes)
        #expect(!log.isDamaged && log.pages.count == short.ends[0])
    }

    @Test func `a bad frame of the last transaction is no damage, and one before that is`() throws {
        let written = try Self.log()
        var bytes = written.bytes
        bytes[Self.start(of: written.ends[1]) + 100] ^= 1
        #expect(!Self.read(Array(bytes[..<Self.start(of: written.ends[2])])).isDamaged)
        #expect(Self.read(Array(bytes[..<Self.start(of: written.ends[3])])).isDamaged)
    }
}
