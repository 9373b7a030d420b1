import Client
import JSON
import TestSupport
import Testing

@Suite struct SourceListTests {
    private func sources(_ client: TestClient) throws -> [JSONValue] {
        try #require(try client.call("source/list")["result"]?["sources"]?.array)
    }

    private func source(_ name: String, _ client: TestClient) throws -> JSONValue {
        try #require(try sources(client).first { $0["source"]?.string == name })
    }

    @Test func `every source of the catalogue is listed, available or not`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let entries = try sources(client)
            let names = entries.compactMap { $0["source"]?.string }
            #expect(names == names.sorted())
            #expect(
                Set(names).isSuperset(of: ["kakao.blog", "naver.news", "google.books", "itunes.app", "wikipedia.ko"])
            )
            #expect(!names.contains("naver.book"), "a retired source")
            for entry in entries {
                #expect(entry["enabled"]?.bool == (entry["reason"] == nil))
                #expect(entry["attribution"]?.string?.isEmpty == false)
            }
            #expect(try source("kakao.blog", client)["enabled"] == true)
            #expect(try source("google.books", client)["reason"] == "notConfigured")
        }
    }

    @Test func `profiles are listed with their sources, and can be searched`() async throws {
        try await withDaemon { setup in
            setup.members = #"profiles: { "@mine": { about: "my own", sources: ["wikipedia.{language}", "kakao"] } },"#
        } _: { daemon in
            let client = try daemon.connect()
            let profiles = try #require(try client.call("source/list")["result"]?["profiles"]?.array)
            let names = profiles.compactMap { $0["name"]?.string }
            #expect(names == names.sorted() && names.contains("@default"))
            let mine = try #require(profiles.first { $0["name"] == "@mine" })
            #expect(mine["about"] == "my own" && mine["off"] == nil)
            let books = try #require(profiles.first { $0["name"] == "@books" })
            #expect(books["off"] == ["aladin.books", "google.books", "nationallibrary.books"])
            #expect(mine["sources"]?.array?.first == "kakao.blog" && mine["sources"]?.array?.last == "wikipedia.en")
            let answer = try client.call("search", #"{"query":"고양이","sources":["@mine"],"kinds":["encyclopedia"]}"#)
            let asked = answer["result"]?["sources"]?.array?.map { $0["source"]?.string }
            #expect(asked == ["wikipedia.ko"])
        }
    }

    @Test func `a source whose file is invalid is listed, and does not affect others`() async throws {
        let files = TemporaryDirectory()
        files.write("{ source: \"demo.books\", kind: \"book\", titel: \"Demo\" }", to: "demo.json5")
        files.write("{ source: \"kakao.blog\", kind: 5 }", to: "kakao.json5")
        files.write("{ what", to: "broken.json5")
        try await withDaemon { setup in
            setup.members = "sourceDirectories: [\"\(files.path)\"],"
            setup.mayHaveProblems = true
        } _: { daemon in
            let client = try daemon.connect()
            let entry = try source("demo.books", client)
            #expect(entry["enabled"] == false && entry["reason"] == "invalid" && entry["kind"] == "book")
            #expect(try sources(client).filter { $0["source"] == "kakao.blog" }.count == 1)
            #expect(try source("kakao.blog", client)["enabled"] == true)
            let answer = try client.call("search", #"{"query":"x","sources":["demo.books"]}"#)
            #expect(answer.errorKind == "unknownSource")
            let message = try #require(answer["error"]?["message"]?.string)
            #expect(message.contains("demo.json5:1:1: has no account demo"), "\(message)")
            #expect(message.hasSuffix(", and 5 more"), "\(message)")
            #expect(answer.hint?.contains("searchctl sources check") == true)
            #expect(answer.errorPath == "params.sources")
        }
    }
}
