import CPlatform
import Catalogue
import Engine
import EventLoop
import Storage

extension DiskTier {
    /// The pages on disk; nil when none are to be kept, or there is no place for them.
    init?(_ storage: StoragePaths, bytesMax: Int, on loop: EventLoop, _ directory: DirectoryBox, _ log: Log) {
        guard bytesMax > 0, let file = storage.pagesFile else { return nil }
        let wallClock: @Sendable () -> Int64 = { platform_realtime_ns() }
        let archive = PageArchive(file, bytesMax: bytesMax, on: storage.loop, wallClock: wallClock) { line in
            log.warning(line)
        }
        self.init(
            on: loop,
            archive: archive,
            hitReader: { directory.currentSource(of: $0)?.hitReader },
            wallClock: wallClock
        )
    }
}
