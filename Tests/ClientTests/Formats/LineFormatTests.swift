import JSON
import Testing

@testable import Client

struct LineFormatTests {
    private static let hit: JSONValue = [
        "id": "naver.blog:1", "source": "naver.blog", "title": "고양이\t[사료]", "snippet": "한\n줄",
        "url": "https://a.example/1?x=y z", "author": "집사", "published": "2024-03-09T11:51:51+09:00",
        "publishedPrecision": "day", "extra": ["price": 12000, "authors": ["a", "b"]],
    ]

    private func text(_ format: LineFormat, _ value: JSONValue = hit, isFirst: Bool = true) throws -> String {
        format.text(try JSONDocument(value.bytes).root, number: 3, isFirst: isFirst, zone: .fixed(hours: 9))
    }

    @Test func `tsv has seven fields, whatever the hit has`() throws {
        let full = try text(.tsv)
        #expect(
            full == "고양이 [사료]\thttps://a.example/1?x=y z\tnaver.blog\t집사\t2024-03-09\t한 줄\tnaver.blog:1\n"
        )
        #expect(try text(.tsv, ["id": "x"]).split(separator: "\t", omittingEmptySubsequences: false).count == 7)
    }

    @Test func `markdown links the title and escapes what would be markup`() throws {
        #expect(
            try text(.markdown)
                == "3. [고양이 \\[사료\\]](<https://a.example/1?x=y%20z>) — naver.blog · 집사 · 2024-03-09  \n   한 줄\n"
        )
        #expect(try text(.markdown, ["title": "a", "url": "javascript:x", "source": "s"]) == "3. a — s\n")
    }

    @Test func `fzf has the address before the tab`() throws {
        #expect(try text(.fzf) == "https://a.example/1?x=y z\t고양이 [사료]  ·  naver.blog  ·  2024-03-09\n")
    }

    @Test func `rofi has the address as the info of its row`() throws {
        #expect(
            try text(.rofi)
                == "고양이 [사료]  ·  naver.blog  ·  2024-03-09\0info\u{1f}https://a.example/1?x=y z\u{1f}meta\u{1f}naver.blog 집사\n"
        )
    }

    @Test func `alfred's items make up one document`() throws {
        let format = LineFormat.alfred
        let whole = try format.opening + text(format) + text(format, ["id": "x"], isFirst: false) + format.closing
        let items = try #require(try JSONDocument(Array(whole.utf8)).root["items"])
        #expect(items.count == 2)
        #expect(items[0]?["arg"]?.string == "https://a.example/1?x=y z")
        #expect(items[1]?["valid"]?.bool == false)
    }

    @Test(arguments: [
        ("url", "https://a.example/1?x=y z\n"), ("extra.price", "12000\n"), ("extra.authors", "[\"a\",\"b\"]\n"),
        ("extra.isbn", ""), ("title.x", ""),
    ])
    func `a field is printed alone, and nothing for a hit without it`(path: String, printed: String) throws {
        #expect(try text(.fields([path])) == printed)
    }

    @Test func `several fields stand on one line, and a hit with none of them has none`() throws {
        #expect(try text(.fields(["source", "extra.isbn", "author"])) == "naver.blog\t\t집사\n")
        #expect(try text(.fields(["extra.isbn", "raw"])) == "")
    }

    @Test func `tsv keeps the zone of an instant; people read it in theirs`() throws {
        let hit: JSONValue = ["title": "t", "source": "s", "published": "2024-03-09T00:51:51-05:00"]
        #expect(try text(.tsv, hit) == "t\t\ts\t\t2024-03-09T00:51:51-05:00\t\t\n")
        #expect(try text(.fzf, hit) == "\tt  ·  s  ·  2024-03-09 14:51\n")
    }

    @Test(arguments: Payloads.all) func `no format lets a payload through`(payload: String) throws {
        let value: JSONValue = [
            "id": .string(payload), "source": .string(payload), "title": .string(payload), "url": .string(payload),
            "author": .string(payload), "snippet": .string(payload),
        ]
        for format in [LineFormat.tsv, .markdown, .fzf, .fields(["title"]), .fields(["url"])] {
            let line = try text(format, value)
            #expect(line.filter { $0 != "\t" && $0 != "\n" }.unicodeScalars.allSatisfy(VisibleText.isSafe))
            #expect(line.split(separator: "\n").count <= (format == .markdown ? 2 : 1))
        }
        let row = try text(.rofi, value).unicodeScalars.filter { !"\0\u{1f}\n".unicodeScalars.contains($0) }
        #expect(row.allSatisfy(VisibleText.isSafe))
    }
}
