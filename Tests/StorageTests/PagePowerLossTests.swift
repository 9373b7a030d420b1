import EventLoop
import TestSupport
import Testing

@testable import Storage

/// Files as power loss leaves them, when nothing waited for the disk: some of it old and some of it new.
@Suite struct PagePowerLossTests {
    private static let sectorBytes = 4096

    private static func pages(_ numbers: Range<Int>) -> [ArchivedPage] {
        numbers.map { archivedPage($0, bytes: 200 + $0 % 100 * 600) }
    }

    /// The file after these pages were put, and none but these are there.
    private static func file(of pages: [ArchivedPage], in world: ArchiveWorld) async throws -> [UInt8] {
        let archive = world.archive()
        _ = await archive.removeAll { _ in true }
        for page in pages { archive.put(page) }
        await archive.close()
        return Files.contents(of: world.path)
    }

    private static func mixture(
        _ old: [UInt8],
        _ new: [UInt8],
        using random: inout some RandomNumberGenerator
    ) -> [UInt8] {
        var mixed = Bool.random(using: &random) ? new : old
        let newPart = Double.random(in: 0...1, using: &random)
        for start in stride(from: 0, to: mixed.count, by: sectorBytes) {
            let from = Double.random(in: 0...1, using: &random) < newPart ? new : old
            let end = min(start + sectorBytes, mixed.count, from.count)
            if start < end { mixed.replaceSubrange(start..<end, with: from[start..<end]) }
        }
        return mixed
    }

    @Test func `no page is taken for another's, nothing fails, and the file recovers`() throws {
        let seed = testSeed()
        try virtually { loop, _ in
            var random = SeededGenerator(seed: seed)
            let (first, second) = (Self.pages(0..<40), Self.pages(100..<140))
            let world = ArchiveWorld(loop)
            let old = try await Self.file(of: first, in: world)
            let new = try await Self.file(of: second, in: world)
            let losses = testSize(30, "SEARCHD_TEST_DAMAGES")
            var found = 0
            for _ in 0..<losses {
                let world = ArchiveWorld(loop)
                Files.write(Self.mixture(old, new, using: &random), to: world.path)
                let archive = world.archive()
                for page in first + second {
                    guard let bytes = await archive.stored(page)?.bytes else { continue }
                    found += 1
                    // One that is not whole has another sum; of one that is, every byte is its page's number.
                    #expect(bytes == page.bytes || Set(bytes).count > 1)
                }
                archive.put(first[0])
                try await world.settle()
                archive.put(first[1])
                try await world.settle()
                #expect(await archive.stored(first[1]) == first[1])
                #expect(world.lines.withLock { $0.count } <= 4)
                await archive.close()
            }
            #expect(found > 0)
            proved("\(losses) files of two times: \(found) pages found, none of them another's")
        }
    }
}
