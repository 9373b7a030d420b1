import CPlatform
import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

@testable import Daemon

@Suite struct TerminationTests {
    @Test func `after SIGTERM, requests in flight finish, and new requests are refused`() async throws {
        try await withProgram { program in
            await program.delay(300)
            let client = try program.connect()
            let search = try client.ask("search", #"{"query":"고양이"}"#)
            try await program.waitForRequests(1)
            program.searchd.signal(SIGTERM)
            try await eventually("a refused request") {
                try client.call("server/ping").errorKind == "shuttingDown"
            }
            #expect(!program.directory.isSocket("s"))
            #expect(try client.answer(to: search).hitIDs.count == 10)
            try client.end()
            #expect(try program.searchd.waitForExit() == 0)
            #expect(program.searchd.complaints == [])
        }
    }

    @Test func `a source that hangs delays the shutdown by at most 5 s`() async throws {
        try await withProgram { program in
            await program.hang()
            let client = try program.connect()
            let search = try client.ask("search", #"{"query":"고양이","timeout":60000}"#)
            try await program.waitForRequests(1)
            let start = MonotonicClock().now()
            program.searchd.signal(SIGTERM)
            #expect(try client.answer(to: search).errorKind == "shuttingDown")
            try client.end()
            #expect(try program.searchd.waitForExit() == 0)
            #expect(start.duration(to: MonotonicClock().now()) < .seconds(8))
        }
    }

    @Test func `a second signal ends the program at once`() async throws {
        try await withProgram { program in
            await program.hang()
            let client = try program.connect()
            try client.ask("search", #"{"query":"고양이","timeout":60000}"#)
            try await program.waitForRequests(1)
            program.searchd.signal(SIGTERM)
            try await eventually("the removal of the socket") { !program.directory.isSocket("s") }
            program.searchd.signal(SIGINT)
            _ = try program.searchd.waitForExit()
            #expect(throws: TestFailure.self) { try client.message() }
        }
    }

    @Test func `the next daemon waits until the previous daemon has ended`() async throws {
        try await withProgram { program in
            await program.delay(300)
            let client = try program.connect()
            let search = try client.ask("search", #"{"query":"고양이"}"#)
            try await program.waitForRequests(1)
            program.searchd.signal(SIGTERM)
            try await eventually("the removal of the socket") { !program.directory.isSocket("s") }
            let next = try program.start()
            #expect(try next.readyText() == "R")
            #expect(try client.answer(to: search).hitIDs.count == 10)
            #expect(try program.searchd.waitForExit() == 0)
            #expect(try program.connect().call("server/hello")["result"]?["pid"]?.int == Int(next.pid))
        }
    }
}
