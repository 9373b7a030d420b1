import CPlatform
import Glibc
import TestSupport
import Testing

@testable import Daemon

@Suite struct SocketDirectoryTests {
    private let directory = TemporaryDirectory()

    private func refusal(_ path: String, userID: UInt32 = geteuid(), isPrivate: Bool = false) -> StartError? {
        do throws(StartError) {
            try SocketDirectory.prepare(path, userID: userID, isPrivate: isPrivate)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a directory of the user is safe, and a missing directory is created`() {
        #expect(refusal(directory.path) == nil)
        #expect(refusal(directory.file("new")) == nil)
        #expect(directory.mode(of: "new").map { $0 & 0o022 } == 0)
        #expect(refusal(directory.file("new/../new/.")) == nil)
    }

    @Test func `a private directory is created with its parents, and refused if others can enter it`() throws {
        func refusal(_ name: String) -> StartError? { self.refusal(directory.file(name), isPrivate: true) }
        for _ in 1...2 { #expect(refusal("state/searchd/run") == nil) }
        for name in ["state", "state/searchd", "state/searchd/run"] {
            #expect(directory.mode(of: name).map { $0 & 0o777 } == 0o700)
        }
        directory.makeDirectory("shown", mode: 0o711)
        #expect(refusal("shown")?.hint.contains("chmod 700") == true)
        #expect(refusal("shown")?.code == .notAllowed)
        directory.makeDirectory("open", mode: 0o777)
        #expect(refusal("open/run") != nil)
        #expect(directory.mode(of: "open/run") == nil)
    }

    @Test(arguments: [0o777, 0o770, 0o702, 0o720, 0o1777] as [mode_t])
    func `a directory that other users can write to is refused, even if it is sticky`(mode: mode_t) {
        let path = directory.makeDirectory("open", mode: mode)
        #expect(refusal(path)?.message.contains(path) == true)
        #expect(refusal(path)?.hint.contains("chmod go-w \(path)") == (mode != 0o1777))
    }

    @Test func `a parent directory that others can write to is safe only if it is sticky`() {
        directory.makeDirectory("sticky", mode: 0o1777)
        #expect(refusal(directory.makeDirectory("sticky/own")) == nil)
        directory.makeDirectory("open", mode: 0o777)
        #expect(refusal(directory.makeDirectory("open/own"))?.message.contains("/open") == true)
    }

    @Test func `nothing is created in an unsafe or missing directory`() {
        directory.makeDirectory("open", mode: 0o777)
        #expect(refusal(directory.file("open/new")) != nil)
        #expect(directory.mode(of: "open/new") == nil)
        #expect(refusal(directory.file("missing/new")) != nil)
        #expect(directory.mode(of: "missing") == nil)
    }

    @Test func `a link in a directory that other users can write to is refused`() {
        directory.makeDirectory("open", mode: 0o777)
        let safe = directory.makeDirectory("safe")
        #expect(unsafe symlink(safe, directory.file("open/link")) == 0)
        #expect(refusal(directory.file("open/link"))?.message.contains("/open") == true)
        #expect(unsafe symlink(safe, directory.file("link")) == 0)
        #expect(refusal(directory.file("link")) == nil)
        #expect(unsafe symlink(directory.file("open/link"), directory.file("far")) == 0)
        #expect(refusal(directory.file("far"))?.message.contains("/open") == true)
        #expect(unsafe symlink("loop", directory.file("loop")) == 0)
        #expect(refusal(directory.file("loop"))?.message.contains("/loop") == true)
    }

    @Test func `a directory of another user is refused`() throws {
        // Root owns every directory that it creates.
        if geteuid() == 0 {
            let path = directory.makeDirectory("theirs")
            #expect(unsafe chown(path, 12345, 12345) == 0)
            #expect(refusal(path)?.message.contains("12345") == true)
            #expect(refusal(path)?.hint.contains("unset XDG_RUNTIME_DIR") == true)
        } else {
            #expect(refusal(directory.path, userID: geteuid() + 1) != nil)
        }
    }

    @Test(arguments: [("/a/b/c", "/a/b"), ("/a", "/"), ("/", "/"), ("a", "/")])
    func `the directory of a path ends at the last slash`(path: String, parent: String) {
        #expect(SmallFile.directory(of: path) == parent)
    }
}
