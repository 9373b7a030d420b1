import Hangul
import JSON
import SearchModel
import Testing

@testable import Personal

@Suite("An item of the library")
struct SavedItemTests {
    static func hit(_ key: String, title: String = "고양이", price: Int? = nil) -> JSONValue {
        var members: [JSONMember] = [
            JSONMember("id", .string("kakao.book:\(key)")), JSONMember("source", "kakao.book"),
            JSONMember("kind", "book"),
            JSONMember("title", .string(title)), JSONMember("rank", 3),
        ]
        if let price { members.append(JSONMember("extra", ["price": .number(JSONNumber(price))])) }
        return .object(members)
    }

    static func item(_ key: String, title: String = "고양이", price: Int? = nil) throws -> SavedItem {
        try SavedItem(hit(key, title: title, price: price), savedNow: 100, path: "params.hit")
    }

    private static let whole: JSONValue = [
        "id": "kakao.book:1", "source": "kakao.book", "kind": "book", "title": "고양이", "snippet": "나비",
        "url": "https://example.org/1", "author": "정유나", "published": "2024-03-09T11:51:51+09:00",
        "thumbnail": "http://example.org/1.png", "extra": ["price": 100], "alsoFrom": ["naver.book"],
        "savedAt": "2026-01-02T03:04:05Z", "updatedAt": "2026-01-03T03:04:05Z", "tags": ["읽을 것", "books"],
        "notes": [["id": "1", "title": "첫", "text": "두 줄\n글", "rating": 5, "at": "2026-01-02T03:04:06Z"]],
        "changes": [["at": "2026-01-03T03:04:05Z", "field": "price", "from": 90, "to": 100]],
    ]

    @Test func `the latest rating of the notes counts`() throws {
        let notes: JSONValue = [["id": "1", "rating": 5], ["id": "2", "rating": 2], ["id": "3", "text": "x"]]
        let others = try #require(Self.whole.members).filter { $0.name != "notes" }
        let whole = JSONValue.object(others + [JSONMember("notes", notes)])
        #expect(try SavedItem(whole, savedNow: 0, path: "item").rating == 2)
    }

    @Test func `an item is written as it was read`() throws {
        let item = try SavedItem(Self.whole, savedNow: 0, path: "item")
        #expect(item.json == Self.whole)
        #expect(item.savedAt == 1_767_323_045)
        #expect(item.hit.published == 1_709_952_711)
        #expect(item.rating == 5)
    }

    @Test func `jsonBytes has the same bytes as the JSON of the item`() throws {
        for value in [Self.whole, Self.hit("1")] {
            let item = try SavedItem(value, savedNow: 0, path: "item")
            #expect(item.jsonBytes == item.json.bytes)
        }
    }

    @Test func `the searchable texts are the texts of the hit, its notes and its tags`() throws {
        let texts = SavedItem.texts(of: try SavedItem(Self.whole, savedNow: 0, path: "item").jsonBytes)
        let expected = ["고양이", "나비", "정유나", "첫", "두줄글", "읽을것", "books"]
        #expect(texts.map(\.scalars) == expected.map { Array($0.unicodeScalars) })
        #expect(SavedItem.texts(of: Self.hit("1").bytes) == [FoldedText("고양이")])
    }

    @Test func `a note is refused if its given or default id is the id of another note`() {
        for notes: JSONValue in [
            [["id": "1", "text": "a"], ["id": "1", "text": "b"]], [["id": "2", "text": "a"], ["text": "b"]],
        ] {
            let item = JSONValue.object((Self.hit("1").members ?? []) + [JSONMember("notes", notes)])
            let error = #expect(throws: SearchError.self) { try SavedItem(item, savedNow: 0, path: "item") }
            #expect(error?.kind == .invalidParams && error?.path == "item.notes[1].id")
        }
    }

    @Test func `a saved item has no rank`() throws {
        let item = try Self.item("1")
        #expect(item.json["rank"] == nil)
        #expect(item.json["savedAt"] == "1970-01-01T00:01:40Z")
    }

    @Test(
        arguments: [
            ("id", "naver.book:1", "item.source"), ("id", .null, "item.id"), ("source", "book", "item.source"),
            ("kind", "A B", "item.kind"),
            ("title", 1, "item.title"), ("url", "javascript:alert(1)", "item.url"),
            ("thumbnail", "data:x", "item.thumbnail"),
            ("published", "yesterday", "item.published"), ("extra", [], "item.extra"),
            ("author", "a\u{1B}[1m", "item.author"),
            ("colour", "red", "item.colour"), ("savedAt", "now", "item.savedAt"), ("tags", [""], "item.tags[0]"),
            ("tags", "a", "item.tags"),
            ("notes", [["rating": 6]], "item.notes[0].rating"), ("notes", [[:]], "item.notes[0]"),
            ("changes", [[:]], "item.changes[0]"),
            ("notes", [["color": 1]], "item.notes[0].color"),
            ("title", .string(String(repeating: "x", count: 16_385)), "item.title"),
        ] as [(String, JSONValue, String)]
    )
    func `the error of an invalid item has the path of the wrong member`(name: String, value: JSONValue, path: String)
        throws
    {
        var members = try #require(Self.whole.members).filter { $0.name != name }
        members.append(JSONMember(name, value))
        let error = #expect(throws: SearchError.self) {
            try SavedItem(.object(members), savedNow: 0, path: "item")
        }
        #expect(error?.kind == .invalidParams)
        #expect(error?.path == path)
    }

    @Test func `an item can have the maximum number of tags and notes, but no more`() throws {
        var item = try Self.item("1")
        let tags = (0..<SavedItem.tagsMax).compactMap { Tag("t\($0)") }
        item = try #require(try LibraryEdit.tags(add: tags, remove: []).applied(to: item, at: 1))
        #expect(item.tags.count == SavedItem.tagsMax)
        #expect(throws: SearchError.self) {
            try LibraryEdit.tags(add: [Tag("one more")!], remove: []).applied(to: item, at: 1)
        }
        let note = try Note(["text": "x"], at: 0, path: "note")
        for _ in 0..<SavedItem.notesMax { item = try #require(try LibraryEdit.note(note).applied(to: item, at: 2)) }
        #expect(item.notes.count == SavedItem.notesMax)
        #expect(throws: SearchError.self) { try LibraryEdit.note(note).applied(to: item, at: 2) }
    }

    static func item(_ key: String, bytes: Int) throws -> SavedItem {
        var item = try item(key)
        func note(_ length: Int) throws -> LibraryEdit {
            let text = String(repeating: "x", count: length)
            return .note(try Note(["text": .string(text)], at: 0, path: "n"))
        }
        while bytes - item.bytes > 2 * Note.textBytesMax {
            item = try #require(try note(Note.textBytesMax).applied(to: item, at: 1))
        }
        // The remaining text may be too long for one note, so it is split into two.
        for part in [2, 1] {
            let probe = try #require(try note(1).applied(to: item, at: 1))
            let rest = (bytes - item.bytes) / part - (probe.bytes - item.bytes - 1)
            item = try #require(try note(rest).applied(to: item, at: 1))
        }
        return item
    }

    @Test func `an item can have the maximum size, but not more`() throws {
        let item = try Self.item("1", bytes: SavedItem.bytesMax - 4)
        #expect(item.bytes == SavedItem.bytesMax - 4)
        let tags = (one: try #require(Tag("x")), longer: try #require(Tag("xy")))
        let full = try #require(try LibraryEdit.tags(add: [tags.one], remove: []).applied(to: item, at: 1))
        #expect(full.bytes == SavedItem.bytesMax)
        let error = #expect(throws: SearchError.self) {
            try LibraryEdit.tags(add: [tags.longer], remove: []).applied(to: item, at: 1)
        }
        #expect(error?.kind == .invalidParams && error?.hint != nil)
    }

    @Test func `notes are added, replaced and removed by their ids`() throws {
        var item = try Self.item("1")
        item = try #require(
            try LibraryEdit.note(Note(["text": "첫", "rating": 3], at: 0, path: "n")).applied(to: item, at: 5)
        )
        item = try #require(try LibraryEdit.note(Note(["text": "둘"], at: 0, path: "n")).applied(to: item, at: 6))
        #expect(item.notes.map(\.id) == ["1", "2"])
        item = try #require(
            try LibraryEdit.note(Note(["id": "1", "rating": 4], at: 0, path: "n")).applied(to: item, at: 7)
        )
        #expect(try item.notes[0] == Note(["id": "1", "rating": 4], at: 7, path: "n"))
        #expect(try LibraryEdit.note(Note(["id": "1", "rating": 4], at: 0, path: "n")).applied(to: item, at: 8) == nil)
        item = try #require(try LibraryEdit.removeNote(id: "1").applied(to: item, at: 9))
        #expect(item.notes.map(\.id) == ["2"])
        #expect(item.updatedAt == 9)
        let error = #expect(throws: SearchError.self) { try LibraryEdit.removeNote(id: "1").applied(to: item, at: 9) }
        #expect(error?.kind == .notFound)
        item = try #require(try LibraryEdit.note(Note(["text": "셋"], at: 0, path: "n")).applied(to: item, at: 10))
        #expect(item.notes.map(\.id) == ["2", "3"])
    }

    @Test func `an item has each tag once, ignoring case`() throws {
        let item = try Self.item("1")
        let tagged = try #require(
            try LibraryEdit.tags(add: [Tag("Books"), Tag("books"), Tag(" 읽을  것 ")].compactMap(\.self), remove: [])
                .applied(to: item, at: 1)
        )
        #expect(tagged.tags.map(\.text) == ["Books", "읽을 것"])
        let less = try LibraryEdit.tags(add: [], remove: [Tag("BOOKS")].compactMap(\.self)).applied(to: tagged, at: 1)
        #expect(less?.tags.map(\.text) == ["읽을 것"])
        #expect(
            try LibraryEdit.tags(add: [], remove: [Tag("other")].compactMap(\.self)).applied(to: tagged, at: 1) == nil
        )
    }

    @Test func `a refreshed item keeps its notes and lists its changes`() throws {
        var item = try Self.item("1", price: 100)
        item = try #require(try LibraryEdit.note(Note(["text": "x"], at: 0, path: "n")).applied(to: item, at: 1))
        let edit = LibraryEdit.refresh(try SavedHit(Self.hit("1", title: "고양이 2판", price: 90), path: "hit"))
        let fresh = try #require(try edit.applied(to: item, at: 50))
        #expect(fresh.notes == item.notes)
        #expect(fresh.savedAt == 100)
        #expect(
            fresh.changes == [
                FieldChange(at: 50, field: "title", from: "고양이", to: "고양이 2판"),
                FieldChange(at: 50, field: "price", from: 100, to: 90),
            ]
        )
        #expect(try edit.applied(to: fresh, at: 60) == nil)
    }

    @Test func `if the price and the sale price change, only the change of the price is recorded`() throws {
        func hit(_ salePrice: Int, of price: Int = 100) -> JSONValue {
            let extra: JSONValue = [
                "price": .number(JSONNumber(price)), "salePrice": .number(JSONNumber(salePrice)), "currency": "KRW",
            ]
            return .object((Self.hit("1").members ?? []) + [JSONMember("extra", extra)])
        }
        let old = try SavedItem(hit(90), savedNow: 0, path: "item")
        let fresh = try #require(try LibraryEdit.refresh(SavedHit(hit(81), path: "hit")).applied(to: old, at: 50))
        #expect(fresh.changes == [FieldChange(at: 50, field: "salePrice", from: 90, to: 81)])
        let both = try #require(
            try LibraryEdit.refresh(SavedHit(hit(72, of: 80), path: "hit")).applied(to: old, at: 50)
        )
        #expect(both.changes == [FieldChange(at: 50, field: "price", from: 100, to: 80)])
    }

    @Test func `if a refreshed hit has more or fewer members, no change is recorded and no member removed`() throws {
        let old = try SavedItem(Self.whole, savedNow: 0, path: "item")
        let record: JSONValue = [
            "id": "kakao.book:1", "source": "kakao.book", "kind": "book", "title": "고양이",
            "extra": ["publisher": "나비", "rating": 4.5],
        ]
        let fresh = try #require(
            try LibraryEdit.refresh(SavedHit(record, path: "hit")).applied(to: old, at: 1_800_000_000)
        )
        #expect(fresh.changes == old.changes && fresh.hit.snippet == "나비" && fresh.hit.url == old.hit.url)
        #expect(fresh.hit[.extra] == ["price": 100, "publisher": "나비", "rating": 4.5])
    }

    @Test func `an item keeps its newest changes, up to the limit`() throws {
        var item = try Self.item("1", price: 0)
        for price in 1...SavedItem.changesMax + 1 {
            let hit = try SavedHit(Self.hit("1", price: price), path: "hit")
            item = try #require(try LibraryEdit.refresh(hit).applied(to: item, at: Int64(price)))
            #expect(item.changes.count == min(price, SavedItem.changesMax))
        }
        #expect(item.changes.first?.to == 2 && item.changes.last?.to == .number(JSONNumber(SavedItem.changesMax + 1)))
    }

    @Test func `if an item has the maximum size, old changes are removed, but no notes`() throws {
        var item = try Self.item("1", price: 0)
        let text = String(repeating: "x", count: Note.textBytesMax)
        for number in 0..<15 {
            let note = try Note(["text": .string(text), "title": .string("\(number)")], at: 0, path: "n")
            item = try #require(try LibraryEdit.note(note).applied(to: item, at: 1))
        }
        for price in 1...300 {
            let title = String(repeating: "\(price % 10)", count: 5000)
            let hit = try SavedHit(Self.hit("1", title: title, price: price), path: "hit")
            item = try #require(try LibraryEdit.refresh(hit).applied(to: item, at: Int64(price)))
        }
        #expect(item.bytes <= SavedItem.bytesMax && item.notes.count == 15 && item.changes.last?.to == 300)
    }
}
