import Glibc
import JSON
import RPC
import TestSupport
import Testing

@testable import Client

struct ExportFormatTests {
    private static let book = #"""
        {"id":"kakao.book:5f&2","source":"kakao.book","kind":"book","title":"고양이 & <달리기> \"100%\" {C}",
        "snippet":"지난주에, 남해에","url":"https://books.example/b?id=1&tab=2","author":"최민서, Smith and Sons",
        "published":"2021-04-09T00:00:00+09:00","publishedPrecision":"day",
        "extra":{"authors":["최민서","Smith and Sons","Kim, Ha"],"publisher":"바람_개비","isbn13":"9788297071231"},
        "alsoFrom":["naver.book"],"savedAt":"2026-11-23T07:01:22Z","updatedAt":"2026-11-23T07:01:23Z",
        "tags":["읽을것","a,b"],
        "notes":[{"id":"1","title":"제목","text":"첫 줄\n\"둘째\" 줄","rating":4,"at":"2026-11-23T07:01:22Z"},
        {"id":"2","text":"=1+1","at":"2026-11-23T07:01:22Z"}]}
        """#

    private func entry(_ item: String = book) throws -> LibraryEntry {
        LibraryEntry(try JSONDocument(Array(item.utf8)).root)
    }

    @Test func `CSV has a row for each note, with quotes where needed`() throws {
        #expect(CSVTable.header.hasPrefix("title,author,url,published,kind,tags,rating,note title,note,saved,"))
        let rows = CSVTable.rows(try entry())
        let extra =
            #""{""authors"":[""최민서"",""Smith and Sons"",""Kim, Ha""],""publisher"":""바람_개비"",""isbn13"":""9788297071231""}""#
        #expect(
            rows == #""고양이 & <달리기> ""100%"" {C}","최민서, Smith and Sons",https://books.example/b?id=1&tab=2,2021-04-09,"#
                + #"book,"읽을것,a\,b",4,제목,"첫 줄"# + "\n" + #"""둘째"" 줄",2026-11-23T07:01:22Z,"지난주에, 남해에",,"#
                + extra + ",naver.book,kakao.book:5f&2\r\n"
                + #""고양이 & <달리기> ""100%"" {C}",,,,,,,,'=1+1,,,,,,kakao.book:5f&2"# + "\r\n"
        )
    }

    @Test(arguments: ["=1+1", "+1", "-1", "@x", "\tx", " x", "＝1", "＋1", "－1", "＠x", "'=x", "''@"])
    func `no exported cell is a formula, and an import restores the original`(cell: String) throws {
        var entry = LibraryEntry()
        entry.title = cell
        let written = try #require(CSVTable.rows(entry).split(separator: ",").first)
        #expect(written.drop { $0 == "\"" }.hasPrefix("'"))
        let row = try #require(
            TableRow.all(in: Array(CSVTable.rows(entry).utf8)[...], delimiter: UInt8(ascii: ",")).first
        )
        #expect(CSVTable.unguarded(row.cells[0]) == cell)
    }

    @Test func `a bookmark has attributes that browsers read, and attributes for an import`() throws {
        #expect(
            BookmarkText.text(try entry()) == #"""
                    <DT><A HREF="https://books.example/b?id=1&amp;tab=2" ADD_DATE="1795417282" LAST_MODIFIED="1795417283" TAGS="읽을것,a\,b" DATA-ID="kakao.book:5f&amp;2" DATA-KIND="book">고양이 &amp; &lt;달리기&gt; &quot;100%&quot; {C}</A>
                    <DD DATA-TITLE="제목" DATA-RATING="4">첫 줄
                &quot;둘째&quot; 줄
                    <DD>=1+1

                """#
        )
    }

    @Test func `Markdown shows the original text and escapes markup`() throws {
        let zone = LocalZone.fixed(hours: 9)
        let exact = Self.book.replacing(#""publishedPrecision":"day","#, with: "")
        #expect(ItemMarkdown.text(try entry(exact), zone: zone).contains(" · 2021-04-09 00:00 · "))
        let text = ItemMarkdown.text(try entry(), zone: zone)
        #expect(
            text == #"""
                - [고양이 \& \<달리기\> "100%" {C}](https://books.example/b?id=1&tab=2) — kakao.book · 최민서, Smith and Sons · 2021-04-09 · ★★★★☆ · #읽을것 #a,b

                  > **제목**
                  >
                  > 첫 줄  
                  > "둘째" 줄

                  > =1+1


                """#
        )
        #expect(MarkdownText.escaped("<b>*x*</b> [a](b) `c`") == #"\<b\>\*x\*\</b\> \[a\](b) \`c\`"#)
        #expect(MarkdownText.link("t", to: "https://a.example/<\\>()") == "[t](https://a.example/%3C%5C%3E%28%29)")
        #expect(MarkdownText.escaped("]\u{301}").unicodeScalars.elementsEqual("\\]\u{301}".unicodeScalars))
    }

    @Test(arguments: [
        ("- 하나", #"\- 하나"#), ("+ x", #"\+ x"#), ("# x", "\\# x"), ("> x", #"\> x"#), ("12. x", #"12\. x"#),
        ("1) x", #"1\) x"#), ("---", #"\---"#), ("===", #"\==="#), ("=1+1", "=1+1"), ("3.5", #"3\.5"#),
        ("2024", "2024"), ("", ""), ("a - b 1.", "a - b 1."),
    ])
    func `no line of a note becomes a list, a heading or a rule in Markdown`(line: String, written: String) throws {
        #expect(MarkdownText.lineEscaped(line) == written)
        var entry = LibraryEntry()
        entry.title = line
        entry.notes = [LibraryEntry.Note(text: "x\n\(line)")]
        #expect(ItemMarkdown.text(entry, zone: .fixed(hours: 9)).contains("  > x  \n  > \(written)\n"))
    }

    @Test func `an item without an address cannot be exported as a bookmark`() throws {
        let item = try SourceEntries.cursor(#"{"id":"a.b:1","title":"x"}"#)
        for format in ExportFormat.allCases { #expect((format.text(item, zone: .system) == nil) == (format == .html)) }
    }
}

struct LibraryFilesTests {
    private let directory = TemporaryDirectory()

    private func run(_ library: FakeLibrary, _ words: String..., input: String = "") -> Run {
        Run(["library"] + words, in: directory, socket: library.path, input: input)
    }

    private func library(_ name: String = "socket", _ items: [JSONValue] = [], pageItemsMax: Int = 1000) throws
        -> FakeLibrary
    {
        try FakeLibrary(at: directory.file(name), items, pageItemsMax: pageItemsMax)
    }

    private static let items = (1...5).map { number in
        FakeLibrary.item(
            "\(number)",
            title: "고양이 \(number)\n'\"<&,{}",
            more: [
                JSONMember("tags", ["여름", "a,b"]),
                JSONMember("notes", [["id": "1", "title": "제목", "text": "글\n둘째", "rating": 4]]),
            ]
        )
    }

    @Test(arguments: ["csv", "html"]) func `a CSV or HTML export can be imported`(format: String) throws {
        let (full, empty) = (try library("full", Self.items), try library("empty"))
        _ = run(empty, "import", "-", input: run(full, "export", "--format", format).output)
        #expect(empty.items.map { $0["id"] } == full.items.map { $0["id"] })
        for (left, right) in zip(empty.items, full.items) {
            for member in ["source", "kind", "url", "savedAt", "tags"] { #expect(left[member] == right[member]) }
            #expect(left["title"]?.string == right["title"]?.string?.replacing("\n", with: " "))
            if format == "html" { #expect(left["updatedAt"] == right["updatedAt"]) }
            #expect(left["notes"]?[0]?["text"] == "글\n둘째" && left["notes"]?[0]?["rating"] == 4)
        }
    }

    @Test(arguments: ExportFormat.names) func `an export cannot control the terminal`(format: String) throws {
        let library = try library("socket", [FakeLibrary.item("1", title: "\u{1B}[2J\u{202E}고양이")])
        func exported(isTerminal: Bool) -> String {
            let words = ["library", "export", "--format", format]
            return Run(words, in: directory, socket: library.path, isTerminal: isTerminal).output
        }
        let shown = exported(isTerminal: true)
        #expect(shown.contains("고양이"))
        #expect(!shown.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        #expect(exported(isTerminal: false).unicodeScalars.contains("\u{202E}"))
    }

    @Test func `a batch has limits for items and bytes`() {
        func item(_ bytes: Int) -> ItemBatch.Item {
            ItemBatch.Item(line: 1, json: Array(repeating: 0x20, count: bytes))
        }
        var batch = ItemBatch()
        let added = (0...ItemBatch.itemsMax).map { _ in batch.add(item(2)) }
        #expect(added.count { $0 } == ItemBatch.itemsMax && added.last == false)
        var large = ItemBatch([item(ItemBatch.bytesMax - 101)])
        #expect([100, 99, 0].map { large.add(item($0)) } == [false, true, false])
    }

    @Test func `an import is split into requests within the limits for items and bytes`() throws {
        let library = try library()
        let lines = (0..<2100).map { String(decoding: FakeLibrary.item("\($0)").bytes, as: UTF8.self) }
        _ = run(library, "import", "-", input: lines.joined(separator: "\n"))
        #expect(library.saves == [1000, 1000, 100] && library.items.count == 2100)
        let long = String(repeating: "x", count: 300 << 10)
        let large = (0..<7).map { String(decoding: FakeLibrary.item("large\($0)", title: long).bytes, as: UTF8.self) }
        let imported = run(library, "import", "-", input: large.joined(separator: "\n"))
        #expect(imported.output == "7 items imported\n")
        #expect(library.saves.suffix(3) == [3, 3, 1] && library.lineBytesMax <= 1 << 20)
    }

    @Test func `an import prints the line and the reason of each refused item, and saves the other items`() throws {
        let library = try library()
        let wrong = #"{"id":"a.b:x","source":"a.b","kind":"book"}"#
        let lines = (1...50).map { number in
            [7, 8, 31].contains(number) ? wrong : String(decoding: FakeLibrary.item("\(number)").bytes, as: UTF8.self)
        }
        let imported = run(library, "import", "-", input: lines.joined(separator: "\n") + "\n[]\n")
        #expect(imported.status == .sourceFailed && imported.output == "47 items imported, 4 left out\n")
        #expect(
            imported.errors
                == [7, 8, 31, 51].map { line in
                    "line \(line) is left out: \(line == 51 ? "it is not a JSON object" : "A hit must have a title.")\n"
                }.joined()
        )
        #expect(library.items.count == 47)
        let right = String(decoding: FakeLibrary.item("1").bytes, as: UTF8.self)
        #expect(run(library, "import", "-", input: right).output == "0 items imported, 1 already saved\n")
        let tagged = FakeLibrary.item("2", more: [JSONMember("tags", ["책"])])
        let both = right + "\n" + String(decoding: tagged.bytes, as: UTF8.self)
        let again = run(library, "import", "-", input: both)
        #expect(again.output == "0 items imported, 1 got new tags or notes, 1 already saved\n")
        let json = run(library, "import", "-", "--json", input: wrong)
        #expect(json.status == .nothingFound)
        #expect(
            json.output
                == #"{"taken":0,"added":0,"updated":0,"left":1,"reasons":[{"line":1,"reason":"A hit must have a title."}]}"#
                + "\n"
        )
    }

    @Test func `if the daemon fails, the number of saved items is reported`() throws {
        let seen = Seen()
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            while let line = try connection.line() {
                seen.add(line)
                try connection.send(
                    seen.lines.count == 1
                        ? #"{"jsonrpc":"2.0","id":1,"result":{"items":[],"added":1000,"revision":1}}"#
                        : #"{"jsonrpc":"2.0","id":1,"error":{"code":-32008,"message":"A library holds at most 250000 items.","data":{"kind":"overloaded"}}}"#
                )
            }
        }
        let lines = (0..<1001).map { String(decoding: FakeLibrary.item("\($0)").bytes, as: UTF8.self) }
        let imported = Run(
            "library",
            "import",
            "-",
            in: directory,
            socket: daemon.path,
            input: lines.joined(separator: "\n")
        )
        #expect(imported.status == .tryLater && imported.output == "1,000 items imported\n")
        #expect(imported.errors.contains("A library holds"))
    }

    @Test func `the error for an unreadable file contains its path`() throws {
        let library = try library()
        let missing = run(library, "import", "/nonexistent/file")
        #expect(missing.status == .usage && missing.errors.contains("/nonexistent/file: No such file"))
        #expect(run(library, "import", directory.path).errors.contains("is a directory"))
        #expect(run(library, "import").errors.contains("nothing to import"))
        #expect(run(library, "import", "-").errors.contains("nothing to import"))
    }

}
