import JSON
import Testing

@Suite struct PingTests {
    @Test func `a daemon in this process answers`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            #expect(try client.call("server/ping")["result"]?["uptime"]?.double != nil)
        }
    }

    @Test func `the program answers`() async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let searchd = try Searchd(["--socket", directory.file("s"), "--ready-fd", "3"], in: directory)
            #expect(try searchd.readyText() == "R")
            let client = try TestClient(directory.file("s"))
            #expect(try client.call("server/ping")["result"]?["uptime"]?.double != nil)
            searchd.signal(15)
            #expect(try searchd.waitForExit() == 0)
        }
    }
}
