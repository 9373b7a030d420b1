import Glibc
import JSON
import TestSupport
import Testing

/// The configurations of agents in the README.
@Suite struct ConfigurationTests {
    private static let readme = String(decoding: Files.contents(of: path), as: UTF8.self)

    private static var path: String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/") + "/README.md"
    }

    /// The blocks of a language.
    private func blocks(_ language: String) -> [String] {
        Self.readme.split(separator: "\n```\(language)\n").dropFirst().compactMap { rest in
            rest.split(separator: "\n```", maxSplits: 1).first.map(String.init)
        }
    }

    @Test func `every one in JSON is well formed and starts searchctl mcp`() throws {
        let blocks = blocks("json")
        #expect(blocks.count == 3)
        for block in blocks {
            let root = try JSONDocument(Array(block.utf8)).root.value
            let server = try #require(root.members?.first?.value["searchd"])
            #expect(server["command"] == "searchctl" && server["args"] == ["mcp"])
        }
    }

    @Test func `the one in TOML is a table with strings and a list`() throws {
        let lines = try #require(blocks("toml").first).split(separator: "\n").map(String.init)
        #expect(lines.first == "[mcp_servers.searchd]")
        let values = lines.dropFirst().map { $0.split(separator: " = ", maxSplits: 1).map(String.init) }
        #expect(values.map(\.first) == ["command", "args"])
        // Both kinds of values are JSON as well.
        let parsed = try values.map { try JSONDocument(Array("[\($0.last ?? "")]".utf8)).root.value }
        #expect(parsed == [["searchctl"], [["mcp"]]])
    }
}
