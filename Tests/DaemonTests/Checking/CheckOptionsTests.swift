import SearchModel
import Testing

@testable import Daemon

struct CheckOptionsTests {
    @Test func `a file and a query may be given to check`() throws {
        let options = try CommandLineOptions(["--check-source", "a=b.json5", "--try", " 고양이  사료 ", "--config=/c"])
        #expect(options.action == .checkSource(file: "a=b.json5"))
        #expect(options.query == SearchQuery("고양이 사료"))
        #expect(options.configuration == "/c")
        #expect(try CommandLineOptions(["--try", "x", "--check-source=f"]).action == .checkSource(file: "f"))
    }

    @Test(arguments: [
        ["--check-source"], ["--check-source", ""], ["--try", "x"], ["--check", "--try", "x"],
        ["--check-source", "f", "--try"], ["--check-source", "f", "--try", " "],
        ["--check-source", "f", "--try", String(repeating: "x", count: SearchQuery.bytesMax + 1)],
    ])
    func `a query without a file, or without words, is refused`(words: [String]) {
        #expect(throws: CommandLineOptions.Problem.self) { try CommandLineOptions(words) }
    }
}
