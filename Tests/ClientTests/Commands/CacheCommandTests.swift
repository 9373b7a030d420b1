import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct CacheCommandTests {
    private let directory = TemporaryDirectory()

    /// A daemon that takes one method and answers with its parameters.
    private func daemon(_ method: MethodName, _ result: @escaping @Sendable (JSONCursor?) -> String) throws
        -> FakeDaemon
    {
        try FakeDaemon(at: directory.file("socket")) { connection in
            while let line = try connection.line() {
                let request = try JSONDocument(Array(line.utf8)).root
                #expect(request[.method]?.word() == method)
                try connection.send(#"{"jsonrpc":"2.0","id":1,"result":\#(result(request[.params]))}"#)
            }
        }
    }

    @Test(arguments: [["cache"], ["cache", "stats"]]) func `the figures are shown, those on disk too`(
        words: [String]
    ) throws {
        let stats =
            #"{"entries":1234,"bytes":5678,"limit":67108864,"hits":9,"misses":1,"evictions":3,"#
            + #""disk":{"entries":7,"bytes":2048,"limit":268435456,"misses":5,"dropped":2}}"#
        let daemon = try daemon(.cacheStats) { _ in stats }
        let text = Run(words, in: directory, socket: daemon.path)
        #expect(text.status == .found)
        #expect(
            text.lines == [
                "memory  1,234 pages, 5.5 KiB of 64 MiB, 90 % of lookups were hits, 3 evicted",
                "disk    7 pages, 2 KiB of 256 MiB, 0 % of lookups were hits, 2 not written",
            ]
        )
        #expect(Run(words + ["--json"], in: directory, socket: daemon.path).output == stats + "\n")
    }

    @Test(arguments: [
        ([], "{}"), (["--source", "kakao.*"], #"{"source":"kakao.*"}"#), (["--query", "고양이"], #"{"query":"고양이"}"#),
        (["-s", "a.b", "--query", "x"], #"{"source":"a.b","query":"x"}"#),
    ])
    func `clearing says what is meant and how much it was`(options: [String], params: String) throws {
        let daemon = try daemon(.cacheClear) { params in
            #"{"removed":1200,"params":\#(params.map { String(decoding: $0.text, as: UTF8.self) } ?? "null")}"#
        }
        let text = Run(["cache", "clear"] + options, in: directory, socket: daemon.path)
        #expect(text.status == .found)
        #expect(text.output == "1,200 pages removed\n")
        let json = Run(["cache", "clear", "--json"] + options, in: directory, socket: daemon.path)
        #expect(json.output == "{\"removed\":1200,\"params\":\(params)}\n")
    }

    @Test(arguments: [["wipe"], ["stats", "--source", "a.b"], ["--query", "x"], ["clear", "kakao.blog"]])
    func `what it does not know is refused`(words: [String]) {
        let run = Run(["cache"] + words, in: directory, socket: "/nonexistent/socket")
        #expect(run.status == .usage)
        #expect(run.errors.contains("cache"))
    }
}
