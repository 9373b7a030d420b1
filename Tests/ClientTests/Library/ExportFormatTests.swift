import JSON
import Testing

@testable import Client

/// Items in the formats of other programs.
struct ExportFormatTests {
    private static let book = #"""
        {"id":"kakao.book:5f&2","source":"kakao.book","kind":"book","title":"고양이 & <달리기> \"100%\" {C}",
        "snippet":"지난주에, 남해에","url":"https://books.example/b?id=1&tab=2","author":"최민서, Smith and Sons",
        "published":"2021-04-09T00:00:00+09:00","publishedPrecision":"day",
        "extra":{"authors":["최민서","Smith and Sons","Kim, Ha"],"publisher":"바람_개비","isbn13":"9788297071231"},
        "savedAt":"2026-11-23T07:01:22Z","updatedAt":"2026-11-23T07:01:23Z","tags":["읽을것","a,b"],
        "notes":[{"id":"1","title":"제목","text":"첫 줄\n\"둘째\" 줄","rating":4,"at":"2026-11-23T07:01:22Z"},
        {"id":"2","text":"=1+1","at":"2026-11-23T07:01:22Z"}]}
        """#

    private func entry(_ item: String = book) throws -> LibraryEntry {
        LibraryEntry(try JSONDocument(Array(item.utf8)).root)
    }

    @Test func `CSV has a row for each note, and quotes what must be quoted`() throws {
        #expect(CSVTable.header.hasPrefix("title,author,url,published,kind,tags,rating,note title,note,saved,"))
        let rows = CSVTable.rows(try entry())
        let extra =
            #""{""authors"":[""최민서"",""Smith and Sons"",""Kim, Ha""],""publisher"":""바람_개비"",""isbn13"":""9788297071231""}""#
        #expect(
            rows == #""고양이 & <달리기> ""100%"" {C}","최민서, Smith and Sons",https://books.example/b?id=1&tab=2,2021-04-09,"#
                + #"book,"읽을것,a\,b",4,제목,"첫 줄"# + "\n" + #"""둘째"" 줄",2026-11-23T07:01:22Z,"지난주에, 남해에",,"#
                + extra + ",kakao.book:5f&2\r\n"
                + #""고양이 & <달리기> ""100%"" {C}",,,,,,,,'=1+1,,,,,kakao.book:5f&2"# + "\r\n"
        )
    }

    @Test(arguments: ["=1+1", "+1", "-1", "@x", "\tx", "'=x", "''@"])
    func `no cell is a formula, and each is what it was after an import`(cell: String) throws {
        var entry = LibraryEntry()
        entry.title = cell
        let written = try #require(CSVTable.rows(entry).split(separator: ",").first)
        #expect(written.drop { $0 == "\"" }.hasPrefix("'"))
        let cells = try #require(TableRow.cells(Array(CSVTable.rows(entry).utf8)[...], delimiter: UInt8(ascii: ",")))
        #expect(CSVTable.unguarded(cells[0]) == cell)
    }

    @Test(arguments: ["'tis", "a=b", "", "'"]) func `a text that is no formula stays as it is`(cell: String) {
        #expect(CSVTable.unguarded(cell) == cell)
        var entry = LibraryEntry()
        entry.title = cell
        #expect(CSVTable.rows(entry).hasPrefix(cell + ","))
    }

    @Test func `BibTeX prints as it was written, and keeps names together`() throws {
        #expect(
            BibTeX.text(try entry()) == #"""
                @book{kakao.book:5f+262,
                  title = {{고양이 \& <달리기> "100\%" \textbraceleft{}C\textbraceright{}}},
                  author = {최민서 and {Smith and Sons} and {Kim, Ha}},
                  publisher = {바람\_개비},
                  year = {2021},
                  date = {2021-04-09},
                  isbn = {9788297071231},
                  url = {https://books.example/b?id=1&tab=2},
                  keywords = {읽을것, a,b},
                  annote = {4/5 제목: 첫 줄 "둘째" 줄 · =1+1}
                }


                """#
        )
    }

    @Test(arguments: [
        (#"a\b"#, #"a\textbackslash{}b"#), ("}{", #"\textbraceright{}\textbraceleft{}"#),
        ("$x_1^2~", #"\$x\_1\textasciicircum{}2\textasciitilde{}"#),
        ("#%&", ##"\#\%\&"##), ("a\nb\t c", "a b c"), ("{\u{301}", "\\textbraceleft{}\u{301}"),
    ])
    func `no sign of a text means anything to TeX`(text: String, written: String) {
        #expect(BibTeX.escaped(text).unicodeScalars.elementsEqual(written.unicodeScalars))
    }

    @Test func `RIS has a line for each field, and no text begins another`() throws {
        let text = RISText.text(try entry())
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.first == "TY  - BOOK" && lines.suffix(3) == ["ER  - ", "", ""])
        #expect(lines.contains("TI  - 고양이 & <달리기> \"100%\" {C}"))
        #expect(lines.filter { $0.hasPrefix("AU  - ") } == ["AU  - 최민서", "AU  - Smith and Sons", "AU  - Kim, Ha"])
        #expect(lines.contains("DA  - 2021/04/09") && lines.contains("PY  - 2021"))
        #expect(lines.contains("N1  - 첫 줄 \"둘째\" 줄") && lines.contains("KW  - a,b"))
        #expect(!text.contains { $0 == "\n" })
    }

    @Test func `a bookmark keeps what browsers read and what an import needs`() throws {
        #expect(
            BookmarkText.text(try entry()) == #"""
                    <DT><A HREF="https://books.example/b?id=1&amp;tab=2" ADD_DATE="1795417282" LAST_MODIFIED="1795417283" TAGS="읽을것,a\,b" DATA-ID="kakao.book:5f&amp;2" DATA-KIND="book">고양이 &amp; &lt;달리기&gt; &quot;100%&quot; {C}</A>
                    <DD DATA-TITLE="제목" DATA-RATING="4">첫 줄
                &quot;둘째&quot; 줄
                    <DD>=1+1

                """#
        )
    }

    @Test func `a sign that a combining mark follows ends no attribute`() {
        #expect(BookmarkText.escaped("\"\u{301}<\u{302}").utf8.elementsEqual("&quot;\u{301}&lt;\u{302}".utf8))
    }

    @Test func `Markdown says the same to a reader, and nothing to a renderer`() throws {
        let text = ItemMarkdown.text(try entry())
        #expect(
            text == #"""
                - [고양이 \& \<달리기\> "100%" {C}](<https://books.example/b?id=1&tab=2>) — kakao.book · 최민서, Smith and Sons · 2021-04-09 · ★★★★☆ · #읽을것 #a,b

                  > **제목**
                  >
                  > 첫 줄  
                  > "둘째" 줄

                  > =1+1


                """#
        )
        #expect(MarkdownText.escaped("<b>*x*</b> [a](b) `c`") == #"\<b\>\*x\*\</b\> \[a\](b) \`c\`"#)
        #expect(MarkdownText.link("t", to: "https://a.example/<\\>") == "[t](<https://a.example/%3C%5C%3E>)")
        #expect(MarkdownText.escaped("]\u{301}").unicodeScalars.elementsEqual("\\]\u{301}".unicodeScalars))
    }

    @Test(arguments: [
        ("- 하나", #"\- 하나"#), ("+ x", #"\+ x"#), ("# x", "\\# x"), ("> x", #"\> x"#), ("12. x", #"12\. x"#),
        ("1) x", #"1\) x"#), ("---", #"\---"#), ("===", #"\==="#), ("=1+1", "=1+1"), ("3.5", #"3\.5"#),
        ("2024", "2024"), ("", ""), ("a - b 1.", "a - b 1."),
    ])
    func `no beginning of a note's line is a list, a heading or a rule`(line: String, written: String) throws {
        #expect(MarkdownText.lineEscaped(line) == written)
        var entry = LibraryEntry()
        entry.title = line
        entry.notes = [LibraryEntry.Note(text: "x\n\(line)")]
        #expect(ItemMarkdown.text(entry).contains("  > x  \n  > \(written)\n"))
    }

    @Test func `what has no address is no bookmark, and only a book is one`() throws {
        var entry = try entry()
        for format in ExportFormat.allCases { #expect(format.omission(entry) == nil) }
        entry.url = nil
        entry.kind = "movie"
        #expect(ExportFormat.html.omission(entry) == .noAddress)
        #expect(ExportFormat.bibtex.omission(entry) == .noBook && ExportFormat.ris.omission(entry) == .noBook)
        for format in [ExportFormat.ndjson, .csv, .markdown] { #expect(format.omission(entry) == nil) }
    }
}
