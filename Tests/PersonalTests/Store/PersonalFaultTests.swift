import EventLoop
import Glibc
import SearchModel
import TestSupport
import Testing

@testable import Personal

@Suite("Personal data, when its file fails")
struct PersonalFaultTests {
    private static func items(_ keys: Range<Int>) throws -> [SavedItem] {
        try keys.map { try SavedItemTests.item("\($0)", title: String(repeating: "고양이 \($0) ", count: 30)) }
    }

    @Test func `damage: what can be read is saved, told, and the damaged file kept`() async throws {
        let (directory, reports) = (TemporaryDirectory(), Locked<[String]>([]))
        let file = PersonalWorld.file(in: directory)
        let last = try await PersonalWorld.withStore(directory) { store in
            for start in stride(from: 0, to: 300, by: 50) {
                _ = try await store.perform(.save(Self.items(start..<start + 50)))
            }
            return try await store.revision()
        }
        var bytes = Files.contents(of: file)
        let middle = bytes.count / 2 / 4096 * 4096
        bytes.replaceSubrange(middle..<middle + 8192, with: repeatElement(0xAB, count: 8192))
        Files.write(bytes, to: file)
        try await PersonalWorld.withStore(directory, reports: reports) { store in
            // Reading in parts ends where the file is renewed, and begins anew.
            var kept = try await store.all()
            if kept.isEmpty { kept = try await store.all() }
            #expect((150..<300).contains(kept.count))
            #expect(try await store.revision() > last)
            #expect(try await store.changes(since: last) == nil)
            #expect(try await store.perform(.save(Self.items(0..<300))).items.count == 300)
        }
        #expect(reports.withLock { $0.count } == 1)
        #expect(reports.withLock { $0[0].contains("was damaged") })
        #expect(Files.mode(of: file) == 0o600)
        #expect(Files.size(of: "\(file).damaged-500") > 0)
    }

    @Test func `a file that is nothing of ours is set aside, and a new one begun`() async throws {
        let (directory, reports) = (TemporaryDirectory(), Locked<[String]>([]))
        let file = PersonalWorld.file(in: directory)
        Files.write(Array(repeating: 0x41, count: 10_000), to: file)
        let added = try await PersonalWorld.withStore(directory, reports: reports) { store in
            try await store.perform(.save(Self.items(0..<1))).added
        }
        #expect(added == 1)
        #expect(Files.size(of: "\(file).damaged-500") == 10_000)
        #expect(reports.withLock { $0.count } == 1)
    }

    @Test func `a file that is removed while it is in use is written again, with all that was in it`() async throws {
        let (directory, reports) = (TemporaryDirectory(), Locked<[String]>([]))
        let file = PersonalWorld.file(in: directory)
        try await PersonalWorld.withStore(directory, reports: reports) { store in
            let before = try await store.perform(.save(Self.items(0..<10)))
            for name in ["", "-wal", "-shm"] { Files.remove(file + name) }
            // The kernel copies the path during the calls.
            #expect(unsafe mkdir(file, 0o700) == 0)
            for _ in 0..<2 {
                let error = await #expect(throws: SearchError.self) {
                    try await store.perform(.save(Self.items(0..<11)))
                }
                #expect(error?.kind == .unavailable)
                #expect(error?.hint != nil)
            }
            #expect(unsafe rmdir(file) == 0)
            let after = try await store.perform(.save(Self.items(0..<11)))
            #expect(after.added == 1)
            #expect(after.revision > before.revision)
        }
        let count = try await PersonalWorld.withStore(directory) { store in try await store.all().count }
        #expect(count == 11)
        #expect(reports.withLock { $0.count } == 1)
    }

    @Test func `a file that is moved away and back is the same again`() async throws {
        let directory = TemporaryDirectory()
        let file = PersonalWorld.file(in: directory)
        try await PersonalWorld.withStore(directory) { store in
            _ = try await store.perform(.save(Self.items(0..<3)))
            #expect(unsafe rename(file, file + ".x") == 0)
            #expect(unsafe mkdir(file, 0o700) == 0)
            await #expect(throws: SearchError.self) { try await store.revision() }
            #expect(unsafe rmdir(file) == 0)
            #expect(unsafe rename(file + ".x", file) == 0)
            #expect(try await store.revision() == 1)
            #expect(try await store.all().count == 3)
        }
    }

    @Test func `one process works in a directory; the second is told`() async throws {
        let directory = TemporaryDirectory()
        try await PersonalWorld.withStore(directory) { first in
            _ = try await first.perform(.save(Self.items(0..<1)))
            try await PersonalWorld.withStore(directory) { second in
                let error = await #expect(throws: SearchError.self) {
                    try await second.perform(.save(Self.items(1..<2)))
                }
                #expect(error?.kind == .unavailable)
                #expect(error?.hint?.contains("--state") == true)
            }
            #expect(try await first.all().count == 1)
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount"))
    func `a full disk refuses a change, and loses nothing`() async throws {
        let disk = try #require(SmallDisk(bytes: 1 << 20))
        defer { disk.remove() }
        try await PersonalWorld.withStore(disk.directory) { store in
            _ = try await store.perform(.save(Self.items(0..<10)))
            Files.fill(disk.directory.file("filling"))
            let error = await #expect(throws: SearchError.self) {
                for start in stride(from: 10, to: 2000, by: 50) {
                    _ = try await store.perform(.save(Self.items(start..<start + 50)))
                }
            }
            #expect(error?.kind == .unavailable)
            #expect(error?.hint == "Make room on the disk.")
            let kept = try await store.all().count
            #expect(kept >= 10 && kept % 50 == 10)
            Files.remove(disk.directory.file("filling"))
            #expect(try await store.perform(.save(Self.items(5000..<5001))).added == 1)
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount"))
    func `a disk that is read only refuses with what to do, and loses nothing`() async throws {
        let disk = try #require(SmallDisk(bytes: 1 << 20))
        defer { disk.remove() }
        try await PersonalWorld.withStore(disk.directory) { _ = try await $0.perform(.save(Self.items(0..<10))) }
        try #require(disk.change(isReadOnly: true))
        try await PersonalWorld.withStore(disk.directory) { store in
            let error = await #expect(throws: SearchError.self) { try await store.perform(.save(Self.items(10..<11))) }
            #expect(
                error?.kind == .unavailable && error?.hint?.contains("writable") == true,
                "\(String(describing: error))"
            )
        }
        try #require(disk.change(isReadOnly: false))
        try await PersonalWorld.withStore(disk.directory) { store in
            let saved = try await store.perform(.save(Self.items(0..<11)))
            #expect(saved.added == 1)
        }
    }

    @Test func `what was answered survives power loss, whatever else had reached the disk`() async throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let directory = TemporaryDirectory()
        let file = PersonalWorld.file(in: directory)
        var states: [(file: [UInt8], log: [UInt8], revision: Int64)] = []
        try await PersonalWorld.withStore(directory) { store in
            for key in 0..<12 {
                let revision = try await store.perform(.save(Self.items(key * 2..<key * 2 + 2))).revision
                // It was answered: so much the disk has.
                states.append((Files.contents(of: file), Files.contents(of: file + "-wal"), revision))
            }
        }
        let losses = testSize(30, "SEARCHD_TEST_DAMAGES")
        for _ in 0..<losses {
            let answered = states[Int.random(in: 0..<states.count - 1, using: &random)]
            let later = states[Int.random(in: states.indices, using: &random)]
            var log = answered.log
            // Of what was written after it, any sector may be there.
            for start in stride(from: log.count, to: later.log.count, by: 512) {
                let sector = later.log[start..<min(start + 512, later.log.count)]
                log += Bool.random(using: &random) ? Array(sector) : Array(repeating: 0, count: sector.count)
            }
            let world = TemporaryDirectory()
            Files.write(answered.file, to: PersonalWorld.file(in: world))
            Files.write(log, to: PersonalWorld.file(in: world) + "-wal")
            try await PersonalWorld.withStore(world) { store in
                let (revision, count) = (try await store.revision(), try await store.all().count)
                #expect(revision >= answered.revision)
                #expect(count == Int(revision) * 2)
            }
        }
        proved("\(losses) losses of power, every answered change there and none half there")
    }
}
