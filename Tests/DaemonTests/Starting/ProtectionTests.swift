import CPlatform
import Glibc
import HTTP
import JSON
import Sandbox
import TestSupport
import Testing

@testable import Daemon

@Suite struct ProtectionTests {
    @Test func `other programs cannot read the daemon's memory, but the daemon reports how much it uses`() async throws
    {
        try await withProgram { program in
            let process = "/proc/\(program.searchd.pid)"
            var status = stat()
            // Root owns this file if the process is protected.
            #expect(unsafe stat("\(process)/mem", &status) == 0)
            #expect(status.st_uid == 0)
            let limits = try SmallFile.read("\(process)/limits", bytesMax: 1 << 16)
            let lines = String(decoding: limits.bytes, as: UTF8.self).split(separator: "\n")
            let core = try #require(lines.first { $0.utf8.starts(with: "Max core file size".utf8) })
            #expect(core.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
            let stats = try program.connect().call("server/stats")["result"]
            #expect(try #require(stats?["memory"]?["resident"]?.int) > 1 << 20)
        }
    }

    @Test func `a limit on file sizes disables the disk cache, and the daemon keeps running`() async throws {
        try await withSandbox { sandbox, key in
            let directory = TemporaryDirectory()
            directory.write(sandboxConfiguration(sandbox.base, key, "", ""), to: "config.json5")
            let words = [
                "--socket", directory.file("s"), "--config", directory.file("config.json5"), "--ready-fd", "3",
            ]
            // The limit is in blocks of 512 bytes. The quota ledger fits, but the pages do not.
            let searchd = try Searchd(words, in: directory, prelude: "ulimit -f 512")
            #expect(try searchd.readyText() == "R", "\(searchd.errors)")
            let client = try TestClient(directory.file("s"), secrets: [key])
            for query in Queries.rich {
                #expect(try client.call("search", "{\"query\":\"\(query)\",\"limit\":150}")["result"] != nil)
            }
            try await eventually("a warning") { searchd.errors.contains("pages are not kept on disk") }
            #expect(try client.call("server/ping")["result"] != nil)
            searchd.signal(SIGTERM)
            #expect(try searchd.waitForExit() == 0)
        }
    }
}
