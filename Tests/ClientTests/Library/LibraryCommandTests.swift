import JSON
import RPC
import TestSupport
import Testing

@testable import Client

/// `library`: its list, the numbers of that, and what else it does.
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

    private func daemon(_ answers: [MethodName: String]) throws -> ScriptedDaemon {
        try ScriptedDaemon(at: directory.file("socket"), answers)
    }

    private func run(_ daemon: ScriptedDaemon, _ words: String...) -> Run {
        Run(
            words,
            in: directory,
            socket: daemon.path,
            environment: ["TERM": "xterm", "XDG_RUNTIME_DIR": directory.path],
            terminal: "/dev/pts/7"
        )
    }

    @Test func `an item is shown with title, source, date, rating, tags, notes and what has changed`() throws {
        let listed = run(try daemon([.libraryList: Self.page]), "library", "--plain")
        #expect(listed.status == .found)
        #expect(
            listed.output == """
                 1. 고양이
                    a.b · 김하나 · 2024 · a.example/1
                    ★★★★☆ · #여름 #읽을 것 · saved 6 years ago
                      제목: 첫 줄
                      둘째 줄
                 2. Cat
                    a.b
                    saved 6 years ago
                    price 20,000 → none · 6 years ago

                """
        )
    }

    @Test(arguments: [
        (#""field":"price","from":20000,"to":18000"#, "price 20,000 → 18,000 KRW"),
        (#""field":"salePrice","from":20000,"to":null"#, "sale price 20,000 KRW → none"),
        (#""field":"rating","from":4.5,"to":4"#, "rating 4.5 → 4"),
    ])
    func `a price that changed has its currency`(change: String, text: String) throws {
        let item = #"{"id":"a.b:1","extra":{"currency":"KRW"},"changes":[{"at":"2020-01-01T00:00:00Z",\#(change)}]}"#
        #expect(SavedText(try JSONDocument(Array(item.utf8)).root).lastChange?.text == text)
    }

    @Test func `long notes and many of them are cut, within the columns of the terminal`() throws {
        let long = String(repeating: "고양이가 한참 바라보았다. ", count: 40)
        let notes = (1...5).map { #"{"id":"\#($0)","text":"\#(long)\nb\nc\nd"}"# }.joined(separator: ",")
        let item = #"{"id":"a.b:1","source":"a.b","title":"T","notes":[\#(notes)],"tags":["\#(long)"]}"#
        let listed = run(try daemon([.libraryList: #"{"items":[\#(item)],"total":1}"#]), "library", "--plain")
        for line in listed.lines { #expect(Layout.width(line) <= 80, "\(line)") }
        #expect(listed.lines.last == "      and 2 more notes: searchctl show 1")
        #expect(listed.lines.count { $0.hasSuffix("…") } >= 3)
    }

    @Test func `what is asked for reaches the daemon`() throws {
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

    @Test func `numbers mean the list from then on, groups and pages included, and again still means the search`()
        throws
    {
        let groups =
            #"{"groups":[{"name":"소설","count":1,"items":[\#(Self.items[0])]},"#
            + #"{"name":"","count":1,"items":[\#(Self.items[1])]}],"total":2,"revision":3,"next":null}"#
        let daemon = try daemon([.libraryList: groups, .search: Documents.found, .libraryTag: #"{"items":[]}"#])
        _ = run(daemon, "library", "--plain")
        let nothing = run(daemon, "again")
        #expect(nothing.status == .nothingFound && nothing.errors.contains("nothing was searched here yet. Run"))
        _ = run(daemon, "search", "고양이", "--plain")
        let listed = run(daemon, "library", "--group-by", "genre", "--plain")
        #expect(listed.lines.first == "소설 1" && listed.output.contains("\n\n(none) 1\n 2. Cat\n"))
        _ = run(daemon, "tag", "2", "x")
        #expect(daemon.params(of: .libraryTag).last == #"{"ids":["a.b:2"],"add":["x"],"remove":[]}"#)
        _ = run(daemon, "again", "--plain")
        #expect(daemon.params(of: .search).count == 2)
    }

    @Test func `a page goes on with the numbers of the one before`() throws {
        let daemon = try daemon([.libraryList: Self.page])
        _ = run(daemon, "library", "-n", "2", "--plain")
        let second = run(daemon, "library", "-n", "2", "--page", "2", "--plain")
        #expect(second.output.hasPrefix(" 3. 고양이\n"))
        #expect(run(daemon, "show", "1", "4", "--field", "title").output == "고양이\nCat\n")
    }

    @Test func `JSON is an item a line, and a field of an item can be asked for`() throws {
        let daemon = try daemon([.libraryList: Self.page])
        #expect(run(daemon, "library").lines == Self.items)
        #expect(run(daemon, "library", "--field", "savedAt", "--field", "id").lines[0] == "2020-01-01T00:00:00Z\ta.b:1")
        #expect(run(daemon, "library", "--format", "alfred").output.hasPrefix(#"{"items":[{"uid""#))
    }

    @Test func `nothing found is told with what to do`() throws {
        let daemon = try daemon([.libraryList: #"{"items":[],"total":0,"revision":0,"next":null}"#])
        let all = run(daemon, "library")
        #expect(all.status == .nothingFound && all.output == "")
        #expect(all.errors == "Nothing is saved yet; “searchctl save 1” saves a hit.\n")
        #expect(run(daemon, "library", "-q", "x").errors == "Nothing like that is saved.\n")
    }

    @Test func `a kind that there is not is told with the nearest`() throws {
        let daemon = try daemon([
            .libraryList: #"{"items":[],"total":0,"revision":0,"next":null}"#,
            .sourceList: Documents.list(SourceEntries.invalid, #"{"source":"a.b","kind":"book"}"#),
        ])
        #expect(run(daemon, "library", "-k", "books").errors == "Nothing like that is saved. Did you mean “book”?\n")
        #expect(run(daemon, "library", "-k", "book").errors == "Nothing like that is saved.\n")
    }

    @Test(arguments: [
        (["foo"], "“library” does not know “foo”. “searchctl library -q foo” looks"),
        (["exprot"], "Did you mean “export”?"),
        (["export", "x"], "“library export” does not take “x”"), (["export", "-n", "3"], "takes no --limit"),
        (["export", "--format", "tsv"], "The formats are ndjson, csv"),
        (["--format", "csv"], "goes with “library export”"),
        (["--format", "fzff"], "rofi, alfred, not “fzff”. Did you mean “fzf”?"),
        (["export", "--format", "xls"], "The formats are ndjson, csv"),
        (["export", "--json", "--format", "csv"], "exclude each other"),
        (["import", "a", "b"], "does not take “b”"), (["import", "-", "--tag", "x"], "takes no --tag"),
        (["--watch", "-q", "x"], "“library --watch” takes no --query"),
        (["--page", "2", "--group-by", "tag"], "exclude each other"),
        (["-n", "1000", "--page", "10000"], "no library has so many pages"),
    ])
    func `what is asked wrongly is refused with what is right`(words: [String], message: String) throws {
        let refused = Run(["library"] + words, in: directory, socket: "/nonexistent/socket")
        #expect(refused.status == .usage && refused.errors.contains(message), "\(refused.errors)")
    }

    @Test func `refresh names items, or means all`() throws {
        let daemon = try daemon([.libraryRefresh: #"{"queued":2,"left":1}"#, .libraryList: Self.page])
        let all = run(daemon, "library", "refresh", "--plain")
        #expect(all.status == .found && all.output.hasPrefix("2 items will be looked up when"))
        #expect(all.lines.last?.hasPrefix("1 item can't be refreshed: its source has no way") == true)
        _ = run(daemon, "library", "--plain")
        #expect(run(daemon, "library", "refresh", "1-2", "--json").output == #"{"queued":2,"left":1}"# + "\n")
        #expect(daemon.params(of: .libraryRefresh) == ["{}", #"{"ids":["a.b:1","a.b:2"]}"#])
    }
}
