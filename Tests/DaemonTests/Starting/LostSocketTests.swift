import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

@testable import Daemon

/// The program, when somebody tampers with its socket's file.
@Suite struct LostSocketTests {
    @Test func `a socket that is removed is there again, and connections of before go on`() async throws {
        try await withProgram { program in
            let client = try program.connect()
            for _ in 1...3 {
                #expect(unsafe unlink(program.directory.file("s")) == 0)
                try await eventually("the socket is back") { program.directory.isSocket("s") }
                #expect(try program.connect().call("server/hello")["result"]?["pid"]?.int == Int(program.searchd.pid))
                #expect(try client.call("server/ping")["result"] != nil)
            }
            #expect(program.searchd.errors.contains("was removed; it has been made again"))
            program.searchd.signal(SIGTERM)
            #expect(try program.searchd.waitForExit() == 0)
            #expect(!program.directory.isSocket("s"))
        }
    }

    @Test func `what somebody puts in its place is left there, also at the end`() async throws {
        try await withProgram { program in
            let client = try program.connect()
            program.directory.write("precious", to: "draft")
            #expect(unsafe rename(program.directory.file("draft"), program.directory.file("s")) == 0)
            try await eventually("a word of it") { program.searchd.errors.contains("something else stands at") }
            #expect(try client.call("server/ping")["result"] != nil)
            program.searchd.signal(SIGTERM)
            #expect(try program.searchd.waitForExit() == 0)
            #expect(program.directory.contents(of: "s") == "precious")
        }
    }
}
