import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct ReadCommandTests {
    private let directory = TemporaryDirectory()

    private static let html = """
        <html lang=ko><head><title>골목의 고양이</title><meta name=author content=이나래>\
        <meta name=description content="골목 이야기"><meta name=date content="2024-03-09"></head><body>\
        <h1>골목의 고양이</h1><p>골목 끝 작은 서점에는 주인보다 오래된 <a href="/cat">고양이</a>가 산다.</p>\
        <ul><li>고양이는 아침마다 창가에 앉아 있다.<li>손님이 오면 조용히 다가온다.</ul>\
        <pre>let cat = 1\n  let more = 2 // long enough</pre><p>*별표*와 #샵 그리고 \u{202E}방향을 바꾸는 글자가 있다.</p></body></html>
        """

    private static func page(_ text: String, type: String = "text/html") -> String {
        let data = String(decoding: Base64.text(of: Array(text.utf8)), as: UTF8.self)
        return #"{"url":"https://example.org/a","type":"\#(type)","data":"\#(data)","bytes":1,"cache":"miss","age":0}"#
    }

    private func daemon(_ answers: [MethodName: String]) throws -> FakeDaemon {
        try FakeDaemon(at: directory.file("socket"), answers)
    }

    private func run(_ daemon: FakeDaemon, _ words: String...) -> Run {
        Run(inTerminal: words, in: directory, socket: daemon.path)
    }

    @Test func `a page is printed as wrapped text, with author, date and numbered links`() throws {
        let daemon = try daemon([.page: Self.page(Self.html)])
        let read = run(daemon, "read", "https://example.org/a", "--plain", "--fresh")
        #expect(read.status == .found)
        #expect(
            read.output == """
                골목의 고양이
                이나래 · 2024-03-09
                https://example.org/a

                골목 끝 작은 서점에는 주인보다 오래된 고양이[1]가 산다.

                • 고양이는 아침마다 창가에 앉아 있다.
                • 손님이 오면 조용히 다가온다.

                    let cat = 1
                      let more = 2 // long enough

                *별표*와 #샵 그리고 \\u{202e}방향을 바꾸는 글자가 있다.

                """
        )
        #expect(daemon.params(of: .page) == [#"{"url":"https://example.org/a","timeout":10000,"maxAge":0}"#])
    }

    @Test func `options print Markdown, JSON, the links or the original page instead`() throws {
        let daemon = try daemon([.page: Self.page(Self.html)])
        let markdown = run(daemon, "read", "https://example.org/a", "--markdown").output
        #expect(markdown.hasPrefix("# 골목의 고양이\n\n이나래 · 2024-03-09 · [link](https://example.org/a)\n"))
        #expect(markdown.contains("[고양이](https://example.org/cat)가"))
        #expect(markdown.contains("- 고양이는 아침마다 창가에 앉아 있다.\n- 손님이"))
        #expect(markdown.contains("```\nlet cat = 1\n  let more = 2 // long enough\n```"))
        #expect(markdown.contains("\\*별표\\*와 \\#샵"))
        #expect(run(daemon, "read", "https://example.org/a", "--links").output == "1\thttps://example.org/cat\n")
        let json = try JSONDocument(Array(run(daemon, "read", "https://example.org/a", "--json").output.utf8)).root
        #expect(json[.title]?.string == "골목의 고양이" && json["blocks"]?[1]?["kind"]?.string == "item")
        #expect(run(daemon, "read", "https://example.org/a", "--raw").output.contains("<h1>골목의 고양이</h1>"))
        #expect(run(daemon, "read", "https://example.org/a", "--raw", "--json").status == .usage)
    }

    @Test func `a number selects a hit of the last list`() throws {
        let hit = #"{"id":"a.b:1","source":"a.b","kind":"book","title":"하나","url":"https://example.org/b","rank":1}"#
        let daemon = try daemon([
            .search: #"{"sources":[],"next":null,"complete":true,"hits":[\#(hit)]}"#, .page: Self.page(Self.html),
        ])
        _ = run(daemon, "search", "고양이", "--plain")
        #expect(run(daemon, "read", "1").status == .found)
        #expect(daemon.params(of: .page) == [#"{"url":"https://example.org/b","timeout":10000}"#])
    }

    @Test func `a page without text is an error`() throws {
        for text in ["", "\u{0}\u{1}\u{2}\u{3}", "<p></p>"] {
            let directory = TemporaryDirectory()
            let daemon = try FakeDaemon(at: directory.file("socket"), [.page: Self.page(text)])
            let read = Run(inTerminal: ["read", "https://example.org/a"], in: directory, socket: daemon.path)
            #expect(read.status == .nothingFound, "\(text)")
        }
    }

    @Test func `only after a save, “save” says that the page can't be read and only its address is saved`() throws {
        let refusal = FakeDaemon.failure("unavailable", "no answer", code: -32005)
        let saved = #"{"items":[],"added":1,"revision":3}"#
        let run = run(try daemon([.page: refusal, .librarySave: saved]), "save", "https://example.org/a")
        #expect(run.status == .found)
        #expect(run.errors.contains("no answer") && run.errors.contains("So only the address is saved."))
        let full = try FakeDaemon(at: directory.file("full"), [.page: refusal, .librarySave: refusal])
        let failed = self.run(full, "save", "https://example.org/a")
        #expect(failed.status == .tryLater)
        #expect(!failed.errors.contains("only the address"))
    }

    @Test func `an address is saved with the title and the description of its page`() throws {
        let daemon = try daemon([
            .page: Self.page(Self.html), .librarySave: #"{"items":[],"added":1,"revision":3}"#,
        ])
        #expect(run(daemon, "save", "https://example.org/a").status == .found)
        let saved = try #require(daemon.params(of: .librarySave).first)
        let hit = try #require(JSONDocument(Array(saved.utf8)).root["items"]?[0])
        #expect(hit[.id]?.string?.hasPrefix("web:") == true)
        #expect((hit[.source]?.string, hit[.kind]?.string) == ("web", "page"))
        #expect((hit[.title]?.string, hit[.snippet]?.string) == ("골목의 고양이", "골목 이야기"))
        #expect((hit[.author]?.string, hit[.url]?.string) == ("이나래", "https://example.org/a"))
        #expect((hit[.published]?.string, hit[.publishedPrecision]?.string) == ("2024-03-09T00:00:00Z", "day"))
        for address in ["http://", "https:///a"] { #expect(run(daemon, "save", address).status == .usage) }
        #expect(daemon.params(of: .librarySave).count == 1)
    }
}
