import Catalogue
import SearchModel

/// One search over its sources as far as anyone has paged: the merged list grows at its end and never changes before.
///
/// Pages are merged in rounds, the next page of every source that has one; so along a cursor no hit comes twice and
/// none is skipped, whatever the sources do to their totals and orders meanwhile. Pure.
///
/// Invariant: the ids in `merged` are exactly `seen`, each once.
struct Walk: Sendable {
    /// A page that the walk lacks.
    struct Need: Equatable, Sendable {
        let source: SourceName
        let key: PageKey
        let freshness: Freshness
    }

    let query: SearchQuery
    let sort: Sort
    /// The place of the first merged hit in the list the caller counts in.
    let base: Int
    private(set) var sources: [SourceWalk]
    private(set) var merged: [HitPlace] = []
    private var seen: Set<String> = []
    let lease = Lease()

    /// Begins a walk so that position `offset` can be reached; a single source is entered at the page that holds it.
    init(_ request: SearchRequest) {
        query = request.query
        sort = request.sort
        let single = request.sources.count == 1 ? request.sources.first : nil
        let skipsPages = single.map { $0.sorts.contains(request.sort) } ?? false
        let firstPage = skipsPages ? request.offset / (single?.pageSize ?? 1) : 0
        base = firstPage * (single?.pageSize ?? 0)
        sources = request.sources.map { profile in
            SourceWalk(profile: profile, options: request.options[profile.name] ?? [], firstPage: firstPage)
        }
    }

    /// The number of hits from the beginning of the list to the end of what is merged.
    var end: Int { base + merged.count }

    /// Whether sources other than `excluded` may still have more; those that can't be asked never have.
    func mayGrow(without excluded: Set<SourceName>) -> Bool {
        sources.contains { !$0.isEnd && $0.profile.unavailable == nil && !excluded.contains($0.profile.name) }
    }

    /// The sources that have given all they have.
    var endedSources: Set<SourceName> {
        Set(sources.filter(\.isEnd).map(\.profile.name))
    }

    /// The pages to get before the list can reach `position`; empty when it does, or can't grow.
    func needs(upTo position: Int, without excluded: Set<SourceName>) -> [Need] {
        guard end < position else { return [] }
        let active = sources.filter { !$0.isEnd && !excluded.contains($0.profile.name) }
        guard !active.isEmpty else { return [] }
        let share = (position - end + active.count - 1) / active.count
        return active.flatMap { source in
            source.pagesNeeded(for: share).map { page in
                Need(
                    source: source.profile.name,
                    key: PageKey(
                        source: source.profile.name,
                        request: PageRequest(
                            query: query,
                            sort: source.upstreamSort(for: sort),
                            page: page,
                            options: source.options
                        )
                    ),
                    freshness: source.profile.freshness
                )
            }
        }
    }

    mutating func received(_ page: CachedPage) {
        guard let index = sources.firstIndex(where: { $0.profile.name == page.key.source }) else { return }
        sources[index].received(page)
    }

    /// Merges whole rounds until the list reaches `position` or some source's page is not here yet.
    ///
    /// Sources that are `excluded` are not waited for, but what has come of them takes part.
    mutating func merge(upTo position: Int, without excluded: Set<SourceName>) {
        while end < position {
            let active = sources.indices.filter { index in
                let source = sources[index]
                return !source.isEnd && (source.hasNextPage || !excluded.contains(source.profile.name))
            }
            guard !active.isEmpty, active.allSatisfy({ sources[$0].hasNextPage }) else { return }
            let sortedUpstream = active.allSatisfy { sources[$0].profile.sorts.contains(sort) }
            let pages = active.compactMap { sources[$0].takeNextPage() }
            var fruitful: Set<SourceName> = []
            for place in RoundMerge.merge(pages, sort: sort, sortedUpstream: sortedUpstream)
            where seen.insert(place.entry.id).inserted {
                merged.append(place)
                fruitful.insert(place.page.key.source)
            }
            for index in active {
                sources[index].merged(anythingNew: fruitful.contains(sources[index].profile.name))
            }
        }
    }

    /// The hits from one position of the list up to another, as far as they are merged.
    func window(from start: Int, count: Int) -> ArraySlice<HitPlace> {
        let lower = min(max(0, start - base), merged.count)
        return merged[lower..<min(lower + count, merged.count)]
    }

    /// Whether a hit stands in the list already.
    func hasMerged(_ id: String) -> Bool {
        seen.contains(id)
    }

    func source(_ name: SourceName) -> SourceWalk? {
        sources.first { $0.profile.name == name }
    }

    /// The pages that the walk keeps from being freed, each once.
    var pages: [CachedPage] {
        var seen: Set<ObjectIdentifier> = []
        let all = merged.map(\.page) + sources.flatMap { $0.waiting.values }
        return all.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}
