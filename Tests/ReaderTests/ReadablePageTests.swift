import JSON
import SearchModel
import Testing

@testable import Reader

private func page(_ body: String, head: String = "") throws -> PageDocument {
    let text = "<html><head>\(head)</head><body>\(body)</body></html>"
    return try PageDocument(reading: Array(text.utf8), at: "https://example.org/a/b?c")
}

private let sentence = "The harbour wakes before sunrise, when the first boats return with crates of mackerel."

@Suite struct BlockTests {
    @Test func `paragraphs, headings, lists, quotes and code are blocks`() throws {
        let readable = try page(
            """
            <h2>Boats &amp; nets</h2><p>\(sentence)</p><ol start=3><li>Repair the nets today<ul><li>and the other ropes, too</ul>\
            <li>Paint the hull at last</ol><blockquote><p>Never whistle on a boat, says the captain.</p></blockquote>\
            <pre>a  b
              c = "the last line of the code"</pre><p>\(sentence)</p>
            """,
            head: "<title>Tales of the sea</title>"
        )
        #expect(
            readable.blocks == [
                PageBlock(kind: .heading, level: 2, text: "Boats & nets"),
                PageBlock(kind: .paragraph, text: sentence),
                PageBlock(kind: .item, level: 1, number: 3, text: "Repair the nets today"),
                PageBlock(kind: .item, level: 2, text: "and the other ropes, too"),
                PageBlock(kind: .item, level: 1, number: 4, text: "Paint the hull at last"),
                PageBlock(kind: .quote, text: "Never whistle on a boat, says the captain."),
                PageBlock(kind: .code, text: "a  b\n  c = \"the last line of the code\""),
                PageBlock(kind: .paragraph, text: sentence),
            ]
        )
    }

    @Test(arguments: [
        ("<ul><li>Flour<li>Salt</ul><p>Mix it well.</p>", ["Flour", "Salt", "Mix it well."]),
        ("<ol><li>Stir<li>Bake</ol><p>Eat.</p>", ["Stir", "Bake", "Eat."]),
        ("<pre>make install</pre>", ["make install"]),
        ("<table><tr><th>Egg<th>2</tr><tr><td>Milk<td>1 l</tr></table>", ["Egg 2 Milk 1 l"]),
        ("<h2>Do</h2><ol><li>\(sentence)<li>Bake</ol><blockquote>Eat</blockquote>", ["Do", sentence, "Bake", "Eat"]),
    ])
    func `short blocks after the last long paragraph belong to the text`(end: String, texts: [String]) throws {
        let article = "<article><p>\(sentence)</p>\(end)</article>"
        let body = "<div><p>Top</p></div>\(article)<footer>Us</footer><div><p>Print</p></div>"
        let blocks = try page(body, head: "<title>Bread for a week</title>").blocks
        #expect(blocks.map { $0.text + $0.rows.joined().joined(separator: " ") } == [sentence] + texts)
    }

    @Test func `two line breaks begin a paragraph, and one line break begins a line`() throws {
        let readable = try page("<div>\(sentence)<br>\(sentence)<br> <br>\(sentence)</div>")
        #expect(readable.blocks.map(\.text) == ["\(sentence)\n\(sentence)", sentence])
    }

    @Test func `a run of white space becomes one space, and invisible parts are left out`() throws {
        let readable = try page(
            """
            <p>Three&nbsp; \n\tgulls <script>alert("x")</script><style>p {}</style><span style="display: none">secret</span>\
            <span hidden>more</span>argue over the scraps on the quay, loudly.</p>
            """
        )
        #expect(readable.blocks.map(\.text) == ["Three gulls argue over the scraps on the quay, loudly."])
    }

    @Test func `a table with data keeps its cells, and a table used for layout becomes paragraphs`() throws {
        let data =
            "<tr><th>Year</th><th>Catch of the whole fleet</th></tr><tr><td>2023<td>1,287 tonnes of mackerel</tr>"
        let inner = try page("<p>\(sentence)</p><table>\(data)</table><p>\(sentence)</p>")
        #expect(inner.blocks[1].kind == .table)
        #expect(
            inner.blocks[1].rows == [["Year", "Catch of the whole fleet"], ["2023", "1,287 tonnes of mackerel"]]
        )
        let outer = try page("<table><tr><td><a href=/>Home</a><td><p>\(sentence)</p><table>\(data)</table></table>")
        #expect(outer.blocks.first == PageBlock(kind: .paragraph, text: sentence))
    }

    @Test func `a link has its range in the text and an absolute address`() throws {
        let text = "고양이는 <a href='../d'>창가</a>에 앉아 <a href=javascript:x>하루</a> 종일 밖을 바라본다."
        let readable = try page("<p>\(text)</p>")
        let link = try #require(readable.blocks.first?.links.first)
        #expect(link == PageBlock.Link(range: 5..<7, address: "https://example.org/d", number: 1))
        #expect(readable.blocks[0].links.count == 1)
        let document = try JSONDocument(readable.json).root
        #expect(document["links"]?[0]?.string == "https://example.org/d")
        #expect(document["blocks"]?[0]?["links"]?[0]?.elements.compactMap(\.int) == [5, 7, 1])
    }

    @Test func `a plain text is split into paragraphs, and tags are not interpreted`() throws {
        let text = "One <b>line\nand another.\n\n\n  indented\n"
        let readable = try PageDocument(reading: Array(text.utf8), type: "text/plain")
        #expect(
            readable.blocks == [
                PageBlock(kind: .paragraph, text: "One <b>line\nand another."),
                PageBlock(kind: .code, text: "  indented"),
            ]
        )
    }

    @Test func `all text of a page with little text is returned`() throws {
        let readable = try page("<nav><a href=/x>Start</a></nav> Under construction")
        #expect(readable.blocks.map(\.text) == ["Start", "Under construction"])
    }
}

@Suite struct FactTests {
    @Test(
        arguments: [
            ("<title>Soup of the day and bread | Kitchen Notes</title>", "", "Soup of the day and bread" as String?),
            (
                "<title>Kitchen Notes - The patience of soup</title>", "<h1>The patience of soup</h1>",
                "The patience of soup"
            ),
            ("<meta property=og:title content='Soup &amp; bread'><title>x</title>", "", "Soup & bread"),
            ("", "<h1>Only a heading</h1>", "Only a heading"),
            ("", "", nil),
        ]
    )
    func `the title does not contain the name of the site`(head: String, body: String, title: String?) throws {
        #expect(try page(body + "<p>\(sentence)</p>", head: head).title == title)
    }

    @Test(
        arguments: [
            ("2024-03-09T11:51:51+09:00", "2024-03-09T11:51:51+09:00" as String?), ("2024-03-09", "2024-03-09"),
            ("2024. 3. 9. 오후 5:10", "2024-03-09"), ("2024년 3월 9일", "2024-03-09"), ("March 9, 2024", "2024-03-09"),
            ("Sat, 9 Mar 2024", "2024-03-09"), ("20240309", "2024-03-09"), ("2024/13/40", nil), ("yesterday", nil),
            ("9999999999999999999999-01-01", nil),
        ]
    )
    func `dates in common forms are read`(text: String, date: String?) throws {
        #expect(try page("<p>\(sentence)</p>", head: "<meta name=date content='\(text)'>").published == date)
    }

    @Test func `structured data has priority, and damaged data is ignored`() throws {
        let data = #"{"@graph":[{"headline":"From data","author":[{"name":"Ada"}],"datePublished":"2024-01-02"}]}"#
        let scripts = ["{[", data].map { "<script type=application/ld+json>\($0)</script>" }
        let readable = try page("<p>\(sentence)</p>", head: scripts.joined() + "<title>T</title>")
        #expect((readable.title, readable.author, readable.published) == ("From data", "Ada", "2024-01-02"))
    }

    @Test func `the language is declared by the page or detected from its letters`() throws {
        #expect(try PageDocument(reading: Array("<html lang=en-GB><p>\(sentence)".utf8)).language == "en")
        #expect(try PageDocument(reading: Array("<p>골목 끝 작은 서점에는 주인보다 오래된 고양이가 산다.".utf8)).language == "ko")
    }

    @Test func `if a page has only a frame or a redirection, the address of the real page is returned`() throws {
        let frame = "<iframe id=mainFrame src='/PostView?id=1'></iframe>"
        #expect(try page(frame).frame == "https://example.org/PostView?id=1")
        #expect(try page("<iframe id=mainFrame src='//other.example/'></iframe>").frame == nil)
        let refresh = "<meta http-equiv=refresh content='0; url=/next'>"
        #expect(try page("", head: refresh).frame == "https://example.org/next")
        let long = String(repeating: "<p>\(sentence)</p>", count: 9)
        #expect(try page(long + frame).frame == nil)
    }
}

@Suite struct PageAddressTests {
    @Test(
        arguments: [
            ("c", "https://example.org/a/c" as String?), ("/c?d#e", "https://example.org/c?d"),
            ("?q", "https://example.org/a/b?q"),
            ("../../../c/./d/..", "https://example.org/c/"), ("//other.example/x", "https://other.example/x"),
            ("HTTP://other.example", "HTTP://other.example"), ("#top", nil), ("", nil), ("mailto:a@b.c", nil),
            ("java\nscript:alert(1)", nil), ("https://user@host/", nil), ("data:text/html,x", nil),
        ]
    )
    func `links are resolved as in browsers, and only web addresses are kept`(link: String, resolved: String?) {
        #expect(PageAddress("https://example.org/a/b?c")?.resolving(link) == resolved)
    }
}

@Suite struct CharsetTests {
    private static let korean: [UInt8] = [0xC7, 0xD1, 0xB1, 0xDB, 0x20, 0xC6, 0xE4, 0xC0, 0xCC, 0xC1, 0xF6]

    private func text(_ bytes: [UInt8], label: String? = nil) throws -> String {
        try PageDocument(reading: bytes, type: "text/plain", charset: label).blocks.map(\.text).joined()
    }

    @Test func `Korean pages are read correctly, even if the charset label is wrong or missing`() throws {
        for label in ["euc-kr", "KS_C_5601-1987", nil, "utf-8", "iso-8859-1", "klingon", "utf-16"] {
            #expect(try text(Self.korean, label: label) == "한글 페이지")
        }
        // The first two bytes are a syllable that CP949 adds to EUC-KR.
        #expect(try text([0x94, 0xEE] + Self.korean, label: "euc-kr") == "뷁한글 페이지")
    }

    @Test func `valid UTF-8 is read as UTF-8 with any label`() throws {
        #expect(try text(Array("한글 페이지".utf8), label: "euc-kr") == "한글 페이지")
        #expect(try text([0xEF, 0xBB, 0xBF] + Array("한글".utf8)) == "한글")
    }

    @Test func `a label or a byte order mark sets the encoding, and the default is UTF-8 or Western`() throws {
        #expect(try text([0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA], label: "shift_jis") == "日本語")
        #expect(try text([0xFF, 0xFE, 0x41, 0x00, 0x00, 0xAC]) == "A가")
        let units = Array("고양이 ".utf16) + [0xD800] + Array("강아지".utf16)
        let bytes = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        #expect(try text([0xFF, 0xFE] + bytes) == "고양이 \u{FFFD}강아지")
        #expect(try text([0x63, 0x61, 0x66, 0xE9]) == "café")
    }

    @Test func `an incomplete character at the end is replaced`() throws {
        #expect(try text(Array("고양이가 산다".utf8.dropLast())) == "고양이가 산\u{FFFD}")
    }
}

@Suite struct HostilePageTests {
    @Test func `if a page is empty, too large or not text, an error is thrown`() {
        #expect(throws: ReadingError.empty) { try PageDocument(reading: []) }
        let large = [UInt8](repeating: 0x61, count: PageDocument.pageBytesMax + 1)
        #expect(throws: ReadingError.tooLarge) { try PageDocument(reading: large) }
        #expect(throws: ReadingError.empty) { try PageDocument(reading: Array(" \n\t".utf8)) }
        let binary = [0x89, 0x50] + Array(0...255) + Array(0...255) as [UInt8]
        #expect(throws: ReadingError.notText) { try PageDocument(reading: binary) }
    }

    @Test func `text inside a hundred thousand nested elements is found`() throws {
        let deep = String(repeating: "<div>", count: 100_000) + "<p>\(sentence)"
        #expect(try PageDocument(reading: Array(deep.utf8)).blocks.map(\.text) == [sentence])
    }

    @Test(arguments: ["<b>", "<", "&", "<a href=x>y", "<table><tr><td>", "<ul><li>", "<p>x</b>", "<!--", "<br>x"])
    func `a page that repeats one piece a hundred thousand times is read`(piece: String) throws {
        let bytes = Array(repeatElement(Array(piece.utf8), count: 100_000).joined())
        let readable = try PageDocument(reading: bytes)
        #expect(try JSONDocument(readable.json).root["blocks"] != nil)
    }
}
