/// Remembers what was searched for, so that an item can be asked for by its id later.
///
/// An id carries a hash of its search and the item's index in it. Common single words are known without having been
/// searched for. Bounded: the oldest searches are forgotten first.
struct TopicMemory: Sendable {
    static let searchesMax = 4_096

    /// A search by its words and whatever else decides which documents it finds.
    struct Search: Hashable, Sendable {
        var query: String
        var variant = ""

        /// Folded to 24 bits, so that it fits an id together with an index.
        var key: UInt32 {
            UInt32(truncatingIfNeeded: Dice.mix(Topic(query).key ^ Dice.hash(variant)) & 0xFF_FFFF)
        }
    }

    private var searches: [UInt32: Search] = [:]
    private var order: [UInt32] = []

    mutating func remember(_ search: Search) -> UInt32 {
        let key = search.key
        guard searches.updateValue(search, forKey: key) == nil else { return key }
        order.append(key)
        if order.count > Self.searchesMax { searches[order.removeFirst()] = nil }
        return key
    }

    func search(_ key: UInt32) -> Search? {
        searches[key] ?? Self.common[key]
    }

    private static let common: [UInt32: Search] = {
        let searches = (Vocabulary.korean.nouns + Vocabulary.english.nouns).map { Search(query: $0) }
        return Dictionary(searches.map { ($0.key, $0) }) { first, _ in first }
    }()
}

extension TopicMemory {
    /// A search's key and an index in one number, which the item's id is made of.
    static func pack(_ search: UInt32, _ index: Int) -> Int {
        Int(search) << 24 | (index & 0xFF_FFFF)
    }

    /// The search and the index of such a number; nil when it was never given out.
    func unpack(_ number: Int) -> (search: Search, index: Int)? {
        guard number >= 0, let key = UInt32(exactly: number >> 24), let search = search(key) else { return nil }
        return (search, number & 0xFF_FFFF)
    }
}
