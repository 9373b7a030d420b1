import Hangul
import JSON
import Testing

@testable import Client

/// How an item is shown to people.
struct ItemTextTests {
    private func text(_ hit: String, columns: Int = 80, style: Bool = false) throws -> String {
        let cursor = try JSONDocument(Array(hit.utf8)).root
        return ItemText(columns: columns, style: Style(isOn: style), zone: .fixed(hours: 9)).text(cursor, nil)
    }

    private func facts(_ extra: String) throws -> [String] {
        let hit = #"{"id":"a.b:1","source":"a.b","title":"T","extra":\#(extra)}"#
        return try text(hit).split(separator: "\n").dropFirst().dropLast(2).map(String.init)
    }

    @Test func `a book is shown as a reader wants it`() throws {
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
                rating     4.5, from 1,203 ratings
                ISBN-13    9788937460449
                pages      1,320
                ebook      yes
                also from  kakao.book
                link       https://books.example/고양이
                picture    https://books.example/x.png
                id         google.books:zy
                source     google.books, as the search found it

                """
        )
    }

    @Test(arguments: [
        (#"{"price":0,"currency":"USD"}"#, "price   free"), (#"{"price":1.99,"currency":"USD"}"#, "price   1.99 USD"),
        (#"{"price":5,"formattedPrice":"₩5,000"}"#, "price   ₩5,000"), (#"{"salePrice":3}"#, "price   3"),
        (#"{"price":3,"salePrice":3}"#, "price   3"), (#"{"price":3,"salePrice":4}"#, "price   4"),
        (#"{"price":3,"salePrice":0}"#, "price   free, instead of 3"), (#"{"rating":3}"#, "rating  3"),
        (#"{"rating":0,"ratingCount":0}"#, ""),
        (#"{"rating":3,"ratingCount":1}"#, "rating  3, from 1 rating"), (#"{"duration":5025}"#, "duration  1 h 23 min"),
        (#"{"bytes":1048576}"#, "size    1 MiB"), (#"{"minimumOS":"17.0"}"#, "minimum OS  17.0"),
        (#"{"releaseNotes":"a"}"#, "release notes  a"),
        (#"{"updated":"2022-05-06T13:56:00Z"}"#, "updated  2022-05-06 22:56"),
        (#"{"genres":["a","b"],"genre":"a"}"#, "genres  a, b"), (#"{"nested":{"a":1,"b":["x"]}}"#, "nested  a 1, b x"),
        (
            #"{"screenshots":["https://a.example/1","https://a.example/2"]}"#,
            "screenshots  https://a.example/1\n             and 1 more, which --json prints"
        ),
    ])
    func `figures are written for people`(extra: String, line: String) throws {
        #expect(try facts(extra).joined(separator: "\n") == line)
    }

    @Test func `nothing that is not there leaves a trace`() throws {
        #expect(
            try text(#"{"id":"a.b:1","source":"a.b","title":"","extra":{"x":null,"y":[],"z":""}}"#) == """
                (untitled)

                id      a.b:1
                source  a.b, as the search found it

                """
        )
    }

    @Test func `an address is never broken, everything else fits the width`() throws {
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

    @Test func `a source's own document is JSON still, whatever the width`() throws {
        let long = String(repeating: "고양이 cat ", count: 20)
        let raw = #"{"a":{"b c":[1,{"d":"\#(long)\u202e\n"},[]]},"e":{},"f":null}"#
        let shown = try text(#"{"id":"a.b:1","source":"a.b","title":"T","raw":\#(raw)}"#, columns: 40)
        let document = try #require(shown.firstRange(of: "{\n"))
        #expect(
            shown[document.lowerBound...] == #"""
                {
                  "a": {
                    "b c": [
                      1,
                      {
                        "d": "\#(long)\u202e\n"
                      },
                      []
                    ]
                  },
                  "e": {},
                  "f": null
                }

                """#
        )
    }

    @Test func `nothing in a record can drive the terminal`() throws {
        let hostile = "\\u001b]0;x\\u0007\\u202e\\u0000\\n"
        let hit =
            #"{"id":"\#(hostile)","source":"\#(hostile)","title":"\#(hostile)","author":"\#(hostile)","url":"https://a.example/\#(hostile)","extra":{"\#(hostile)":"\#(hostile)","description":"\#(hostile)"},"\#(hostile)":1}"#
        for scalar in try text(hit).unicodeScalars where scalar != "\n" {
            #expect(scalar.value >= 0x20 && scalar.value != 0x7F && scalar.value != 0x202E)
        }
    }
}
