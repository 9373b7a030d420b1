import CPlatform
import Glibc
import TestSupport
import Testing

@testable import Daemon

@Suite struct SocketPathTests {
    private let directory = TemporaryDirectory()

    private func refusal(_ path: String, userID: UInt32 = geteuid()) -> StartError? {
        do throws(StartError) {
            try SocketPath.prepare(path, userID: userID)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a directory that is the owner's alone is safe, and one that is missing is made`() {
        #expect(refusal(directory.file("s")) == nil)
        #expect(refusal(directory.file("new/s")) == nil)
        #expect(directory.mode(of: "new").map { $0 & 0o022 } == 0)
    }

    @Test func `a private directory is made with all above it, and refused when others may look into it`() throws {
        func refusal(_ name: String) -> StartError? {
            do throws(StartError) {
                try SafeDirectory.preparePrivate(directory.file(name), userID: geteuid())
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal("state/searchd/run") == nil)
        for name in ["state", "state/searchd", "state/searchd/run"] {
            #expect(directory.mode(of: name).map { $0 & 0o777 } == 0o700)
        }
        #expect(refusal("state/searchd/run") == nil)
        directory.makeDirectory("shown", mode: 0o711)
        #expect(refusal("shown")?.hint.contains("chmod 700") == true)
        #expect(refusal("shown")?.code == .notAllowed)
        directory.makeDirectory("open", mode: 0o777)
        #expect(refusal("open/run")?.message.contains("others may write to") == true)
        #expect(directory.mode(of: "open/run") == nil)
    }

    @Test func `a directory that others may write to is refused, sticky or not`() {
        for mode in [0o777, 0o770, 0o702, 0o720] as [mode_t] {
            let path = directory.makeDirectory("\(mode)", mode: mode)
            #expect(refusal("\(path)/s")?.message.contains("others may write to") == true, "\(mode)")
        }
        let sticky = directory.makeDirectory("sticky", mode: 0o1777)
        #expect(refusal("\(sticky)/s")?.hint.contains("directory of its own") == true)
        #expect(refusal("/tmp/s")?.hint.contains("directory of its own") == true)
    }

    @Test func `a safe directory below a sticky one is safe, below one that others may write to it is not`() {
        directory.makeDirectory("sticky", mode: 0o1777)
        #expect(refusal(directory.makeDirectory("sticky/own") + "/s") == nil)
        directory.makeDirectory("open", mode: 0o777)
        #expect(refusal(directory.makeDirectory("open/own") + "/s")?.message.contains("/open") == true)
    }

    @Test func `nothing is made where it would not be safe`() {
        directory.makeDirectory("open", mode: 0o777)
        #expect(refusal(directory.file("open/new/s")) != nil)
        #expect(directory.mode(of: "open/new") == nil)
        #expect(refusal(directory.file("missing/new/s")) != nil)
        #expect(directory.mode(of: "missing") == nil)
    }

    @Test func `a link in a directory that others may write to is not followed`() {
        directory.makeDirectory("open", mode: 0o777)
        let safe = directory.makeDirectory("safe")
        #expect(unsafe symlink(safe, directory.file("open/link")) == 0)
        #expect(refusal(directory.file("open/link/s"))?.message.contains("/open") == true)
        #expect(unsafe symlink(safe, directory.file("link")) == 0)
        #expect(refusal(directory.file("link/s")) == nil)
        #expect(unsafe symlink(directory.file("open/link"), directory.file("far")) == 0)
        #expect(refusal(directory.file("far/s"))?.message.contains("/open") == true)
    }

    @Test func `a directory of another user is refused`() throws {
        // To root every directory of root's own is safe, so root gives one away; others claim to be somebody else.
        if geteuid() == 0 {
            let path = directory.makeDirectory("theirs")
            #expect(unsafe chown(path, 12345, 12345) == 0)
            #expect(refusal("\(path)/s")?.message.contains("belongs to user 12345") == true)
        } else {
            #expect(refusal(directory.file("s"), userID: geteuid() + 1)?.message.contains("belongs to user") == true)
        }
    }

    @Test func `what is there and is no socket is left alone`() {
        directory.write("precious", to: "file")
        directory.makeDirectory("directory")
        #expect(unsafe symlink(directory.file("file"), directory.file("link")) == 0)
        #expect(unsafe symlink(directory.file("nowhere"), directory.file("dangling")) == 0)
        for name in ["file", "directory", "link", "dangling"] {
            #expect(refusal(directory.file(name))?.message.contains("is not a socket") == true, "\(name)")
        }
        #expect(directory.contents(of: "file") == "precious")
    }

    @Test func `a path has a greatest length, and is absolute`() {
        let room = SocketPath.bytesMax - directory.path.utf8.count - 1
        #expect(refusal(directory.file(String(repeating: "s", count: room))) == nil)
        let refused = refusal(directory.file(String(repeating: "s", count: room + 1)))
        #expect(refused?.message.contains("\(SocketPath.bytesMax + 1) bytes") == true)
        for path in ["relative/s", "s", ""] {
            #expect(refusal(path)?.message.contains("absolute") == true, "\(path)")
        }
    }

    @Test func `the directory of a path is what stands before its last slash`() {
        #expect(SocketPath.directory(of: "/a/b/c") == "/a/b")
        #expect(SocketPath.directory(of: "/a") == "/")
        #expect(SocketPath.directory(of: "/") == "/")
        #expect(SocketPath.directory(of: "a") == "/")
    }
}
