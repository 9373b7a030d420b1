import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Storage

/// Kills processes at random times while they write and evict pages.
@Suite struct PageCrashTests {
    private static let batchPages = 5
    private static let pageBytes = 20_000
    private static let newest = 10
    private static let bytesMax = 40 * (pageBytes + 4096)

    @Test func `kill -9 at any moment loses at most the writes in progress`() async throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let rounds = testSize(6, "SEARCHD_TEST_CRASHES")
        let directory = TemporaryDirectory()
        for _ in 0..<rounds {
            await Self.runAndKill(in: directory.path, microseconds: Int.random(in: 100...30_000, using: &random))
            try Self.expectWhole(in: directory.path)
        }
        let written = Files.size(of: directory.file("written")) * Self.batchPages
        proved("after \(rounds) kills, none of \(written) written pages was damaged")
    }

    private static func runAndKill(in directory: String, microseconds: Int) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [directory = directory as String, microseconds = microseconds as Int] in
            try virtually { loop, _ in
                let done = "\(directory)/written"
                let archive = PageCrashTests.archive(in: directory, loop)
                Death.schedule(microseconds: microseconds)
                var batch = Files.size(of: done)
                while true {
                    for number in batch * PageCrashTests.batchPages..<(batch + 1) * PageCrashTests.batchPages {
                        archive.put(PageCrashTests.page(number))
                    }
                    await archive.writeBatch()
                    Files.append(1, to: done)
                    batch += 1
                }
            }
        }
    }

    private static func archive(in directory: String, _ loop: EventLoop) -> PageArchive {
        PageArchive("\(directory)/pages.sqlite", bytesMax: bytesMax, on: loop) { Issue.record("\($0)") }
    }

    private static func page(_ number: Int) -> ArchivedPage {
        archivedPage(number, source: "a.b", bytes: pageBytes, fetchedAt: Int64(number))
    }

    private static func expectWhole(in directory: String) throws {
        try virtually { loop, _ in
            let archive = archive(in: directory, loop)
            let path = "\(directory)/pages.sqlite"
            let database = try Database(path, schema: PageArchive.schema, journal: .unsyncedUndo, on: loop)
            #expect(try database.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
            let written = Files.size(of: "\(directory)/written") * batchPages
            for number in max(0, written - 100)..<written {
                let page = page(number)
                let found = await archive.stored(page)
                if found != nil || number >= written - newest { #expect(found == page) }
            }
        }
    }
}
