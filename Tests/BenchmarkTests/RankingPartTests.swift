import SearchModel
import Testing

@testable import Benchmark

struct RankingPartTests {
    @Test func `the merged order reaches all ranking targets`() throws {
        let searches = try JudgedSearch.all()
        #expect(searches.count >= 60)
        for verdict in RankingPart.verdicts(try RankingPart.measure(searches, withOracle: false)) {
            #expect(verdict.passed, "\(verdict.target): \(verdict.measured)")
        }
    }

    @Test func `every search has a known item, several sources and irrelevant hits`() throws {
        for search in try JudgedSearch.all() {
            let hits = search.lists.flatMap(\.hits)
            #expect(hits.count(where: \.isKnown) == 1, "\(search.query)")
            #expect(search.lists.count >= 4 && hits.contains { $0.grade == 0 }, "\(search.query)")
            #expect(Set(search.lists.map(\.source)).count == search.lists.count)
        }
    }

    @Test func `the grade, the age, the title, the snippet and the author of a hit are read from its line`() throws {
        let text = "? a b\n@x.one\n3! ~2 One: | half | of it / Somebody\n0 Two\n+ 2\n"
        let search = try #require(try JudgedSearch.read(text).first)
        #expect(search.query.text == "a b" && search.lists.map(\.hits.count) == [4])
        let hits = search.lists[0].hits
        #expect(
            hits[0]
                == JudgedSearch.Judged(
                    grade: 3,
                    isKnown: true,
                    ageDays: 2,
                    title: "One:",
                    snippet: "half | of it",
                    author: "Somebody"
                )
        )
        #expect(hits[1].title == "Two" && hits[1].snippet == nil && hits[1].ageDays == nil)
        #expect(hits[2...].allSatisfy { $0.grade == 0 && !$0.isKnown })
    }

    @Test(arguments: ["3 Title", "? a\n3 Title", "? a\n@x.one\n4 Title", "? a\n@x.one\n+ x", "? \n", "@x.one"])
    func `invalid judged data is refused`(text: String) {
        #expect(throws: BenchmarkError.self) { try JudgedSearch.read(text) }
    }

    @Test func `gain is 1 for the best order and less for other orders`() throws {
        let text = "? a\n@x.one\n3! One\n0 Two\n1 Three\n0 Four"
        let search = try #require(try JudgedSearch.read(text).first)
        let hits = search.lists[0].hits
        var best = RankingMeasure()
        best.add([hits[0], hits[2], hits[1], hits[3]], of: search)
        #expect(abs(best.gain - 1) < 1e-9 && best.recall == 1)
        var worse = RankingMeasure()
        worse.add([hits[1], hits[3], hits[2], hits[0]], of: search)
        #expect(worse.gain < 0.6 && worse.recall == 0)
    }

    @Test func `hits with the same score are ordered by the name of their source`() throws {
        let search = try #require(try JudgedSearch.read("? a\n@x.two\n0 A\n0 B\n@x.one\n0 C").first)
        #expect(RankingPart.byRank(search) { -Double($0) }.map(\.title) == ["C", "A", "B"])
    }
}
