import SearchModel
import Testing

@testable import Daemon

@Suite struct RecentQueriesTests {
    private func query(_ text: String) throws -> SearchQuery { try #require(SearchQuery(text)) }

    private func candidates(_ typed: String, _ queries: String...) throws -> [String] {
        var recent = RecentQueries()
        for text in queries { recent.note(try query(text)) }
        return try recent.candidates(for: query(typed)).map(\.text)
    }

    @Test func `candidates are the matching queries, latest first, and the complete part of the unfinished query`()
        throws
    {
        #expect(try candidates("고양ㅇ", "고양이", "강아지", "고양이 사료") == ["고양이 사료", "고양이", "고양"])
        #expect(try candidates("ㄱ", "고양이", "나무", "강아지") == ["강아지", "고양이"])
        #expect(try candidates("새 ㄱ", "새 고양이", "고양이") == ["새 고양이", "새"])
        #expect(try candidates("고양ㅇ") == ["고양"])
    }

    @Test func `a query matches only from its beginning and in the same keyboard layout`() throws {
        #expect(try candidates("양ㅇ", "고양이") == ["양"])
        #expect(try candidates("ㅎㄷㅣ", "hello") == ["ㅎㄷ"])
    }

    @Test func `a repeated query becomes the latest query`() throws {
        var recent = RecentQueries()
        recent.note(try query("고양이"))
        recent.note(try query("고양이 사료"))
        recent.note(try query("고양이"))
        #expect(recent.count == 2)
        #expect(try recent.candidates(for: query("고ㅇ")).first?.text == "고양이")
        recent.removeAll()
        #expect(recent.count == 0)
    }

    @Test func `the number and the length of stored queries are limited`() throws {
        var recent = RecentQueries()
        for number in 0...RecentQueries.countMax { recent.note(try query("고양이 \(number)")) }
        #expect(recent.count == RecentQueries.countMax)
        #expect(try recent.candidates(for: query("고ㅇ")).count == RecentQueries.candidatesMax + 1)
        recent.note(try query(String(repeating: "x", count: RecentQueries.bytesMax + 1)))
        #expect(recent.count == RecentQueries.countMax)
        recent.note(try query(String(repeating: "x", count: RecentQueries.bytesMax)))
        #expect(recent.candidates(for: try query(String(repeating: "ㅋ", count: 341))).isEmpty)
    }
}
