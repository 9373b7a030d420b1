import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Storage

/// Links and files of other users must be refused and stay unchanged.
@Suite struct PrivateFileTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file("pages.sqlite") }
    private var target: String { directory.file("elsewhere/target") }

    private static let refusal = StorageError(.unsafeFile, file: "", message: "", hint: "")

    init() {
        _ = unsafe mkdir(directory.file("elsewhere"), 0o700)
    }

    private func writeTarget() {
        Files.write(Array("precious".utf8), to: target)
        _ = unsafe chmod(target, 0o644)
    }

    @Test func `a dangling link is refused, and its target is not created`() {
        #expect(unsafe symlink(target, path) == 0)
        #expect(throws: Self.refusal) { try PrivateFile.prepare(path) }
        #expect(Files.mode(of: target) == nil)
    }

    @Test(arguments: [true, false])
    func `a symbolic or hard link is refused, and its target is not changed`(isSymbolic: Bool) {
        writeTarget()
        #expect(unsafe (isSymbolic ? symlink(target, path) : link(target, path)) == 0)
        #expect(throws: Self.refusal) { try PrivateFile.prepare(path) }
        #expect(Files.mode(of: target) == 0o644)
        #expect(Files.contents(of: target) == Array("precious".utf8))
    }

    @Test func `a directory is refused, and the error says so`() {
        #expect(unsafe mkdir(path, 0o755) == 0)
        let error = #expect(throws: StorageError.self) { try PrivateFile.prepare(path) }
        #expect(error == Self.refusal && error?.message == "\(path) is a directory")
        #expect(Files.mode(of: path) == 0o755)
    }

    @Test func `a file that other users can access is made private`() throws {
        try PrivateFile.prepare(path)
        #expect(Files.mode(of: path) == 0o600)
        _ = unsafe chmod(path, 0o666)
        try PrivateFile.prepare(path)
        #expect(Files.mode(of: path) == 0o600)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `a file or directory of another user is refused`() throws {
        try PrivateFile.prepare(path)
        #expect(unsafe chown(path, 65_534, 65_534) == 0)
        #expect(throws: Self.refusal) { try PrivateFile.prepare(path) }
        #expect(unsafe chown(directory.file("elsewhere"), 65_534, 65_534) == 0)
        #expect(throws: StorageError(.directory, file: "", message: "", hint: "")) {
            try PrivateFile.prepare(target)
        }
    }

    @Test func `a link in place of pages.sqlite is refused, and its target is not touched`() throws {
        try virtually { loop, _ in
            let world = ArchiveWorld(loop)
            let target = world.directory.file("target")
            Files.write(Array("precious".utf8), to: target)
            _ = unsafe chmod(target, 0o644)
            #expect(unsafe symlink(target, world.path) == 0)
            let archive = world.archive()
            archive.put(archivedPage(1))
            try await world.settle()
            #expect(await archive.stored(archivedPage(1)) == nil)
            #expect(Files.contents(of: target) == Array("precious".utf8))
            #expect(Files.mode(of: target) == 0o644)
            #expect(world.lines.withLock { $0.count } == 1)
        }
    }
}
