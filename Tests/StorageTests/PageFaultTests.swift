import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Storage

/// A damaged file, an unusable file or a full disk must never make a search fail.
@Suite struct PageFaultTests {
    private static func filled(_ loop: EventLoop, _ pages: [ArchivedPage]) async throws -> ArchiveWorld {
        let world = ArchiveWorld(loop)
        let archive = world.archive()
        for page in pages { archive.put(page) }
        await archive.close()
        return world
    }

    private static func expectWorking(
        _ archive: PageArchive,
        _ world: ArchiveWorld,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let page = archivedPage(77)
        archive.put(page)
        try await world.settle()
        #expect(await archive.stored(page) == page, sourceLocation: location)
    }

    @Test func `a file that is not a database is replaced by an empty file, with one log line`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            Files.write([UInt8](repeating: 0x5A, count: 20_000), to: world.path)
            let archive = world.archive()
            #expect(await archive.stored(archivedPage(1)) == nil)
            try await Self.expectWorking(archive, world)
            #expect(world.lines.withLock { $0.count } == 1)
            #expect(world.lines.withLock { $0[0].contains(world.path) })
        }
    }

    @Test(arguments: ["DROP TABLE pages", "PRAGMA user_version = 99"])
    func `a file without its table or of a newer version is replaced by an empty file`(change: String) throws {
        try virtually { loop, _ in
            let world = try await Self.filled(loop, [archivedPage(1)])
            do {
                let database = try Database(world.path, schema: PageArchive.schema, journal: .unsyncedUndo, on: loop)
                try database.script(change)
            }
            let archive = world.archive()
            #expect(await archive.stored(archivedPage(1)) == nil)
            try await Self.expectWorking(archive, world)
            #expect(world.lines.withLock { $0.count } == 1)
        }
    }

    @Test(arguments: ["UPDATE pages SET key = x'00'", "UPDATE pages SET bytes = zeroblob(3000)"])
    func `a damaged page, or a page with a wrong key, is a miss and can be replaced`(change: String) throws {
        try virtually { loop, _ in
            let page = archivedPage(1)
            let world = try await Self.filled(loop, [page])
            do {
                let database = try Database(world.path, schema: PageArchive.schema, journal: .unsyncedUndo, on: loop)
                try database.script(change)
            }
            let archive = world.archive()
            #expect(await archive.stored(page) == nil)
            archive.put(page)
            try await world.settle()
            #expect(await archive.stored(page) == page)
            #expect(archive.figures.entries == 1)
            #expect(world.lines.withLock { $0 } == [])
        }
    }

    @Test func `a directory with the file's name is reported, and nothing is stored`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            _ = unsafe mkdir(world.path, 0o700)
            let archive = world.archive()
            archive.put(archivedPage(1))
            try await world.settle()
            #expect(await archive.stored(archivedPage(1)) == nil)
            #expect(world.lines.withLock { $0.map { $0.contains("is a directory") } } == [true])
        }
    }

    @Test func `while the directory is not writable, nothing is stored and one line is logged`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let blocked = world.directory.file("cache")
            Files.write([1], to: blocked)
            let archive = world.archive(path: "\(blocked)/pages.sqlite")
            for number in 1...5 {
                archive.put(archivedPage(number))
                try await world.settle()
                #expect(await archive.stored(archivedPage(number)) == nil)
            }
            #expect(archive.figures.dropped == 5)
            #expect(world.lines.withLock { $0.count } == 1)
            _ = unsafe unlink(blocked)
            try await loop.sleep(until: loop.now.advanced(by: PageArchive.retryAfter))
            try await Self.expectWorking(archive, world)
            #expect(world.lines.withLock { $0.last }?.hasSuffix("again") == true)
        }
    }

    @Test func `random damage in the file causes no failure, and the archive recovers`() throws {
        let seed = testSeed()
        try virtually { loop, _ in
            var random = SeededGenerator(seed: seed)
            let pages = (0..<60).map { archivedPage($0, bytes: 200 + $0 * 200) }
            let damages = testSize(30, "SEARCHD_TEST_DAMAGES")
            for _ in 0..<damages {
                let world = try await Self.filled(loop, pages)
                var bytes = Files.contents(of: world.path)
                for _ in 0...Int.random(in: 0...3, using: &random) {
                    let start = Int.random(in: 0..<bytes.count, using: &random)
                    let end = min(bytes.count, start + Int.random(in: 1...20_000, using: &random))
                    for index in start..<end { bytes[index] = UInt8.random(in: 0...255, using: &random) }
                }
                if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
                Files.write(bytes, to: world.path)
                let archive = world.archive(bytesMax: 600_000)
                for page in pages {
                    _ = await archive.stored(page)
                    archive.put(page)
                    try await world.settle()
                }
                _ = await archive.removeAll { _ in true }
                try await Self.expectWorking(archive, world)
                #expect(world.lines.withLock { $0.count } <= 4)
                await archive.close()
            }
            proved("after damage to \(damages) files, no search failed and each file was usable again")
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount"))
    func `while the disk is full, pages are dropped, and only one line is logged`() throws {
        let disk = try #require(SmallDisk(bytes: 600_000))
        defer { disk.remove() }
        try virtually { loop, _ in
            let world = ArchiveWorld(loop, in: disk.directory)
            let archive = world.archive(bytesMax: 8 << 20)
            let pages = (0..<100).map { archivedPage($0, bytes: 40_000) }
            archive.put(pages[0])
            try await world.settle()
            Files.fill(disk.directory.file("ballast"))
            for page in pages[1...] {
                archive.put(page)
                try await world.settle()
            }
            #expect(archive.figures.dropped == 99)
            #expect(await archive.stored(pages[0]) == pages[0])
            #expect(world.lines.withLock { $0.count } == 1)
            _ = unsafe unlink(disk.directory.file("ballast"))
            try await Self.expectWorking(archive, world)
            #expect(world.lines.withLock { $0.count } == 2)
            await archive.close()
        }
    }
}
