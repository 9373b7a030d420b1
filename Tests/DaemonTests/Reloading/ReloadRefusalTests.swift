import Glibc
import JSON
import TestSupport
import Testing

@testable import Daemon

@Suite struct ReloadRefusalTests {
    struct Wrong: Sendable, CustomTestStringConvertible {
        let members: String
        let key: String?
        let line: Int?

        var testDescription: String { members }
    }

    @Test(
        arguments: [
            Wrong(members: "}{", key: nil, line: 9),
            Wrong(members: "sources: { \"kakao.blgo\": {} },", key: "sources.kakao.blgo", line: 9),
            Wrong(members: "adminGroup: \"no such group\",", key: "adminGroup", line: 9),
        ]
    )
    func `a reload of an invalid configuration changes nothing and reports the error`(wrong: Wrong) async throws {
        let sink = RecordingSink()
        try await withDaemon {
            $0.logSink = sink
        } _: { daemon in
            let client = try daemon.connect()
            let search = #"{"query":"고양이"}"#
            _ = try client.call("search", search)
            daemon.configure(key: randomKey(), members: wrong.members)
            let answer = try client.call("server/reload")
            #expect(answer.errorKind == "invalidParams")
            let data = answer["error"]?["data"]
            #expect(data?["file"]?.string == daemon.directory.file("config.json5"))
            #expect(data?["line"]?.int == wrong.line)
            #expect(data?["key"]?.string == wrong.key)
            #expect(answer["error"]?["message"]?.string?.contains("config.json5:9:") == true)
            #expect(try client.call("search", search).source("kakao.blog")?["cache"]?.string == "hit")
            #expect(try client.call("search", #"{"query":"커피"}"#).hitIDs.count == 10)
            #expect(try client.call("server/stats")["result"]?["reloadRefusedAt"]?.string?.hasSuffix("Z") == true)
            daemon.configure(key: randomKey(), members: "")
            #expect(try client.call("server/reload")["result"] != nil)
            #expect(try client.call("server/stats")["result"]?["reloadRefusedAt"] == nil)
        }
        let lines = sink.records.filter { $0["change"] == "reload" }
        #expect(lines.count == 2)
        #expect(lines.map(\.level) == [.warning, .notice])
    }

    @Test func `a key file that others can read is refused, and so is an invalid source file`() async throws {
        try await withDaemon {
            $0.mayHaveProblems = true
        } _: { daemon in
            let client = try daemon.connect()
            let key = daemon.directory.write("abc", to: "google.key", mode: 0o644)
            daemon.configure(accounts: "google: { key: { file: \"\(key)\" } },")
            let open = try client.call("server/reload")
            #expect(open["error"]?["message"]?.string?.contains("chmod 600 \(key)") == true)
            _ = unsafe chmod(key, 0o600)
            let sources = daemon.directory.makeDirectory("sources.d")
            let file = daemon.directory.write("{ source: \"a.b\",\n  knid: \"web\" }", to: "sources.d/a.b.json5")
            daemon.configure(members: "sourceDirectories: [\"\(sources)\"],")
            let wrong = try client.call("server/reload")
            #expect(wrong.errorKind == "invalidParams")
            #expect(wrong["error"]?["data"]?["file"]?.string == file)
            _ = unsafe unlink(file)
            let right = try client.call("server/reload")["result"]
            #expect(right?["changed"]?.array?.compactMap(\.string) == ["sourceDirectories"])
        }
    }

    @Test func `a reload applies added, changed and removed source files`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let directory = daemon.directory.makeDirectory("sources.d")
            let members = "sourceDirectories: [\"\(directory)\"],"
            func write(_ title: String, _ account: String = "wiki") {
                daemon.directory.write(
                    """
                    {
                        source: "\(account).pages", kind: "web", title: "\(title)",
                        account: { access: { base: "https://wiki.example.org" } },
                        request: { path: "/s", parameters: { q: "{query}", page: "{page}" } },
                        paging: { style: "page", first: 1, size: 10, pagesMax: 10 },
                        response: { hits: "items" },
                        hit: { key: "id", title: "t", url: "u" },
                    }
                    """,
                    to: "sources.d/\(account).pages.json5"
                )
            }
            func reloaded(_ kind: String) throws -> [String] {
                let answer = try client.call("server/reload")
                let list = try #require(answer["result"]?["sources"]?[kind]?.array, "\(answer)")
                return list.compactMap(\.string)
            }
            write("One")
            daemon.configure(members: members)
            #expect(try reloaded("added") == ["wiki.pages"])
            write("Two")
            #expect(try reloaded("changed") == ["wiki.pages"])
            write("Three", "news")
            let answer = try client.call("server/reload")["result"]?["sources"]
            #expect(answer?["added"]?.array?.compactMap(\.string) == ["news.pages"])
            #expect(answer?["changed"]?.array?.isEmpty ?? true)
            _ = unsafe unlink(daemon.directory.file("sources.d/wiki.pages.json5"))
            #expect(try reloaded("removed") == ["wiki.pages"])
        }
    }
}
