import EventLoop
import TestSupport
import Testing

@testable import Storage

@Suite struct PageArchiveTests {
    @Test func `a stored page is found, also after a restart`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let page = archivedPage(1)
            let first = world.archive()
            #expect(await first.stored(page) == nil)
            first.put(page)
            try await world.settle()
            #expect(await first.stored(page) == page)
            #expect(first.figures.hits == 1)
            #expect(first.figures.misses == 1)
            #expect(first.figures.entries == 1)
            await first.close()
            #expect(await world.archive().stored(page) == page)
            #expect(world.lines.withLock { $0 } == [])
        }
    }

    @Test func `closing the archive writes pending pages, and later pages are ignored`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let first = world.archive()
            first.put(archivedPage(1))
            await first.close()
            first.put(archivedPage(2))
            try await world.settle()
            #expect(await first.stored(archivedPage(1)) == nil)
            let second = world.archive()
            #expect(await second.present([archivedPage(0), archivedPage(1), archivedPage(2)]) == [1])
        }
    }

    @Test func `an unused archive creates no file`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let archive = world.archive()
            try await world.settle()
            await archive.close()
            #expect(world.directory.names == [])
        }
    }

    @Test func `a page replaces an older page, but not a newer page`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let archive = world.archive()
            for time in [Int64(5), 9, 7] {
                archive.put(archivedPage(1, bytes: Int(time), fetchedAt: time))
                try await world.settle()
            }
            #expect(await archive.stored(archivedPage(1))?.fetchedAt == 9)
            #expect(archive.figures.entries == 1)
        }
    }

    @Test func `the oldest pages are evicted, so the size limit is never exceeded`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let pages = (0..<25).map { archivedPage($0, fetchedAt: Int64($0)) }
            let cost = PageArchive.cost(of: pages[0])
            let archive = world.archive(bytesMax: cost * 20 + 100)
            for page in pages {
                archive.put(page)
                try await world.settle()
                #expect(archive.figures.bytes <= cost * 20 + 100)
            }
            let found = await archive.present(pages)
            #expect(found == Array((25 - found.count)..<25))
            #expect(found.count > 15)
            #expect(archive.figures.evictions == 25 - found.count)
        }
    }

    @Test func `a missing page is detected without reading the file`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let archive = world.archive()
            let page = archivedPage(1)
            #expect(!archive.isMissing(page.key))
            archive.put(page)
            try await world.settle()
            #expect(!archive.isMissing(page.key))
            #expect(archive.isMissing(archivedPage(2).key))
            #expect(archive.figures.misses == 1)
            #expect(await archive.removeAll { _ in true } == 1)
            #expect(archive.isMissing(page.key))
        }
    }

    @Test func `a page as large as the limit is kept, and a larger page is not`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let fitting = archivedPage(1, bytes: 50_000)
            let large = archivedPage(2, bytes: 60_000)
            let archive = world.archive(bytesMax: PageArchive.cost(of: fitting))
            archive.put(fitting)
            archive.put(large)
            try await world.settle()
            #expect(await archive.present([fitting, large]) == [0])
        }
    }

    @Test func `a smaller limit at the next start evicts pages and shrinks the file`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let pages = (0..<100).map { archivedPage($0, bytes: 10_000) }
            let large = world.archive(bytesMax: 4 << 20)
            for page in pages { large.put(page) }
            await large.close()
            #expect(Files.size(of: world.path) > 1_000_000)
            let small = world.archive(bytesMax: 400_000)
            #expect(await small.present(pages).count > 15)
            #expect(small.figures.bytes <= 400_000)
            await small.close()
            #expect(Files.size(of: world.path) <= 700_000)
        }
    }

    @Test func `pages can be cleared by source, by query or by both, even before they are written`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let archive = world.archive()
            let pages = [("a.one", "x"), ("a.one", "y"), ("b.two", "x"), ("b.two", "y")].map { source, query in
                archivedPage(0, source: source, query: query)
            }
            for page in pages[..<3] { archive.put(page) }
            try await world.settle()
            archive.put(pages[3])
            #expect(await archive.removeAll { $0.query == "y" && $0.source == "b.two" } == 0)
            try await world.settle()
            #expect(await archive.present(pages) == [0, 1, 2])
            #expect(await archive.removeAll { $0.source.hasPrefix("b.") } == 1)
            #expect(await archive.removeAll { $0.query == "x" } == 1)
            #expect(await archive.present(pages) == [1])
            #expect(await archive.removeAll { _ in true } == 1)
            #expect(archive.figures.bytes == 0)
        }
    }

    @Test func `removing a page by its key also cancels its pending write, and keeps other pages`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let archive = world.archive()
            let pages = (0..<3).map { archivedPage($0) }
            let key = pages[1].key
            for page in pages { archive.put(page) }
            try await world.settle()
            #expect(await archive.removeAll { $0.key == key } == 1)
            #expect(await archive.present(pages) == [0, 2])
            archive.put(pages[1])
            #expect(await archive.removeAll { $0.key == key } == 0)
            try await world.settle()
            #expect(await archive.present(pages) == [0, 2])
        }
    }

    /// Counts the bytes equal to `number`, in runs of more than 16, because shorter runs may be a coincidence.
    private static func bytes(of number: UInt8, in world: ArchiveWorld) -> Int {
        world.directory.names.reduce(0) { count, name in
            let file = Files.contents(of: world.directory.file(name))
            let runs = file.split { $0 != number }.filter { $0.count > 16 }
            return count + runs.reduce(0) { $0 + $1.count }
        }
    }

    @Test func `removed pages leave no bytes in any file`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let archive = world.archive()
            for number in 160..<166 {
                archive.put(archivedPage(number, query: number.isMultiple(of: 2) ? "x" : "y", bytes: 40_000))
            }
            try await world.settle()
            #expect(Self.bytes(of: 161, in: world) > 30_000)
            #expect(await archive.removeAll { $0.query == "x" } == 3)
            for number in [UInt8(160), 162, 164] { #expect(Self.bytes(of: number, in: world) == 0) }
            #expect(Self.bytes(of: 161, in: world) > 30_000)
            #expect(await archive.present([archivedPage(161, query: "y")]) == [0])
        }
    }

    @Test func `a replaced page leaves no bytes of its old content in any file`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let archive = world.archive()
            archive.put(archivedPage(1, query: "y"))
            for (number, time) in [(160, Int64(1)), (161, 2)] {
                var page = archivedPage(0, query: "x", bytes: number == 160 ? 40_000 : 4_000, fetchedAt: time)
                page.bytes = page.bytes.map { _ in UInt8(number) }
                archive.put(page)
                try await world.settle()
            }
            #expect(await archive.removeAll { $0.query == "x" } == 1)
            for number in [UInt8(160), 161] { #expect(Self.bytes(of: number, in: world) == 0) }
        }
    }

    @Test func `clearing everything also erases pages that were evicted before`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let archive = world.archive(bytesMax: 200_000)
            for number in 160..<170 {
                archive.put(archivedPage(number, bytes: 40_000))
                try await world.settle()
            }
            #expect(archive.figures.evictions > 0)
            #expect(await archive.removeAll { _ in true } > 0)
            for number in UInt8(160)..<170 { #expect(Self.bytes(of: number, in: world) == 0) }
        }
    }

    @Test func `an unreadable page is a miss`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let archive = world.archive()
            archive.put(archivedPage(1))
            try await world.settle()
            #expect(await archive.page(archivedPage(1).key) { _ in Int?.none } == nil)
            #expect(archive.figures.misses == 1)
        }
    }
}
