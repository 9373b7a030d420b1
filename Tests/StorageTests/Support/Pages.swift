import EventLoop
import TestSupport

@testable import Storage

func archivedPage(
    _ number: Int,
    source: String = "a.one",
    query: String = "고양이",
    bytes: Int = 3000,
    fetchedAt: Int64 = 0
) -> ArchivedPage {
    ArchivedPage(
        key: Array("\(source) \(query) \(number)".utf8),
        source: source,
        query: query,
        fetchedAt: fetchedAt,
        freshUntil: fetchedAt + 600,
        bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes)
    )
}

/// An archive with virtual time, and the lines that the archive reported.
struct ArchiveWorld: Sendable {
    let loop: EventLoop
    let directory: TemporaryDirectory
    let lines = Locked<[String]>([])

    var path: String { directory.file("pages.sqlite") }

    init(_ loop: EventLoop, in directory: TemporaryDirectory = TemporaryDirectory()) {
        self.loop = loop
        self.directory = directory
    }

    func archive(bytesMax: Int = 1 << 20, path: String? = nil) -> PageArchive {
        PageArchive(path ?? self.path, bytesMax: bytesMax, on: loop) { [lines] line in
            lines.withLock { $0.append(line) }
        }
    }

    func settle() async throws {
        try await loop.sleep(until: loop.now.advanced(by: PageArchive.batchDelay + .milliseconds(1)))
    }
}

extension PageArchive {
    nonisolated func put(_ page: ArchivedPage) {
        put(page, size: page.bytes.count) { page.bytes }
    }

    func stored(_ page: ArchivedPage) -> ArchivedPage? {
        self.page(page.key) { $0 }
    }

    func present(_ pages: [ArchivedPage]) -> [Int] {
        var found: [Int] = []
        for (number, page) in pages.enumerated() {
            if stored(page) != nil { found.append(number) }
        }
        return found
    }
}
