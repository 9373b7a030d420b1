import Catalogue
import SearchModel
import SearchTestSupport
import TestSupport
import Upstream

@testable import Engine

/// Random sources that share items; an item has a different id in each source.
struct MirroredSources: Sendable {
    static let pageSize = 10

    let profiles: [SourceProfile]
    let lists: [SourceName: [Int]]

    init(sort: Sort = .relevance, things: Int = 60, _ random: inout SeededGenerator) {
        var lists: [SourceName: [Int]] = [:]
        profiles = (0..<Int.random(in: 1...5, using: &random)).map { number in
            let makesOrder = Bool.random(using: &random)
            var list = (0..<things).shuffled(using: &random)
            list.removeLast(Int.random(in: 0...things, using: &random))
            // An item with a higher number is newer, and its title comes later.
            if makesOrder, sort == .recency { list.sort(by: >) }
            if makesOrder, sort == .title { list.sort() }
            let source = EngineTests.profile(
                "s.n\(number)",
                pageSize: Self.pageSize,
                sorts: makesOrder ? Set(Sort.allCases) : [.relevance],
                weight: [0.25, 1, 1, 1, 3].randomElement(using: &random) ?? 1
            )
            lists[source.name] = list
            return source
        }
        self.lists = lists
    }

    func page(_ key: PageKey) -> Page {
        let list = lists[key.source] ?? []
        let begin = min(key.request.page * Self.pageSize, list.count)
        let end = min(begin + Self.pageSize, list.count)
        let hits = list[begin..<end].map { Self.hit(key.source, thing: $0) }
        return Page(hits: hits, total: list.count, reachable: list.count, isEnd: end == list.count)
    }

    static func hit(_ source: SourceName, thing: Int) -> Hit {
        let host = thing.isMultiple(of: 2) ? "www.things.example" : "m.things.example"
        return SearchTestSupport.hit(
            source.text,
            thing,
            title: "\(thing)권",
            published: Int64(thing),
            url: "https://\(host)/\(thing)?utm_source=\(source)"
        )
    }

    static func thing(_ place: HitPosition) -> Int {
        place.entry.id.split(separator: ":").last.flatMap { Int($0) } ?? -1
    }
}
