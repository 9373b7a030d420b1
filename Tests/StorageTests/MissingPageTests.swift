import EventLoop
import TestSupport
import Testing

@testable import Storage

/// What is known to be not on disk, without a look at it.
@Suite struct MissingPageTests {
    /// Which of these the archive knows to be missing.
    private static func missing(_ count: Int, in archive: PageArchive) -> [Int] {
        (0..<count).filter { archive.isMissing(archivedPage($0).key) }
    }

    @Test func `nothing is known before the file is open, nor after it was let go of`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let archive = world.archive()
            #expect(!archive.isMissing(archivedPage(1).key))
            #expect(archive.figures.misses == 0)
            #expect(await archive.stored(archivedPage(1)) == nil)
            #expect(archive.isMissing(archivedPage(1).key))
            #expect(archive.figures.misses == 2)
            await archive.close()
            #expect(!archive.isMissing(archivedPage(1).key))
        }
    }

    @Test func `what is written, found at the start, cleared or has given way is known`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let pages = (0..<8).map { archivedPage($0) }
            let bytesMax = PageTable.cost(of: pages[0]) * 5
            let first = world.archive(bytesMax: bytesMax)
            for page in pages[..<2] { first.put(page) }
            try await world.settle()
            #expect(Self.missing(4, in: first) == [2, 3])
            await first.close()
            let second = world.archive(bytesMax: bytesMax)
            second.put(pages[2])
            try await world.settle()
            #expect(Self.missing(4, in: second) == [3])
            for page in pages[3...] {
                second.put(page)
                try await world.settle()
            }
            let present = await second.present(pages)
            #expect(present.count < 6)
            #expect(Self.missing(8, in: second) == (0..<8).filter { !present.contains($0) })
            _ = await second.removeAll { _ in true }
            #expect(Self.missing(8, in: second) == Array(0..<8))
        }
    }

    @Test func `what could not be written is not known`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let archive = world.archive(bytesMax: 1 << 20, fileBytesMax: 600_000)
            let pages = (0..<60).map { archivedPage($0, bytes: 10_000) }
            for page in pages {
                archive.put(page)
                try await world.settle()
            }
            #expect(archive.figures.dropped > 0)
            let present = await archive.present(pages)
            #expect(Self.missing(60, in: archive) == (0..<60).filter { !present.contains($0) })
        }
    }

    @Test func `what another process has changed is known after the next write`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let (one, other) = (world.archive(), world.archive())
            one.put(archivedPage(0))
            try await world.settle()
            other.put(archivedPage(1))
            other.put(archivedPage(2))
            try await world.settle()
            #expect(Self.missing(4, in: one) == [1, 2, 3])
            #expect(Self.missing(4, in: other) == [3])
            // To look is to find it.
            #expect(await one.stored(archivedPage(1)) == archivedPage(1))
            one.put(archivedPage(3))
            try await world.settle()
            #expect(Self.missing(4, in: one) == [])
            #expect(one.figures.entries == 4)
            #expect(await other.removeAll { _ in true } == 4)
            one.put(archivedPage(3))
            try await world.settle()
            #expect(Self.missing(4, in: one) == [0, 1, 2])
            #expect(one.figures.bytes == PageTable.cost(of: archivedPage(3)))
        }
    }

    @Test func `a new file in place of a damaged one has nothing`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let archive = world.archive()
            archive.put(archivedPage(1))
            try await world.settle()
            do {
                let database = try Database(world.path, schema: PageTable.schema, journal: .undo, on: loop)
                try database.script("DROP TABLE contents")
            }
            #expect(await archive.stored(archivedPage(1)) == nil)
            #expect(world.lines.withLock { $0.count } == 1)
            #expect(Self.missing(3, in: archive) == [0, 1, 2])
        }
    }

    @Test(arguments: [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)])
    func `numbers of keys never change`(key: String, number: UInt64) {
        #expect(PageNumber.of(Array(key.utf8)) == number)
    }
}
