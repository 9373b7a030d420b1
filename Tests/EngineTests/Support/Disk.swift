import EventLoop
import SearchModel
import Storage
import TestSupport
import Upstream

@testable import Engine

/// A cache file on disk, for tests of restarts.
struct Disk: Sendable {
    static let epoch: Int64 = 1_700_000_000_000_000_000

    let loop: EventLoop
    let directory = TemporaryDirectory()
    let lines = Locked<[String]>([])
    /// These nanoseconds are added to the wall clock.
    let step = Locked<Int64>(0)

    init(on loop: EventLoop) {
        self.loop = loop
    }

    var file: String { directory.file("pages.sqlite") }

    /// If `storage` is nil, the disk cache reads and writes on `loop`.
    func tier(
        bytesMax: Int = 1 << 20,
        storage: EventLoop? = nil,
        isCurrent: @escaping @Sendable (PageKey) -> Bool = { _ in true }
    ) -> DiskTier {
        let wallClock: @Sendable () -> Int64 = { [loop, step] in
            Self.epoch + loop.now.nanoseconds + step.withLock { $0 }
        }
        let archive = PageArchive(
            file,
            bytesMax: bytesMax,
            on: storage ?? loop,
            report: { [lines] line in lines.withLock { $0.append(line) } }
        )
        return DiskTier(on: loop, archive: archive, isCurrent: isCurrent, wallClock: wallClock)
    }

    func settle() async throws {
        try await loop.sleep(until: loop.now.advanced(by: PageArchive.batchDelay + .milliseconds(1)))
    }
}
