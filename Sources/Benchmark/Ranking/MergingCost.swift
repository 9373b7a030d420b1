import Catalogue
import Engine
import EventLoop
import JSON
import SearchModel

/// What it takes to answer a search of several sources whose pages are all in the cache, in nanoseconds of processor
/// time.
struct MergingCost: Sendable {
    private static let sources = 8
    private static let searches = 1_000

    /// By one source, which is not merged.
    let alone: Double
    /// When the texts of the hits are compared with the query for the first time.
    let first: Double
    let again: Double

    static func measure() throws(BenchmarkError) -> MergingCost {
        try OnLoop.run { loop async throws(BenchmarkError) in
            let profiles = try (0..<sources).map { number throws(BenchmarkError) in
                try EngineAlone.profile("bench.n\(number)")
            }
            let engine = EngineAlone(on: loop, now: RankingWays.now)
            let queries = (0..<searches).compactMap { SearchQuery("고양이 사료 추천 \($0)") }
            for query in queries {
                for profile in profiles {
                    await engine.keep((0..<EngineAlone.hitsOnPage).map { hit($0, profile) }, for: query, of: profile)
                }
            }
            _ = try await time(queries, Array(profiles.prefix(1)), engine)
            let alone = try await time(queries, Array(profiles.prefix(1)), engine)
            let first = try await time(queries, profiles, engine)
            let again = try await time(queries, profiles, engine)
            return MergingCost(alone: alone, first: first, again: again)
        }
    }

    private static func time(
        _ queries: [SearchQuery],
        _ profiles: [SourceProfile],
        _ engine: EngineAlone
    ) async throws(BenchmarkError) -> Double {
        let start = SystemCall.threadTime
        for query in queries {
            _ = try await engine.answer(SearchRequest(query: query, sources: profiles))
        }
        return Double(SystemCall.threadTime - start) / Double(queries.count)
    }

    private static func hit(_ number: Int, _ profile: SourceProfile) -> Hit {
        var hit = Hit(
            id: "\(profile.name):\(number)",
            source: profile.name,
            kind: profile.kind,
            title: "우리 집 고양이 이야기, \(number)번째 사료",
            rank: number + 1
        )
        hit.url = "https://\(profile.name).example/\(number)"
        hit.snippet = String(repeating: "지난주에 강릉에서 고양이 하나만 한참 바라보았다, 사료 \(number). ", count: 3)
        return hit
    }

    var section: Report.Section {
        var table = ResultTable(["an answer of", "µs of processor time"])
        table.add("one source, not merged", [.one(alone, .microseconds)])
        table.add("\(Self.sources) sources of \(EngineAlone.hitsOnPage) hits, at first", [.one(first, .microseconds)])
        table.add("the same, again", [.one(again, .microseconds)])
        return Report.Section(
            name: "merging",
            title: "What an answer from the cache costs when it is merged",
            notes: ["the first time compares the texts with the query; what comes of it is kept with the page"],
            tables: [table]
        )
    }
}
