import Glibc
import JSON
import RPC
import TestSupport
import Testing

@testable import Client

struct LibraryCommandTests {
    private let directory = TemporaryDirectory()

    private static let items = [
        #"{"id":"a.b:1","source":"a.b","kind":"book","title":"고양이","author":"김하나","published":"2024-01-01T00:00:00Z","#
            + #""publishedPrecision":"year","url":"https://a.example/1","savedAt":"2020-01-01T00:00:00Z","#
            + #""updatedAt":"2020-01-01T00:00:00Z","tags":["여름","읽을 것"],"notes":[{"id":"1","title":"제목","#
            + #""text":"첫 줄\n둘째 줄","rating":4,"at":"2020-01-01T00:00:00Z"}]}"#,
        #"{"id":"a.b:2","source":"a.b","kind":"app","title":"Cat","savedAt":"2020-01-01T00:00:00Z","#
            + #""updatedAt":"2020-01-01T00:00:00Z","changes":[{"at":"2020-01-02T00:00:00Z","field":"version","#
            + #""from":"1.0","to":"1.1"},{"at":"2020-01-03T00:00:00Z","field":"price","from":20000,"to":null}]}"#,
    ]
    private static let page = #"{"items":[\#(items.joined(separator: ","))],"total":7,"revision":3,"next":"2.2"}"#

    private func daemon(_ answers: [MethodName: String]) throws -> FakeDaemon {
        try FakeDaemon(at: directory.file("socket"), answers)
    }

    private func run(_ daemon: FakeDaemon, _ words: String...) -> Run {
        Run(inTerminal: words, in: directory, socket: daemon.path)
    }

    @Test func `an item shows its title, source, date, rating, tags, notes and changes`() throws {
        let listed = run(try daemon([.libraryList: Self.page]), "library", "--plain")
        #expect(listed.status == .found)
        #expect(
            listed.output == """
                 1. 고양이
                    a.b · 김하나 · 2024 · a.example/1
                    ★★★★☆ · #여름 #“읽을 것” · saved 6 years ago
                    제목: 첫 줄 둘째 줄
                 2. Cat
                    a.b
                    saved 6 years ago
                    price 20,000 → none · 6 years ago

                """
        )
    }

    @Test func `the library's commands report lost items until the damaged file is removed`() throws {
        let file = #"{"file":"/s/1.sqlite.damaged-5","at":"2026-11-20T10:00:00Z","copyAt":"2026-11-19T10:00:00Z"}"#
        for (damaged, isReported) in [(file, true), (#"{"at":"2026-11-20T10:00:00Z","lost":1}"#, false), ("", false)] {
            let directory = TemporaryDirectory()
            let stats = #"{"personal":{"damaged":[\#(damaged)]}}"#
            let daemon = try FakeDaemon(
                at: directory.file("socket"),
                [.libraryList: Self.page, .librarySave: #"{"items":[],"added":1}"#, .stats: stats]
            )
            for words in [["library"], ["library", "--json"], ["save", "a.b:1"]] {
                let listed = Run(words, in: directory, socket: daemon.path)
                #expect(listed.status == .found)
                #expect(listed.errors.contains("your library's file was damaged") == isReported, "\(words) \(damaged)")
                #expect(listed.errors.contains("“searchctl status”") == isReported)
                #expect(!listed.output.contains("damaged"))
            }
        }
    }

    @Test func `all options are sent to the daemon`() throws {
        let daemon = try daemon([.libraryList: Self.page])
        _ = run(
            daemon,
            "library",
            "-q",
            "ㄱㅇ",
            "-k",
            "book,app",
            "-s",
            "a.*",
            "--tag",
            "여름",
            "--sort",
            "rating",
            "-n",
            "5",
            "--page",
            "3"
        )
        _ = run(daemon, "library", "--group-by", "genre")
        #expect(
            daemon.params(of: .libraryList) == [
                #"{"query":"ㄱㅇ","kinds":["book","app"],"sources":["a.*"],"tags":["여름"],"sort":"rating","offset":10,"limit":5}"#,
                #"{"groupBy":"genre"}"#,
            ]
        )
    }

    @Test func `after “searchctl library”, numbers select its items, but “searchctl again” repeats a search`()
        throws
    {
        let groups =
            #"{"groups":[{"name":"소설","count":1,"items":[\#(Self.items[0])]},"#
            + #"{"name":"","count":1,"items":[\#(Self.items[1])]}],"total":2,"revision":3,"next":null}"#
        let daemon = try daemon([.libraryList: groups, .search: Documents.found, .libraryTag: #"{"items":[]}"#])
        _ = run(daemon, "library", "--plain")
        let nothing = run(daemon, "again")
        #expect(nothing.status == .nothingFound && nothing.errors.contains("nothing was searched here yet, or "))
        _ = run(daemon, "search", "고양이", "--plain")
        let listed = run(daemon, "library", "--group-by", "genre", "--plain")
        #expect(listed.lines.first == "소설 1" && listed.output.contains("\n\n(none) 1\n 2. Cat\n"))
        _ = run(daemon, "tag", "2", "x")
        #expect(daemon.params(of: .libraryTag).last == #"{"ids":["a.b:2"],"add":["x"],"remove":[]}"#)
        _ = run(daemon, "again", "--plain")
        #expect(daemon.params(of: .search).count == 2)
    }

    @Test func `a page continues the numbers of the previous page`() throws {
        let daemon = try daemon([.libraryList: Self.page])
        _ = run(daemon, "library", "-n", "2", "--plain")
        let second = run(daemon, "library", "-n", "2", "--page", "2", "--plain")
        #expect(second.output.hasPrefix(" 3. 고양이\n"))
        #expect(run(daemon, "show", "4", "--field", "title").output == "Cat\n")
        let empty = try FakeDaemon(at: directory.file("empty"), [.libraryList: #"{"items":[],"total":4,"revision":1}"#])
        let last = Run("library", "--page", "9", in: directory, socket: empty.path)
        #expect(last.status == .nothingFound && last.errors == "nothing on page 9: 4 saved items in all\n")
    }

    @Test(arguments: [
        (["foo"], "library -q foo"), (["exprot"], "“export”"), (["export", "x"], "“x”"),
        (["export", "-n", "3"], "--limit"), (["export", "--format", "tsv"], "ndjson, csv"),
        (["--format", "csv"], "library export"), (["--format", "fzff"], "“fzf”"),
        (["export", "--json", "--format", "csv"], "--format"), (["import", "a", "b"], "“b”"),
        (["import", "-", "--tag", "x"], "--tag"), (["--watch"], "searchctl call -"),
        (["--page", "2", "--group-by", "tag"], "--group-by"),
        (["-n", "1000", "--page", "10000"], "--page 10000 is too large"),
    ])
    func `the error for an invalid command contains a hint`(words: [String], right: String) throws {
        let refused = Run(["library"] + words, in: directory, socket: "/nonexistent/socket")
        #expect(refused.status == .usage && refused.errors.contains(right), "\(refused.errors)")
    }

    @Test func `“searchctl library refresh” looks up the given items, or all items`() throws {
        let daemon = try daemon([.libraryRefresh: #"{"queued":2,"left":1}"#, .libraryList: Self.page])
        let all = run(daemon, "library", "refresh", "--plain")
        #expect(all.status == .found && all.output.hasPrefix("2 items will be looked up when"))
        #expect(all.lines.last == "1 item can't be looked up, because the source has no lookups.")
        _ = run(daemon, "library", "--plain")
        #expect(run(daemon, "library", "refresh", "1-2", "--json").output == #"{"queued":2,"left":1}"# + "\n")
        #expect(daemon.params(of: .libraryRefresh) == ["{}", #"{"ids":["a.b:1","a.b:2"]}"#])
    }
}

struct SavedItemPrefixTests {
    private let directory = TemporaryDirectory()

    private func found(_ word: String, in items: [JSONValue]) throws -> String? {
        let directory = TemporaryDirectory()
        let library = try FakeLibrary(at: directory.file("socket"), items)
        var arguments = Arguments()
        arguments.append(.text(library.path), of: .socket)
        let context = Context(console: Console(), environment: Environment([:]), arguments: arguments)
        return try SavedItemPrefix(context).item(word)?["id"]?.string
    }

    private func item(_ id: String) -> JSONValue {
        let source = String(id.prefix { $0 != ":" })
        return ["id": .string(id), "source": .string(source), "title": "고양이"]
    }

    @Test func `a unique prefix or a complete id finds the item`() throws {
        let items = ["kakao.book:5f", "kakao.book:5f2c", "kakao.blog:77", "itunes.app:1"].map(item)
        #expect(try found("kakao.book:5f2", in: items) == "kakao.book:5f2c")
        #expect(try found("kakao.book:5f", in: items) == "kakao.book:5f")
        #expect(try found("kakao.bl", in: items) == "kakao.blog:77")
        #expect(try found("it", in: items) == "itunes.app:1")
        for word in ["kakao.book:6", "naver", "x.y:1", "", ":", "kakao:", "K", "고양이", "a*"] {
            #expect(try found(word, in: items) == nil, "\(word)")
        }
    }

    @Test(arguments: ["k", "kakao.book", "kakao.book:", "kakao.book:5"])
    func `an ambiguous prefix is refused with the matching ids`(word: String) throws {
        let items = ["kakao.book:5f1", "kakao.book:5f2c"].map(item)
        let error = #expect(throws: ClientError.self) { try found(word, in: items) }
        #expect(error?.code == .usage)
        let hits = "2 hits: kakao.book:5f2c (고양이), kakao.book:5f1 (고양이)"
        #expect(error?.message == "“\(word)” is a prefix of the ids of \(hits)")
    }

    @Test(arguments: ["show", "open"])
    func `“show” and “open” accept a prefix of a saved id`(command: String) throws {
        let saved = #"{"id":"a.b:12345","source":"a.b","title":"고양이","url":"https://example.org/"}"#
        let daemon = try FakeDaemon(
            at: directory.file("socket"),
            [
                .libraryGet: FakeDaemon.failure("notFound", "No saved item has this id.", code: -32010),
                .libraryList: #"{"items":[\#(saved)],"total":1,"next":null}"#,
                .lookup: #"{"hit":\#(saved),"full":true,"cache":"hit","age":1,"saved":true}"#,
            ]
        )
        let words = command == "open" ? ["open", "--print", "a.b:123"] : ["show", "a.b:123"]
        let run = Run(words, in: directory, socket: daemon.path, environment: [:])
        #expect(run.status == .found && run.output.contains("https://example.org/"), "\(run.errors)")
        if command == "show" { #expect(daemon.params(of: .lookup).allSatisfy { $0.contains("a.b:12345") }) }
    }

}
