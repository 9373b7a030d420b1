import Glibc
import JSON
import TestSupport
import Testing

@testable import Daemon

@Suite struct CheckTests {
    private let directory = TemporaryDirectory()

    private func run(_ words: String..., environment: [String: String] = [:]) throws -> (status: Int32, text: String) {
        let searchd = try Searchd(words, in: directory, environment: environment)
        let status = try searchd.waitForExit()
        return (status, searchd.output + searchd.errors)
    }

    @Test func `--check prints the path of a valid configuration and the disabled sources`() async throws {
        try await onOwnThread {
            let key = randomKey()
            let path = directory.write("{ accounts: { kakao: { key: { value: \"\(key)\" } } } }", to: "right.json5")
            let (status, text) = try run("--check", "--config", path)
            #expect(status == 0)
            #expect(text.contains(" sources ready; configuration \(path)\n"))
            let off = text.split(separator: "\n").first { $0.contains(" off: ") }
            #expect(off?.contains("google.books") == true)
            #expect(off?.contains("kakao.blog") == false)
            #expect(!text.contains(key))
        }
    }

    @Test func `--check and the start report an invalid value with its file, line, key and valid form`() async throws {
        try await onOwnThread {
            let path = directory.write("{\n  memory: {\n    cacheBytes: \"lots\",\n  },\n}\n", to: "wrong.json5")
            for words in [["--check"], ["--socket", directory.file("s")]] {
                let searchd = try Searchd(words + ["--config", path], in: directory)
                #expect(try searchd.waitForExit() == StartError.Code.configuration.rawValue)
                let text = searchd.output + searchd.errors
                #expect(text.contains("\(path):3:17: memory.cacheBytes: "), "\(text)")
                #expect(text.contains("64MiB"))
            }
            #expect(directory.mode(of: "s") == nil)
        }
    }

    @Test func `--config must name a file, and the default is SEARCHD_CONFIG or a file in the home directory`()
        async throws
    {
        try await onOwnThread {
            let missing = directory.file("missing.json5")
            let (status, text) = try run("--check", "--config", missing)
            #expect(status == StartError.Code.configuration.rawValue)
            #expect(text.contains(missing))
            let path = directory.write("{}", to: "variable.json5")
            #expect(try run("--check", environment: ["SEARCHD_CONFIG": path]).text.contains("configuration \(path)"))
            directory.makeDirectory(".config")
            directory.makeDirectory(".config/searchd")
            let home = directory.write("{}", to: ".config/searchd/config.json5")
            #expect(try run("--check").text.contains("configuration \(home)"))
            #expect(try run("--check", "--config", directory.path).status == StartError.Code.configuration.rawValue)
        }
    }
}
