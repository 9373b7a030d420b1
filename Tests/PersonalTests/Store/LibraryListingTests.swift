import JSON
import SearchModel
import TestSupport
import Testing

@testable import Personal

@Suite("Reading a library")
struct LibraryListingTests {
    private static let seconds: [Int64] = [10, 20, 30, 40, 50]
    private static let titles = ["고양이 사료 추천", "강아지 간식", "Hello, world", "길고양이를 부탁해", "10권의 책"]

    private static func items() throws -> [SavedItem] {
        try zip(titles, seconds).enumerated().map { index, item in
            var value = SavedItemTests.hit("\(index)", title: item.0)
            var members = value.members ?? []
            members.append(
                JSONMember(
                    "savedAt",
                    .string(PublishedDate(epochSeconds: item.1, offsetMinutes: 0, precision: .second).text)
                )
            )
            if index.isMultiple(of: 2) {
                members.append(JSONMember("published", .string("200\(index)-01-01T00:00:00Z")))
                members.append(JSONMember("extra", ["genres": index.isMultiple(of: 4) ? "소설" : ["소설"]]))
                members.append(JSONMember("tags", ["Even", .string("t\(index)")]))
                members.append(JSONMember("notes", [["rating": .number(JSONNumber(5 - index)), "text": "메모 속 고양이"]]))
            }
            value = .object(members)
            return try SavedItem(value, savedNow: 0, path: "item")
        }
    }

    private static func keys(_ edit: @Sendable (inout LibraryQuery) throws -> Void) async throws -> (
        keys: [String], total: Int
    ) {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            _ = try await store.perform(.save(items()))
            var query = LibraryQuery()
            try edit(&query)
            let page = try await store.page(query)
            return (page.items.map { String($0.id.dropFirst("kakao.book:".count)) }, page.total)
        }
    }

    @Test(
        arguments: [
            (.saved, "43210"), (.published, "42031"), (.title, "41032"), (.rating, "02431"),
        ] as [(LibraryQuery.Sort, String)]
    )
    func `items are listed in the requested order`(sort: LibraryQuery.Sort, expected: String) async throws {
        let found = try await Self.keys { $0.sort = sort }
        #expect(found.keys.joined() == expected)
        #expect(found.total == 5)
    }

    @Test(arguments: [
        ("고양이", "4320"), ("ㄱㅇㅇ", "4320"), ("길고", "3"), ("rhdiddl", "4320"), ("ㅗ디ㅣㅐ", "2"), ("10", "4"), ("even", "420"),
        ("강아지 간", "1"),
        ("강아지 고양이", ""), ("메모", "420"), ("고ㅇㅇ 추", "0"), ("없는말", ""), ("…", ""),
    ])
    func `the title, the notes and the tags of items are searched`(words: String, expected: String) async throws {
        let found = try await Self.keys { $0.words = words }
        #expect(found.keys.joined() == expected)
        #expect(found.total == expected.count)
    }

    @Test(arguments: [("고양이", true), ("길고", true), ("ㄱㄱㅇ", true), ("본", true), ("양이", false), ("ㅇㅇ", false)])
    func `a word of a snippet is found by its beginning, but not by its middle`(words: String, isFound: Bool)
        async throws
    {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            let snippet = JSONMember("snippet", "길고양이와 고양이 日本")
            let hit = JSONValue.object((SavedItemTests.hit("1", title: "제목").members ?? []) + [snippet])
            _ = try await store.perform(.save([SavedItem(hit, savedNow: 5, path: "hit")]))
            var query = LibraryQuery()
            query.words = words.replacing("본", with: "本")
            #expect(try await store.page(query).total == (isFound ? 1 : 0))
        }
    }

    @Test func `a word with punctuation is found`() async throws {
        let titles = [
            "node.js", "AC/DC", "3.14", "5,000원", "R&D", "foo_bar", "a.b.c", "v1.2", "e-mail", "example.org",
            "rock&roll",
            "물결~표", "2024-03-09", "C++", "C#", ".NET", "don't", "Vol.3", "COVID-19", "학교(서울)", "a=b", "~처음",
        ]
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            let items = try titles.enumerated().map { index, title in
                try SavedItem(SavedItemTests.hit("\(index)", title: "앞말 \(title) 뒷말"), savedNow: 0, path: "hit")
            }
            _ = try await store.perform(.save(items))
            for (index, title) in titles.enumerated() {
                for sort in [LibraryQuery.Sort.saved, .relevance] {
                    var query = LibraryQuery()
                    query.words = title
                    query.sort = sort
                    let found = try await store.page(query)
                    #expect(found.items.contains { $0.id == "kakao.book:\(index)" }, "\(title)")
                    #expect(found.items.count < 3, "\(title)")
                }
            }
        }
    }

    @Test func `in a list by relevance, titles rank before notes, and better matches before worse matches`()
        async throws
    {
        let found = try await Self.keys {
            $0.words = "고양이"
            $0.sort = .relevance
        }
        #expect(found.keys == ["0", "3", "4", "2"])
    }

    @Test func `a query filters by kind, source, tag and time, and starts at any offset`() async throws {
        #expect(try await Self.keys { $0.kinds = [Kind("blog")].compactMap(\.self) }.total == 0)
        #expect(try await Self.keys { $0.kinds = [Kind("book")].compactMap(\.self) }.total == 5)
        #expect(try await Self.keys { $0.sources = ["naver.*", "kakao"] }.total == 0)
        #expect(try await Self.keys { $0.sources = ["naver.book", "kakao.*"] }.total == 5)
        #expect(try await Self.keys { $0.tags = [Tag("EVEN"), Tag("t2")].compactMap(\.self) }.keys == ["2"])
        #expect(try await Self.keys { ($0.since, $0.until) = (20, 40) }.keys == ["3", "2", "1"])
        let part = try await Self.keys { ($0.offset, $0.limit) = (1, 2) }
        #expect(part.keys == ["3", "2"])
        #expect(part.total == 5)
    }

    @Test func `changed items are found by their new text, and removed items are not found`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            _ = try await store.perform(.save(Self.items()))
            let note = try Note(["text": "호랑이"], at: 0, path: "n")
            _ = try await store.perform(.edit(ids: ["kakao.book:1"], .note(note)))
            var query = LibraryQuery()
            query.words = "호랑이"
            #expect(try await store.page(query).items.map(\.id) == ["kakao.book:1"])
            _ = try await store.perform(.edit(ids: ["kakao.book:1"], .removeNote(id: "1")))
            #expect(try await store.page(query).total == 0)
            query.words = "강아지"
            _ = try await store.perform(.remove(ids: ["kakao.book:1"]))
            #expect(try await store.page(query).total == 0)
        }
    }

    @Test(
        arguments: [
            (.kind, ["book 5: 43210"]), (.month, ["1970-01 5: 43210"]),
            (.tag, ["Even 3: 420", "t4 1: 4", "t2 1: 2", "t0 1: 0", " 2: 31"]),
            (.genre, ["소설 3: 420", " 2: 31"]), (.source, ["kakao.book 5: 43210"]),
        ] as [(LibraryQuery.Grouping, [String])]
    )
    func `groups are sorted by size, with the unnamed group last`(
        grouping: LibraryQuery.Grouping,
        expected: [String]
    ) async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            _ = try await store.perform(.save(Self.items()))
            var query = LibraryQuery()
            query.grouping = grouping
            let page = try await store.page(query)
            let groups = try #require(page.groups).map { group in
                "\(group.name) \(group.count): " + group.items.map { String($0.id.suffix(1)) }.joined()
            }
            #expect(groups == expected)
            #expect(page.items == [])
            #expect(page.total == 5)
            query.limit = 1
            #expect(try await store.page(query).groups?.allSatisfy { $0.items.count == 1 } == true)
        }
    }

    @Test func `a cursor neither skips nor repeats an item while items are saved and removed`()
        async throws
    {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            _ = try await store.perform(.save(Self.items()))
            var query = LibraryQuery()
            query.limit = 2
            let first = try await store.page(query)
            #expect(first.items.map(\.id) == ["kakao.book:4", "kakao.book:3"])
            _ = try await store.perform(.save([SavedItemTests.item("new")]))
            _ = try await store.perform(.remove(ids: ["kakao.book:4"]))
            let cursor = try #require(first.next)
            query.cursor = LibraryCursor(cursor.text)
            let second = try await store.page(query)
            #expect(second.items.map(\.id) == ["kakao.book:2", "kakao.book:1"])
            query.cursor = second.next
            let last = try await store.page(query)
            #expect(last.items.map(\.id) == ["kakao.book:0"])
            #expect(last.next == nil)
        }
    }

    @Test(arguments: LibraryQuery.Sort.allCases)
    func `a cursor lists each remaining item once, in any sort order`(_ sort: LibraryQuery.Sort) async throws {
        var random = SeededGenerator(seed: testSeed())
        func item(_ key: String) throws -> SavedItem {
            let words = ["고양이", "고양이 사료", "길고양이", "사료와 고양이", String(repeating: "가", count: 80) + " 고양이"]
            let more: [JSONMember] = [
                JSONMember("published", .string("20\(Int.random(in: 10...14, using: &random))-01-01T00:00:00Z")),
                JSONMember("notes", [["rating": .number(JSONNumber(Int.random(in: 1...5, using: &random)))]]),
            ]
            let hit = SavedItemTests.hit(key, title: words.randomElement(using: &random) ?? "")
            return try SavedItem(
                .object((hit.members ?? []) + more),
                savedNow: Int64.random(in: 0...9, using: &random),
                path: "item"
            )
        }
        var stays = try (0..<40).map { try item("stays\($0)") }
        var goes = try (0..<40).map { try item("goes\($0)") }
        let late = try (0..<40).map { try item("late\($0)") }
        stays.shuffle(using: &random)
        goes.shuffle(using: &random)
        let removed = goes.map(\.id)
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { [stays, goes] store in
            _ = try await store.perform(.save(zip(stays, goes).flatMap { [$0, $1] }))
            var query = LibraryQuery()
            query.words = "고양이"
            query.sort = sort
            query.limit = 7
            var seen: [String] = []
            for step in 0..<40 {
                let page = try await store.page(query)
                seen += page.items.map(\.id)
                guard let next = page.next else { break }
                query.cursor = LibraryCursor(next.text)
                let gone = page.items.map(\.id).filter { $0.contains("goes") } + [removed[step]]
                _ = try await store.perform(.remove(ids: gone))
                _ = try await store.perform(.save([late[step]]))
            }
            #expect(Set(seen).count == seen.count)
            #expect(Set(seen).isSuperset(of: stays.map(\.id)))
        }
    }

    @Test(arguments: ["", "x", "1.2", "1.2.3", "1.2.3.a", "1.2.3.0g", "1.2.3.00.", "-", "1.2.x.00", "12.7"])
    func `a malformed cursor is refused`(_ text: String) {
        #expect(LibraryCursor(text) == nil)
        #expect(LibraryCursor("1.2.3." + String(repeating: "00", count: 200)) == nil)
        #expect(LibraryCursor("-1.2.3.00ff")?.text == "-1.2.3.00ff")
    }

    @Test func `several thousand matching items are all counted, listed and filtered`() async throws {
        let count = 5000
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            let tags = JSONMember("tags", ["rare"])
            let rare = JSONValue.object((SavedItemTests.hit("rare", title: "제목").members ?? []) + [tags])
            _ = try await store.perform(.save([SavedItem(rare, savedNow: 1, path: "hit")]))
            for start in stride(from: 0, to: count, by: 1000) {
                let items = try (start..<start + 1000).map { number in
                    try SavedItem(SavedItemTests.hit("\(number)", title: "제목"), savedNow: 2, path: "hit")
                }
                _ = try await store.perform(.save(items))
            }
            for words in ["제목", "제"] {
                for sort in [LibraryQuery.Sort.relevance, .saved] {
                    var query = LibraryQuery()
                    (query.words, query.sort, query.limit) = (words, sort, 1000)
                    let first = try await store.page(query)
                    #expect(first.total == count + 1)
                    query.offset = count - 5
                    #expect(try await store.page(query).items.count == 6)
                    (query.offset, query.tags) = (0, [Tag("rare")].compactMap(\.self))
                    #expect(try await store.page(query).items.map(\.id) == ["kakao.book:rare"])
                }
            }
        }
    }

    @Test func `a page that would be too large ends early, and its cursor returns the rest`() async throws {
        try await PersonalStoreFixture.withStore(TemporaryDirectory()) { store in
            let extra = JSONMember("extra", ["text": .string(String(repeating: "x", count: 60_000))])
            for key in 0..<80 {
                let hit = JSONValue.object((SavedItemTests.hit("\(key)").members ?? []) + [extra])
                _ = try await store.perform(.save([SavedItem(hit, savedNow: 5, path: "hit")]))
            }
            var query = LibraryQuery()
            let first = try await store.page(query)
            #expect(first.total == 80)
            #expect((60..<80).contains(first.items.count))
            query.cursor = first.next
            #expect(try await store.page(query).items.count + first.items.count == 80)
        }
    }
}
