import Client
import Glibc
import JSON
import TestSupport
import Testing

/// `searchctl mcp --check` against a daemon.
@Suite struct AgentCheckTests {
    private func run(_ words: [String], _ daemon: DaemonFixture) throws -> (status: Int32, text: String) {
        let path = daemon.directory.file("check")
        var console = Console()
        // The path lives through the call.
        console.output = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(console.output) }
        let context = Context(console: console, environment: Environment([:]))
        let status = Searchctl.run(["--socket", daemon.socket, "--no-start", "mcp", "--check"] + words, context)
        return (status.number, String(decoding: Files.contents(of: path), as: UTF8.self))
    }

    @Test func `it prints what an agent would see`() async throws {
        try await withDaemon { daemon in
            let (status, text) = try run(["--plain"], daemon)
            #expect(status == 0)
            let tools = try AgentClient(client: daemon.connect()).result("tools/list")["tools"]?.array ?? []
            for tool in tools { #expect(text.contains("  \(try #require(tool["name"]?.string))")) }
            #expect(text.contains("2026-07-28, 2025-11-25") && text.contains("sources work"))
            #expect(text.contains("\n  off: no key: ") && text.contains(" naver.blog, ") && !text.contains("seen"))
            #expect(text.split(separator: "\n").allSatisfy { $0.unicodeScalars.count <= 80 })
        }
    }

    @Test func `as JSON it has the bytes of each tool`() async throws {
        try await withDaemon { daemon in
            let (status, text) = try run(["--json"], daemon)
            #expect(status == 0)
            let seen = try JSONDocument(Array(text.utf8)).root.value
            #expect(seen["revisions"]?[0] == "2026-07-28")
            #expect(seen["tools"]?[0]?["name"] == "search" && seen["tools"]?[0]?["bytes"]?.int ?? 0 > 1000)
            #expect(seen["working"]?.array?.contains("kakao.blog") == true)
            #expect(seen["notWorking"]?["naver.blog"] == "notConfigured")
        }
    }
}
