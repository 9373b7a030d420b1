import Hangul
import JSON
import Testing

@testable import Client

struct HitTextTests {
    private func hit(_ value: JSONValue) throws -> FoundHit {
        FoundHit(try JSONDocument(value.bytes).root)
    }

    /// Three days and one minute after the hit was published.
    private static let now: Int64 = 1_709_952_711 + 3 * 86_400 + 60

    private let full: JSONValue = [
        "id": "kakao.blog:1", "source": "kakao.blog", "title": "고양이 사료", "snippet": "우리 집 고양이는 사료를 먹는다",
        "marks": ["title": [[0, 3]], "snippet": [[5, 8]]], "url": "https://a.example/1", "author": "집사",
        "published": "2024-03-09T11:51:51+09:00",
    ]

    @Test func `a hit is printed with number, title, source, author, age, address and snippet`() throws {
        #expect(
            try compact(full) == """
                 3. 고양이 사료
                    kakao.blog · 집사 · 3 days ago · a.example · 우리 집 고양이는 사료를 먹는다

                """
        )
    }

    @Test func `on a terminal, marked words are bold and titles are links`() throws {
        let text = try compact(full, isOn: true)
        #expect(text.contains("\u{1B}]8;id=3;https://a.example/1\u{1B}\\\u{1B}[1;4m고양이\u{1B}[0m\u{1B}[1m 사료\u{1B}[0m"))
        #expect(text.contains("우리 집 \u{1B}[1m고양이\u{1B}[0m는"))
    }

    @Test func `the ranges of marks count Unicode scalars, not graphemes`() throws {
        let value: JSONValue = ["title": "👨‍👩‍👧 e\u{301} cat", "marks": ["title": [[9, 12]]]]
        let cells = Cell.cells(try hit(value).title, marks: try hit(value).titleMarks)
        #expect(cells.filter(\.isMarked).map(\.text) == ["c", "a", "t"])
    }

    @Test func `invalid marks are ignored and the text is complete`() throws {
        let marks: JSONValue = ["title": [[5, 2], [-1, 3], [900, 901], ["a", 2], [1]], "snippet": 3]
        #expect(try compact(["title": "title", "marks": marks]) == " 3. title\n")
    }

    private func compact(_ value: JSONValue, columns: Int = 80, query: String = "", isOn: Bool = false) throws -> String
    {
        HitText(
            linesBelow: 1,
            columns: columns,
            numberMax: 10,
            query: query,
            style: Style(isOn: isOn),
            now: Self.now,
            zone: .fixed(hours: 9)
        ).text(try hit(value), number: 3)
    }

    @Test(arguments: 30...200) func `no line of the compact list is wider than the screen`(columns: Int) throws {
        let value: JSONValue = [
            "title": .string(String(repeating: "고양이 사료 추천 ", count: 12)), "source": "naver.blog",
            "author": .string(String(repeating: "집사", count: 20)), "published": "2024-03-09T11:51:51+09:00",
            "alsoFrom": ["a.b", "c.d"],
            "url": .string("https://a.example/" + String(repeating: "%EA%B3%A0", count: 30)),
            "snippet": .string(String(repeating: "우리 집 고양이는 ", count: 20)),
        ]
        let lines = try compact(value, columns: columns).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { DisplayWidth.columns(of: String($0)) <= columns })
    }

    @Test func `if the source marks nothing in a title, the words of the query are marked`() throws {
        let text = try compact(["title": "우리 고양이가 온다", "source": "a.b"], query: "고양이", isOn: true)
        #expect(text.contains("\u{1B}[1m우리 \u{1B}[0m\u{1B}[1;4m고양이\u{1B}[0m\u{1B}[1m가 온다\u{1B}[0m"))
    }

    @Test func `addresses are shown decoded, and links keep the exact address`() throws {
        let url = "https://ko.wikipedia.org/wiki/%EA%B3%A0%EC%96%91%EC%9D%B4"
        let text = try compact(["title": "t", "source": "a.b", "url": .string(url)], isOn: true)
        #expect(text.contains("]8;id=3;\(url)\u{1B}\\\u{1B}[2mko.wikipedia.org/wiki/고양이"))
    }
}

struct ItemTextTests {
    private func text(_ hit: String, columns: Int = 80, style: Bool = false) throws -> String {
        let cursor = try JSONDocument(Array(hit.utf8)).root
        return ItemText(columns: columns, style: Style(isOn: style), zone: .fixed(hours: 9)).text(cursor, nil)
    }

    @Test func `a book is shown with its details`() throws {
        let book = #"""
            {"id":"google.books:zy","source":"google.books","kind":"book","title":"고양이와 함께 <하는> 여행","author":"김하나, 이둘",
            "published":"2021-04-09T00:00:00+09:00","publishedPrecision":"day","snippet":"짧은 글","marks":{"title":[[0,3]]},"rank":1,
            "url":"https://books.example/%EA%B3%A0%EC%96%91%EC%9D%B4","thumbnail":"https://books.example/t.png","alsoFrom":["kakao.book"],
            "extra":{"authors":["김하나","이둘"],"publisher":"푸른섬","isbn13":"9788937460449","price":18000,"salePrice":16200,
            "currency":"KRW","rating":4.5,"ratingCount":1203,"pages":1320,"ebook":true,"image":"https://books.example/x.png",
            "description":"첫 문장이다. 둘째 문장은 조금 더 길다."}}
            """#
        #expect(
            try text(book) == """
                고양이와 함께 <하는> 여행
                김하나, 이둘 · 푸른섬 · 2021-04-09

                첫 문장이다. 둘째 문장은 조금 더 길다.

                price      16,200 KRW, instead of 18,000 KRW
                rating     ★ 4.5 of 5, 1,203 ratings
                ISBN-13    9788937460449
                pages      1,320
                ebook      yes
                also from  kakao.book
                link       https://books.example/고양이
                picture    https://books.example/x.png
                id         google.books:zy
                source     google.books, from the search

                """
        )
    }

    @Test func `an address is never broken, and all other text fits the width`() throws {
        let address = "https://a.example/" + String(repeating: "x", count: 100)
        let words = String(repeating: "고양이 cat ", count: 100)
        let hit =
            #"{"id":"a.b:1","source":"a.b","title":"\#(words)","url":"\#(address)","author":"\#(words)","snippet":"\#(words)","extra":{"genre":"\#(words)"}}"#
        for columns in [40, 80, 120] {
            for line in try text(hit, columns: columns).split(separator: "\n") where !line.contains("https://") {
                #expect(DisplayWidth.columns(of: String(line)) <= columns)
            }
            #expect(try text(hit, columns: columns).contains(address))
        }
    }

    @Test func `a record cannot control the terminal`() throws {
        let hostile = "\\u001b]0;x\\u0007\\u202e\\u0000\\n"
        let hit =
            #"{"id":"\#(hostile)","source":"\#(hostile)","title":"\#(hostile)","author":"\#(hostile)","url":"https://a.example/\#(hostile)","extra":{"\#(hostile)":"\#(hostile)","description":"\#(hostile)"},"\#(hostile)":1}"#
        for scalar in try text(hit).unicodeScalars where scalar != "\n" {
            #expect(scalar.value >= 0x20 && scalar.value != 0x7F && scalar.value != 0x202E)
        }
    }
}

struct LineFormatTests {
    private static let hit: JSONValue = [
        "id": "naver.blog:1", "source": "naver.blog", "title": "고양이\t[사료]", "snippet": "한\n줄",
        "url": "https://a.example/1?x=y z", "author": "집사", "published": "2024-03-09T11:51:51+09:00",
        "publishedPrecision": "day", "extra": ["price": 12000, "authors": ["a", "b"]],
    ]

    private func text(_ format: LineFormat, _ value: JSONValue = hit) throws -> String {
        format.text(try JSONDocument(value.bytes).root, number: 3, zone: .fixed(hours: 9))
    }

    @Test func `a line of --format tsv always has seven fields`() throws {
        let full = try text(.tsv)
        #expect(
            full == "고양이 [사료]\thttps://a.example/1?x=y z\tnaver.blog\t집사\t2024-03-09\t한 줄\tnaver.blog:1\n"
        )
        #expect(try text(.tsv, ["id": "x"]).split(separator: "\t", omittingEmptySubsequences: false).count == 7)
    }

    @Test func `a line of --format fzf starts with the address and a tab`() throws {
        #expect(try text(.fzf) == "https://a.example/1?x=y z\t고양이 [사료]  ·  naver.blog  ·  2024-03-09\n")
    }

    @Test func `a row of --format rofi has the address as its “info”`() throws {
        #expect(
            try text(.rofi)
                == "고양이 [사료]  ·  naver.blog  ·  2024-03-09\0info\u{1f}https://a.example/1?x=y z\u{1f}meta\u{1f}naver.blog 집사\n"
        )
    }

    @Test(arguments: [
        ("url", "https://a.example/1?x=y z\n"), ("extra.price", "12000\n"), ("extra.authors", "[\"a\",\"b\"]\n"),
        ("extra.isbn", ""), ("title.x", ""),
    ])
    func `--field prints only the member, or nothing if the member is missing`(path: String, printed: String) throws {
        #expect(try text(.fields([path])) == printed)
    }

    @Test func `several fields are printed on one line, and a hit without any of them prints no line`() throws {
        #expect(try text(.fields(["source", "extra.isbn", "author"])) == "naver.blog\t\t집사\n")
        #expect(try text(.fields(["extra.isbn", "raw"])) == "")
    }

    @Test(arguments: Payloads.all) func `every format escapes control characters`(payload: String) throws {
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
