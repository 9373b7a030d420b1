import Glibc
import JSON
import TestSupport
import Testing

@Suite struct ConfigurationTests {
    private static let readme = String(decoding: Files.contents(of: path), as: UTF8.self)

    private static var path: String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/") + "/README.md"
    }

    private func blocks(_ language: String) -> [String] {
        Self.readme.split(separator: "\n```\(language)\n").dropFirst().compactMap { rest in
            rest.split(separator: "\n```", maxSplits: 1).first.map(String.init)
        }
    }

    @Test func `every JSON example in the README is valid and starts “searchctl mcp”`() throws {
        let blocks = blocks("json")
        #expect(!blocks.isEmpty)
        for block in blocks {
            let root = try JSONDocument(Array(block.utf8)).root.value
            let server = try #require(root.members?.first?.value["searchd"])
            #expect(server["command"] == "searchctl" && server["args"] == ["mcp"])
        }
    }
}
