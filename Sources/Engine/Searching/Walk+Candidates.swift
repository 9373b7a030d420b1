import SearchModel

extension Walk {
    /// The hits of a source's next page that may come to stand in a window when its round is merged.
    ///
    /// A stream tells them before the other sources of the round have answered, which may push some of them out. Of a
    /// source alone that makes the order itself they are exactly those that will. A page that came before its turn has
    /// none yet.
    func candidates(of name: SourceName, in window: Range<Int>) -> [HitPlace] {
        guard let source = source(name), let page = source.waiting[source.nextPage] else { return [] }
        let others = sources.filter { !$0.isEnd && $0.profile.name != name }
        let keepsOrder = sort == .relevance || (others.isEmpty && source.profile.sorts.contains(sort))
        let roomOfRound = page.entries.count + others.reduce(0) { $0 + $1.profile.pageSize }
        var fresh = 0
        var candidates: [HitPlace] = []
        for (index, entry) in page.entries.enumerated() where !hasMerged(entry.id) {
            // At best nobody else's hit comes before it; at worst, of each other source, all that may.
            let first = keepsOrder ? end + fresh : end
            let last = keepsOrder ? first + others.count * (index + 1) : end + roomOfRound - 1
            fresh += 1
            if first < window.upperBound, last >= window.lowerBound {
                candidates.append(HitPlace(page: page, index: index))
            }
        }
        return candidates
    }
}
