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

    @Test(arguments: [true, false])
    func `after damage every revision is greater than any before it`(isFirstPage: Bool) async throws {
        let directory = TemporaryDirectory()
        let file = PersonalWorld.file(in: directory)
        var last: Int64 = 0
        for round in 0..<2 {
            let reports = Locked<[String]>([])
            let now = try await PersonalWorld.withStore(directory, reports: reports) { store in
                if round > 0 { #expect(try await store.changes(since: last) == nil) }
                return try await store.perform(.save(Self.items(round..<round + 1))).revision
            }
            #expect(now > last && (round == 0 || now > 500_000))
            #expect(reports.withLock { $0.count } == (round == 0 ? 0 : 1))
            last = now
            // Nothing of it can be read then.
            let bytes = isFirstPage ? [UInt8](repeating: 0xAB, count: 4096) : []
            Files.write(isFirstPage ? bytes + Files.contents(of: file).dropFirst(4096) : bytes, to: file)
        }
    }

    @Test(arguments: [true, false])
    func `erased searches are in no damaged file either`(hasFile: Bool) async throws {
        let (directory, reports) = (TemporaryDirectory(), Locked<[String]>([]))
        let file = PersonalWorld.file(in: directory)
        let query = "수상한 검색어"
        try await PersonalWorld.withStore(directory) { store in
            let search = HistorySearch(query: try #require(SearchQuery(query)), at: 1000, sources: [])
            try await store.record([search], HistorySettings())
        }
        for name in ["400", "400-wal", "401"] { Files.write(Files.contents(of: file), to: "\(file).damaged-\(name)") }
        // Another user's is not touched.
        Files.write([1], to: directory.file("10001.sqlite.damaged-400"))
        if !hasFile { Files.remove(file) }
        let damages = try await PersonalWorld.withStore(directory, reports: reports) { store in
            _ = try await store.erase(.all)
            return await store.damages()
        }
        #expect(damages == [] && reports.withLock { $0.count } == 1)
        let left = TemporaryDirectory.files(below: directory.path).filter { _, bytes in
            bytes.indices.contains { bytes[$0...].starts(with: query.utf8) }
        }
        #expect(left.map(\.path) == [])
        #expect(directory.names.contains("10001.sqlite.damaged-400"))
    }

    @Test func `damage of several files within a second is kept apart`() async throws {
        let directory = TemporaryDirectory()
        for count in 1...3 {
            Files.write([], to: PersonalWorld.file(in: directory))
            let damages = try await PersonalWorld.withStore(directory) { store in
                _ = try await store.revision()
                return await store.damages()
            }
            #expect(damages.map(\.at) == (500..<500 + Int64(count)).reversed())
        }
    }

    @Test(arguments: ["new", "copy", "rescued"])
    func `what a process left that was killed is removed`(_ name: String) async throws {
        let (directory, reports) = (TemporaryDirectory(), Locked<[String]>([]))
        let file = PersonalWorld.file(in: directory)
        try await PersonalWorld.withStore(directory) { _ = try await $0.perform(.save(Self.items(0..<3))) }
        for suffix in ["", "-wal", "-shm"] { Files.write([1, 2, 3], to: "\(file).\(name)\(suffix)") }
        let count = try await PersonalWorld.withStore(directory, reports: reports) { try await $0.all().count }
        #expect(count == 3)
        #expect(directory.names.filter { $0.contains(".\(name)") } == [])
        #expect(reports.withLock { $0 } == [])
    }

    @Test func `a rescue that was cut off between two moves is ended by the next process`() async throws {
        let directory = TemporaryDirectory()
        let file = PersonalWorld.file(in: directory)
        try await PersonalWorld.withStore(directory) { _ = try await $0.perform(.save(Self.items(0..<3))) }
        Files.write(Files.contents(of: file), to: file + ".rescued")
        Files.remove(file)
        Files.write([1, 2, 3], to: file + ".damaged-400")
        Files.write([4, 5, 6], to: file + "-wal")
        let (count, damages) = try await PersonalWorld.withStore(directory) { store in
            // A file that is about to be put in place is one to read.
            _ = try await store.entries(HistoryQuery(), HistorySettings())
            return (try await store.all().count, await store.damages())
        }
        #expect(count == 3 && damages.map(\.at) == [400])
        #expect(Files.contents(of: file + ".damaged-400-wal") == [4, 5, 6])
        #expect(!directory.names.contains { $0.contains("rescued") })
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
            let index = Int.random(in: 0..<states.count - 1, using: &random)
            // The disk has a change before the next one begins.
            let (answered, later) = (states[index], states[index + 1])
            var log = answered.log
            // Of what is written then, any sector may be there.
            for start in stride(from: log.count, to: later.log.count, by: 512) {
                let sector = later.log[start..<min(start + 512, later.log.count)]
                log += Bool.random(using: &random) ? Array(sector) : Array(repeating: 0, count: sector.count)
            }
            let world = TemporaryDirectory()
            Files.write(answered.file, to: PersonalWorld.file(in: world))
            Files.write(log, to: PersonalWorld.file(in: world) + "-wal")
            let reports = Locked<[String]>([])
            try await PersonalWorld.withStore(world, reports: reports) { store in
                let (revision, count) = (try await store.revision(), try await store.all().count)
                #expect(revision >= answered.revision)
                #expect(count == Int(revision) * 2)
            }
            #expect(reports.withLock { $0 } == [])
        }
        proved("\(losses) losses of power, every answered change there and none half there")
    }
}
