/// Remembers by their hashes what was evicted last: what comes back soon was evicted wrongly.
///
/// Invariant: `turns` holds the last turn of every hash in `queue` from `head` on, and nothing else.
struct GhostQueue {
    private var turns: [Int: Int] = [:]
    private var queue: [Int] = []
    private var head = 0
    /// The turn of the hash at `head`.
    private var firstTurn = 0

    /// Remembers one more; of the older ones only so many that `countMax` are known.
    ///
    /// - Complexity: O(1) amortised.
    mutating func insert(_ hash: Int, countMax: Int) {
        turns[hash] = firstTurn + queue.count - head
        queue.append(hash)
        while queue.count - head > countMax { dropFirst() }
        if head > 64, head * 2 > queue.count {
            queue.removeFirst(head)
            head = 0
        }
    }

    /// Whether it was evicted not long ago; it is forgotten thereby.
    mutating func take(_ hash: Int) -> Bool {
        turns.removeValue(forKey: hash) != nil
    }

    private mutating func dropFirst() {
        let hash = queue[head]
        if turns[hash] == firstTurn { turns[hash] = nil }
        head += 1
        firstTurn += 1
    }
}
