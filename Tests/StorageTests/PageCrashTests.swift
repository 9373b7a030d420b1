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

    @Test(arguments: [1])
    func `kill -9 at any moment loses at most the writes in progress`(processes: Int) async throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let rounds = testSize(6, "SEARCHD_TEST_CRASHES")
        let directory = TemporaryDirectory()
        for _ in 0..<rounds {
            try await withThrowingTaskGroup { group in
                for process in 0..<processes {
                    let delay = Int.random(in: 100...30_000, using: &random)
                    group.addTask { await Self.runAndKill(process, in: directory.path, microseconds: delay) }
                }
                try await group.waitForAll()
            }
            for process in 0..<processes {
                // The process that lived longer may have evicted all pages of the other process.
                try Self.expectWhole(of: process, in: directory.path, newest: processes == 1 ? Self.newest : 0)
            }
        }
        let written = (0..<processes).map { Files.size(of: directory.file("written\($0)")) * Self.batchPages }
        proved("after \(rounds * processes) kills, none of \(written) written pages was damaged")
    }

    private static func runAndKill(_ process: Int, in directory: String, microseconds: Int) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [process = process as Int, directory = directory as String, microseconds = microseconds as Int] in
            try virtually { loop, _ in
                let done = "\(directory)/written\(process)"
                let archive = PageCrashTests.archive(in: directory, loop)
                Death.schedule(microseconds: microseconds)
                var batch = Files.size(of: done)
                while true {
                    for number in batch * PageCrashTests.batchPages..<(batch + 1) * PageCrashTests.batchPages {
                        archive.put(PageCrashTests.page(number, of: process))
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

    private static func page(_ number: Int, of process: Int) -> ArchivedPage {
        archivedPage(number, source: "a.\(process)", bytes: pageBytes, fetchedAt: Int64(number))
    }

    private static func expectWhole(of process: Int, in directory: String, newest: Int) throws {
        try virtually { loop, _ in
            let archive = archive(in: directory, loop)
            let path = "\(directory)/pages.sqlite"
            let database = try Database(path, schema: PageArchive.schema, journal: .unsyncedUndo, on: loop)
            #expect(try database.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
            let written = Files.size(of: "\(directory)/written\(process)") * batchPages
            for number in max(0, written - 100)..<written {
                let page = page(number, of: process)
                let found = await archive.stored(page)
                if found != nil || number >= written - newest { #expect(found == page) }
            }
        }
    }
}
