import JSON
import Personal
import Testing

@testable import Benchmark

/// What the benchmark of libraries saves and searches.
@Suite struct LibraryPartTests {
    @Test func `hits are such as can be saved, each another, and the same in every run`() throws {
        var texts = LibraryTexts(seed: 5)
        var again = LibraryTexts(seed: 5)
        let hits = texts.hits(50, "x")
        #expect(hits == again.hits(50, "x"))
        let items = try hits.map { try SavedItem($0, savedNow: 1, path: "hit") }
        #expect(Set(items.map(\.hit.title)).count > 45 && Set(items.map(\.id)).count == 50)
        #expect(items.allSatisfy { !$0.indexTokens.isEmpty })
    }

    @Test func `queries are words, their initials, and words without the end of their second syllable`() {
        #expect(TypingWay.word.typed(of: "고양이") == "고양이")
        #expect(TypingWay.initials.typed(of: "고양이") == "ㄱㅇㅇ")
        #expect(TypingWay.initials.typed(of: "책상") == "ㅊㅅㅊ")
        #expect(TypingWay.half.typed(of: "고양이") == "고야")
        for way in TypingWay.ofLibrary {
            #expect(LibraryQuery.expression(way.typed(of: "고양이"))?.isEmpty == false)
        }
    }

    @Test func `only the library is measured when it is named`() throws {
        let options = try Options(arguments: ["library", "--rounds", "2"])
        #expect(options.parts == [.library] && options.peers == [.searchd] && options.rounds == 2)
        #expect(options.libraryItems == 100_000)
        #expect(try !Options(arguments: []).parts.contains(.library))
    }
}
