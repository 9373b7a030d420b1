import JSON
import TestSupport
import Testing

@testable import Client

struct ImportReaderTests {
    private struct Found: Equatable {
        var items: [JSONValue] = []
        var left: [String] = []
    }

    private func read(_ file: [UInt8]) throws -> Found {
        var found = Found()
        for record in try ImportFormat.records(of: file) {
            switch record.outcome {
            case .item(let json): found.items.append(try JSONDocument(json).root.value)
            case .left(let reason): found.left.append("\(record.line): \(reason)")
            }
        }
        return found
    }

    private func read(_ file: String) throws -> Found { try read(Array(file.utf8)) }

    @Test func `each ndjson line is an item, and unknown members are dropped`() throws {
        let item =
            #"{"id":"a.b:1","source":"a.b","kind":"book","title":"하나","savedAt":"2026-11-01T10:00:00Z","#
            + #""tags":["x"],"notes":[{"id":"1","text":"n"}]}"#
        let more = item.dropLast() + #", "rank":3, "saved":true, "raw":{"k":1}, "url":null}"#
        let found = try read("\u{FEFF}\(item)\r\n\n\(more)\n  \n\(item)")
        #expect(found.left == [])
        #expect(found.items.map { String(decoding: $0.bytes, as: UTF8.self) } == [item, item, item])
    }

    @Test func `an invalid item is reported with its line and a reason`() throws {
        let found = try read("{\"id\":\"a.b:1\"}\n{\n3\n{\"title\":\"x\"}\n{\"url\":\"javascript:x\"}")
        #expect(found.items == [["id": "a.b:1"]])
        #expect(found.left.map { $0.prefix(2) } == ["2:", "3:", "4:", "5:"])
        #expect(found.left[1] == "3: it is not a JSON object")
        #expect(found.left[2] == "4: it has neither an id nor a url")
    }

    @Test func `an object from another program needs only an address, which determines its id`() throws {
        let found = try read(#"{"url":"https://a.example/","title":" A\tb ","tags":["x"]}"#)
        #expect(
            found.items == [
                [
                    "id": "imported.web:e82c6eb99ff8b8c2", "source": "imported.web", "kind": "web", "title": "A b",
                    "url": "https://a.example/", "tags": ["x"],
                ]
            ] || found.items.first?["id"]?.string?.hasPrefix("imported.web:") == true
        )
        #expect(try read(#"{"url":"https://a.example/","title":"other"}"#).items[0]["id"] == found.items[0]["id"])
        #expect(try read(#"{"url":"https://a.example/b"}"#).items[0]["id"] != found.items[0]["id"])
    }

    @Test func `an import restores an exported table, and joins the notes of repeated rows`() throws {
        var entry = LibraryEntry()
        entry.id = "a.b:1"
        entry.kind = "book"
        entry.title = "=하나, \"둘\"\u{301}"
        entry.url = "https://a.example/1"
        entry.author = "김하나"
        (entry.published, entry.precision) = ("2024-03-01T00:00:00Z", "month")
        entry.tags = ["a,b", "c|d", "e\\"]
        entry.savedAt = 1_700_000_000
        entry.extra = try JSONDocument(Array(#"{"price":5}"#.utf8)).root
        entry.notes = [
            LibraryEntry.Note(title: "제목", text: "첫 줄\n\n둘째 \"줄\"", rating: 4), LibraryEntry.Note(rating: 1),
        ]
        let found = try read(CSVTable.header + CSVTable.rows(entry) + CSVTable.rows(entry))
        #expect(found.left == [])
        #expect(found.items.count == 1)
        var twice = entry
        twice.notes += entry.notes
        #expect(found.items.first?.bytes == twice.item)
    }

    @Test func `columns of other programs are recognised by name, in any order and with any separator`() throws {
        let pocket = "title,url,time_added,tags,status\nA b,https://a.example/,1700000000,x|y,unread\n"
        let semicolons =
            "\u{FEFF}URL;Name;Labels;Comment;Date Added;My Rating\r\n"
            + "https://a.example/;\"A b\";x,y;\"n;\r\nm\";2023-11-14 22:13:20;0\r\n"
        let korean = "제목,링크,태그,메모,평점,saved\nA b,https://a.example/,x|y,좋다,4,1700000000\n"
        let expected: [JSONMember] = [
            JSONMember("source", "imported.web"), JSONMember("kind", "web"), JSONMember("title", "A b"),
            JSONMember("url", "https://a.example/"), JSONMember("savedAt", "2023-11-14T22:13:20Z"),
            JSONMember("tags", ["x", "y"]),
        ]
        let notes = [
            [], [JSONMember("notes", [["text": "n;\nm"]])], [JSONMember("notes", [["text": "좋다", "rating": 4]])],
        ]
        for (file, more) in zip([pocket, semicolons, korean], notes) {
            let found = try read(file)
            #expect(found.left == [])
            #expect(found.items.first?.members.map { Array($0.dropFirst()) } == expected + more)
        }
    }

    @Test func `a quotation mark inside a cell is plain text, and a row without an address is skipped`() throws {
        let found = try read(
            "title\turl\n5\" disk\thttps://a.example/1\nnone\t\nx\tftp://a\n\n\t\ny\thttps://a.example/2"
        )
        #expect(found.items.map { $0["title"] } == ["5\" disk", "y"])
        #expect(found.left == ["3: it has no url", "4: its url is not a web address"])
    }

    @Test func `a row with an invalid rating or an unterminated quotation is skipped`() throws {
        let found = try read(
            "url,rating\nhttps://a.example/1,9\nhttps://a.example/2, 5 \nhttps://a.example/3,good\n"
                + "https://a.example/4,\"4\nhttps://a.example/5,5\n"
        )
        #expect(found.items.map { $0["notes"]?[0]?["rating"] } == [5])
        #expect(
            found.left == [
                "2: rating: “9” is not a number from 1 to 5", "4: rating: “good” is not a number from 1 to 5",
                "5: a quotation mark in it is never closed",
            ]
        )
    }

    @Test func `a compressed file is refused with the command to unpack it`() throws {
        let error = #expect(throws: ClientError.self) { try read([0x1F, 0x8B, 8, 0]) }
        #expect(error?.message == "the file is compressed" && error?.hint?.contains("gunzip") == true)
    }

    @Test func `a table that is not UTF-8 is refused with a hint`() throws {
        // The header 제목,url in CP949.
        let error = #expect(throws: ClientError.self) { try read([0xC1, 0xA6, 0xB8, 0xF1] + Array(",url\n".utf8)) }
        #expect(error?.message == "the file is not UTF-8" && error?.hint?.contains("iconv -f CP949") == true)
    }

    @Test(arguments: ["a,b\n1,2\n", "no table at all", "title\nx\n"]) func `a table without addresses is refused`(
        file: String
    ) {
        #expect(throws: ClientError.self) { try read(file) }
    }

    private static let bookmarks = #"""
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <!-- This is an automatically generated file. Don't edit "it. -->
        <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
        <TITLE>Bookmarks</TITLE>
        <H1>Bookmarks</H1>
        <DL><p>
            <DT><H3 ADD_DATE="1" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
            <DL><p>
                <DT><A HREF="https://a.example/?a=1&amp;b=2" ADD_DATE="1700000000" ICON="data:image/png;base64,AA==">하나 &lt;1&gt; &#39;x&#x27;</A>
                <DT><H3>요리 &amp; 책</H3>
                <DD>About the folder
                <DL><p>
                    <DT><A HREF="https://a.example/2" ADD_DATE="1700000000000000" TAGS="x,y">둘</A>
                    <DD>첫 줄<br>둘째 줄
                    <DT><A HREF="javascript:alert('<b>')">Bookmarklet</A>
                    <HR>
                </DL><p>
                <DT><A HREF="https://a.example/3"></A>
            </DL><p>
            <DT><A HREF="place:sort=8">Most visited</A>
        </DL>
        """#

    @Test func `bookmarks become items, folders become tags, and other links are skipped`() throws {
        let found = try read(Self.bookmarks)
        #expect(found.items.map { $0["title"]?.string } == ["하나 <1> 'x'", "둘", "https://a.example/3"])
        #expect(found.items.map { $0["url"]?.string }[0] == "https://a.example/?a=1&b=2")
        #expect(found.items.map { $0["tags"] } == [nil, ["요리 & 책", "x", "y"], nil])
        #expect(found.items.map { $0["notes"] } == [nil, [["text": "첫 줄\n둘째 줄"]], nil])
        #expect(
            found.items.map { $0["savedAt"]?.string } == ["2023-11-14T22:13:20Z", "2023-11-14T22:13:20Z", nil]
        )
        #expect(
            found.left == [
                "15: its address is not a web address: javascript:alert('<b>')",
                "20: its address is not a web address: place:sort=8",
            ]
        )
    }

    @Test func `exported bookmarks are restored`() throws {
        var entry = LibraryEntry()
        entry.id = "a.b:1\"<"
        entry.kind = "book"
        entry.title = "하나 & \"둘\"\u{301} <b>"
        entry.url = "https://a.example/?x=1&y=\"2\""
        entry.tags = ["a,b", "c&d"]
        (entry.savedAt, entry.updatedAt) = (1_700_000_000, 1_700_000_001)
        entry.notes = [
            LibraryEntry.Note(title: "제목", text: "첫 줄\n둘째 <줄>", rating: 4), LibraryEntry.Note(rating: 1),
        ]
        let found = try read(
            BookmarkText.opening + BookmarkText.text(entry) + BookmarkText.text(entry) + BookmarkText.closing
        )
        #expect(found.left == [])
        #expect(found.items.map(\.bytes) == [entry.item, entry.item])
    }

    @Test func `an attribute in one kind of quotes may contain the other kind`() throws {
        let found = try read(
            "<DL><p><DT><A HREF='https://a.example/?q=\"x\"'>a</A><DT><A TAGS=\"it's\" HREF='https://a.example/2'>b</A></DL>"
        )
        #expect(found.items.map { $0["url"]?.string } == [#"https://a.example/?q="x""#, "https://a.example/2"])
        #expect(found.items[1]["tags"] == ["it's"])
    }

    @Test(arguments: [
        ("&amp;&lt;", "&<"), ("&#44256;&#xC591;", "고양"), ("& &x; &#; &#x110000;", "& &x; &#; &#x110000;"),
        ("a&amp", "a&amp"),
        ("&\u{301}amp;", "&\u{301}amp;"),
    ])
    func `entities are decoded`(text: String, meant: String) {
        #expect(Entities.decoded(text).unicodeScalars.elementsEqual(meant.unicodeScalars))
    }

    @Test(arguments: [
        ("2024", "2024-01-01T00:00:00Z", "year"), ("2024-03", "2024-03-01T00:00:00Z", "month"),
        ("2024/03/09", "2024-03-09T00:00:00Z", "day"), ("2024.03.09", "2024-03-09T00:00:00Z", "day"),
        ("2024-03-09 11:51:51", "2024-03-09 11:51:51Z", nil),
        ("2024-03-09T11:51:51.123+09:00", "2024-03-09T11:51:51.123+09:00", nil),
    ])
    func `dates in common formats are read`(text: String, written: String, precision: String?) throws {
        let found = try #require(ImportTime.published(text))
        #expect(found.text == written && found.precision == precision)
    }
}

struct ImportFuzzTests {
    private static let pieces = [
        "<", ">", "\"", "'", ",", ";", "\n", "\r\n", "\\", "|", "&", "&amp;", "&#x41;", "=", " ", "{", "}", "[", ":",
        "a",
        "고", "\u{301}", "<A HREF=\"https://a.example/", "</A>", "<DD>", "<DL>", "</DL>", "<H3>", "</H3>", "<!--", "url",
        "https://a.example/", #"{"id":"a.b:1","title":""#, "\t", "-", "@", "\u{1B}", "\u{202E}",
    ]

    private static func text(_ count: Int, _ generator: inout SeededGenerator) -> String {
        (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }

    @Test(arguments: [ImportFormat.ndjson, .csv, .bookmarks])
    func `every item of a random file is one JSON object`(format: ImportFormat) throws {
        var generator = SeededGenerator(seed: testSeed())
        for _ in 0..<400 {
            let head = format == .csv ? "url,title,note,tags\n" : ""
            var bytes = Array((head + Self.text(60, &generator)).utf8)
            if Bool.random(using: &generator), bytes.count > 40 {
                bytes[Int.random(in: 30..<bytes.count, using: &generator)] = 0xFF
            }
            for record in try format.records(bytes[...]) {
                guard case .item(let json) = record.outcome else { continue }
                #expect(try JSONDocument(json, limits: SavedMembers.limits).root.kind == .object)
            }
        }
    }

    @Test(arguments: [ImportFormat.csv, .bookmarks])
    func `an export followed by an import restores random text`(format: ImportFormat) throws {
        var generator = SeededGenerator(seed: testSeed())
        for _ in 0..<400 {
            var entry = LibraryEntry()
            entry.id = "a.b:1"
            entry.title = LibraryEntry.line(Self.text(8, &generator))
            if entry.title.isEmpty { entry.title = "T" }
            entry.url = "https://a.example/" + LibraryEntry.line(Self.text(4, &generator))
            entry.tags = [LibraryEntry.line(Self.text(3, &generator))].filter { !$0.isEmpty }
            entry.savedAt = 1_700_000_000
            let note = LibraryEntry.lines(Self.text(8, &generator).replacingScalars { $0 == "\r" ? "" : nil })
            entry.notes = [LibraryEntry.Note(title: "t", text: note, rating: 3)]
            let file =
                format == .csv
                ? CSVTable.header + CSVTable.rows(entry)
                : BookmarkText.opening + BookmarkText.text(entry) + BookmarkText.closing
            let records = try format.records(Array(file.utf8)[...])
            #expect(records.map(\.outcome) == [.item(entry.item)], "\(file)")
        }
    }
}
