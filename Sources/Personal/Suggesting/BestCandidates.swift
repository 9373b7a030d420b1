/// The entries that may be worth most, as far as there is room: the best first.
struct BestCandidates {
    struct Candidate {
        let entry: Int
        /// It is worth so much at most.
        let bound: Double
    }

    private let room: Int
    private(set) var all: [Candidate] = []
    private var entries: Set<Int> = []
    /// Whether some had to be left out, which are worth no more than the last one.
    private(set) var isCut = false

    init(room: Int) {
        self.room = room
    }

    /// Whether there is room for something that is worth so much at most.
    mutating func mayTake(_ bound: Double) -> Bool {
        guard all.count == room, let last = all.last, bound <= last.bound else { return true }
        isCut = true
        return false
    }

    /// Adds an entry that there is room for.
    mutating func add(_ entry: Int, bound: Double) {
        if !entries.insert(entry).inserted, let known = all.firstIndex(where: { $0.entry == entry }) {
            guard all[known].bound < bound else { return }
            all.remove(at: known)
        } else if all.count == room {
            isCut = true
            entries.remove(all.removeLast().entry)
        }
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].bound >= bound { low = middle + 1 } else { high = middle }
        }
        all.insert(Candidate(entry: entry, bound: bound), at: low)
    }
}
