import Hangul
import JSON
import Testing

@testable import Client

struct HitTextTests {
    private func hit(_ value: JSONValue) throws -> FoundHit {
        FoundHit(try JSONDocument(value.bytes).root)
    }

    /// Three days and a minute after the full hit.
    private static let now: Int64 = 1_709_952_711 + 3 * 86_400 + 60

    private let full: JSONValue = [
        "id": "kakao.blog:1", "source": "kakao.blog", "title": "고양이 사료", "snippet": "우리 집 고양이는 사료를 먹는다",
        "marks": ["title": [[0, 3]], "snippet": [[5, 8]]], "url": "https://a.example/1", "author": "집사",
        "published": "2024-03-09T11:51:51+09:00",
    ]

    @Test func `plain text has number, title, origin, snippet and link`() throws {
        let text = HitText(
            .long,
            columns: 60,
            numberMax: 10,
            style: Style(isOn: false),
            now: Self.now,
            zone: .fixed(hours: 9)
        ).text(
            try hit(full),
            number: 3
        )
        #expect(
            text == """
                 3. 고양이 사료
                    kakao.blog · 집사 · 3 days ago
                    우리 집 고양이는 사료를 먹는다
                    https://a.example/1


                """
        )
    }

    @Test func `the other sources that have it stand behind its origin`() throws {
        // What the user has seen or saved is no other source of it.
        let others: JSONValue = ["naver.blog", "seen", "a.b", "library"]
        let value: JSONValue = ["title": "고양이", "source": "kakao.blog", "author": "집사", "alsoFrom": others]
        let text = HitText(.long, columns: 60, numberMax: 1, style: Style(isOn: false), now: 0, zone: .fixed(hours: 9))
            .text(try hit(value), number: 1)
        #expect(text.contains("kakao.blog · 집사 · also naver.blog, a.b\n"))
    }

    @Test func `marks are bold and titles are links on a terminal`() throws {
        let text = HitText(
            .long,
            columns: 60,
            numberMax: 10,
            style: Style(isOn: true),
            now: Self.now,
            zone: .fixed(hours: 9)
        ).text(
            try hit(full),
            number: 3
        )
        #expect(text.contains("\u{1B}]8;id=3;https://a.example/1\u{1B}\\\u{1B}[1;4m고양이\u{1B}[0m\u{1B}[1m 사료\u{1B}[0m"))
        #expect(text.contains("우리 집 \u{1B}[1m고양이\u{1B}[0m는"))
    }

    @Test func `marks count scalars, also where graphemes have several`() throws {
        let value: JSONValue = ["title": "👨‍👩‍👧 e\u{301} cat", "marks": ["title": [[9, 12]]]]
        let cells = Cell.cells(try hit(value).title, marks: try hit(value).titleMarks)
        #expect(cells.filter(\.isMarked).map(\.text) == ["c", "a", "t"])
    }

    @Test func `marks that make no sense mark nothing and lose nothing`() throws {
        let marks: JSONValue = ["title": [[5, 2], [-1, 3], [900, 901], ["a", 2], [1]], "snippet": 3]
        let text = HitText(
            .long,
            columns: 60,
            numberMax: 1,
            style: Style(isOn: false),
            now: Self.now,
            zone: .fixed(hours: 9)
        )
        .text(try hit(["title": "title", "marks": marks]), number: 1)
        #expect(text == " 1. title\n\n")
    }

    @Test func `what is missing leaves no empty line`() throws {
        let text = HitText(
            .long,
            columns: 60,
            numberMax: 1,
            style: Style(isOn: false),
            now: Self.now,
            zone: .fixed(hours: 9)
        ).text(
            try hit([:]),
            number: 1
        )
        #expect(text == " 1. (untitled)\n\n")
    }

    @Test func `numbers of four digits stay in line`() throws {
        let text = HitText(
            .long,
            columns: 60,
            numberMax: 1000,
            style: Style(isOn: false),
            now: Self.now,
            zone: .fixed(hours: 9)
        ).text(
            try hit(full),
            number: 7
        )
        #expect(text.hasPrefix("   7. 고양이"))
        #expect(text.contains("\n      kakao.blog"))
    }

    @Test(arguments: [("year", "2024"), ("month", "2024-03"), ("day", "2024-03-09"), (nil, "2024-03-09 11:51")])
    func `a date is as exact as its source`(precision: String?, shown: String) {
        #expect(PublishedTime("2024-03-09T11:51:51+09:00", precision: precision)?.text(in: .fixed(hours: 9)) == shown)
    }

    private func compact(_ value: JSONValue, columns: Int = 80, query: String = "", isOn: Bool = false) throws -> String
    {
        HitText(
            .compact,
            columns: columns,
            numberMax: 10,
            query: query,
            style: Style(isOn: isOn),
            now: Self.now,
            zone: .fixed(hours: 9)
        ).text(try hit(value), number: 3)
    }

    @Test func `the compact list has two lines a hit: title, then origin, address and what fits of the snippet`() throws
    {
        #expect(
            try compact(full) == """
                 3. 고양이 사료
                    kakao.blog · 집사 · 3 days ago · a.example/1 · 우리 집 고양이는 사료를…

                """
        )
        #expect(try compact(["title": "t"]) == " 3. t\n")
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

    @Test func `words of the query are set off in titles that their source does not mark`() throws {
        let text = try compact(["title": "우리 고양이가 온다", "source": "a.b"], query: "고양이", isOn: true)
        #expect(text.contains("\u{1B}[1m우리 \u{1B}[0m\u{1B}[1;4m고양이\u{1B}[0m\u{1B}[1m가 온다\u{1B}[0m"))
    }

    @Test func `addresses are decoded for reading, and links lead to the exact ones`() throws {
        let url = "https://ko.wikipedia.org/wiki/%EA%B3%A0%EC%96%91%EC%9D%B4"
        let text = try compact(["title": "t", "source": "a.b", "url": .string(url)], isOn: true)
        #expect(text.contains("]8;id=3;\(url)\u{1B}\\\u{1B}[2mko.wikipedia.org/wiki/고양이"))
    }
}
