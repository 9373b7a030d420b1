import Catalogue
import Engine
import EventLoop
import SearchModel

/// How many requests of a stream find their key in a cache of so many entries.
enum CacheReplay {
    private static let sourceName = "bench.cache"

    /// The daemon's cache itself, with pages of which exactly so many fit.
    static func searchd(_ stream: KeyStream, entriesMax: Int) throws(BenchmarkError) -> Int {
        guard let source = SourceName(sourceName) else { throw BenchmarkError(.program, "\(sourceName) is no name") }
        let sample = try page(0, source)
        var store = PageStore(bytesMax: entriesMax * PageStore.cost(of: sample))
        var hits = 0
        for key in stream.keys {
            let fetched = try page(key, source)
            if let found = store.page(fetched.key) {
                found.validity.use()
                hits += 1
            } else {
                store.insert(fetched)
            }
        }
        guard store.figures.entries == min(entriesMax, stream.distinct) else {
            throw BenchmarkError(.answer, "the cache holds \(store.figures.entries) pages instead of \(entriesMax)")
        }
        return hits
    }

    /// All of one size: the digits of a key are always as many.
    private static func page(_ key: Int, _ source: SourceName) throws(BenchmarkError) -> CachedPage {
        guard let query = SearchQuery(String(100_000_000 + key)) else {
            throw BenchmarkError(.program, "\(key) is no query")
        }
        let start = Instant(nanoseconds: 0)
        return CachedPage(
            Page(isEnd: true),
            key: PageKey(source: source, request: PageRequest(query: query)),
            fetchedAt: start,
            freshUntil: start.advanced(by: .seconds(1))
        )
    }

    /// Evicts what was used least recently.
    static func leastRecentlyUsed(_ stream: KeyStream, entriesMax: Int) -> Int {
        var lastUse: [Int: Int] = [:]
        // Every use in order; outdated ones are passed over when they come to the front.
        var front = 0
        var hits = 0
        for (turn, key) in stream.keys.enumerated() {
            if lastUse.updateValue(turn, forKey: key) != nil {
                hits += 1
                continue
            }
            while lastUse.count > entriesMax {
                let oldest = stream.keys[front]
                if lastUse[oldest] == front { lastUse[oldest] = nil }
                front += 1
            }
        }
        return hits
    }

    /// Keeps what is used again soonest, which is optimal (Belady).
    static func best(_ stream: KeyStream, entriesMax: Int) -> Int {
        let never = Int.max
        var nextUse = [Int](repeating: never, count: stream.keys.count)
        var next: [Int: Int] = [:]
        for turn in stream.keys.indices.reversed() {
            nextUse[turn] = next.updateValue(turn, forKey: stream.keys[turn]) ?? never
        }
        // By the turn in which a key comes next: which of them are kept.
        var kept: Set<Int> = []
        var farthest = FarthestFirst()
        var hits = 0
        for turn in stream.keys.indices {
            if kept.remove(turn) != nil { hits += 1 }
            guard nextUse[turn] != never else { continue }
            kept.insert(nextUse[turn])
            farthest.push(nextUse[turn])
            while kept.count > entriesMax, let victim = farthest.pop() { kept.remove(victim) }
        }
        return hits
    }
}

/// A heap of turns, the latest on top.
private struct FarthestFirst {
    private var turns: [Int] = []

    mutating func push(_ turn: Int) {
        turns.append(turn)
        var child = turns.count - 1
        while child > 0, turns[(child - 1) / 2] < turns[child] {
            turns.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func pop() -> Int? {
        guard let top = turns.first, let last = turns.popLast() else { return nil }
        guard !turns.isEmpty else { return top }
        turns[0] = last
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < turns.count }
            guard let larger = children.max(by: { turns[$0] < turns[$1] }), turns[larger] > turns[parent] else { break }
            turns.swapAt(parent, larger)
            parent = larger
        }
        return top
    }
}
