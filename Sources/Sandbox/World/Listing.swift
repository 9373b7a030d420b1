/// One document of a source: its index among all that match a topic, and the number it is made from.
struct Document: Equatable, Sendable {
    /// Its index in the source's own order of relevance; negative for those that appeared while the server ran.
    let index: Int
    /// Decides everything about the document.
    let serial: UInt64
    /// When it was published.
    let date: Timestamp
    /// Its rank among all of them by date, the newest first.
    let dateRank: Int
}

/// The order in which a source lists its documents.
enum Order: Hashable, Sendable {
    case relevance
    case newest
    case oldest
    /// By some other figure of the document, which the salt tells apart.
    case shuffled(UInt64)

    /// The order by the name that APIs' files use.
    init(_ name: String) {
        switch name {
        case "relevance": self = .relevance
        case "newest": self = .newest
        case "oldest": self = .oldest
        default: self = .shuffled(Dice.hash(name))
        }
    }
}

/// All documents of one source that match a topic, made when they are looked at.
///
/// Invariant: for every order, `document(at:)` is a bijection between the positions 0 ..< count and the documents, so
/// every order lists the same set.
struct Listing: Sendable {
    let corpus: UInt64
    let topic: Topic
    let order: Order
    /// How many match, new arrivals included.
    let count: Int
    /// How many arrived since the first request; they are at the front of every order.
    let arrivals: Int

    init(source: String, seed: UInt64, topic: Topic, share: Double = 1, order: Order = .relevance, arrivals: Int = 0) {
        corpus = Dice.mix(seed ^ Dice.hash(source))
        self.topic = topic
        self.order = order
        var dice = Dice(corpus, topic.key, 0xC0_0417)
        let abundance = Double(topic.abundance) * share * (0.5 + Double(dice.roll(1000)) / 1000)
        let settled = topic.abundance == 0 ? 0 : max(1, Int(abundance))
        self.arrivals = settled == 0 ? 0 : arrivals
        count = settled + self.arrivals
    }

    /// - Precondition: 0 ≤ position < count.
    func document(at position: Int) -> Document {
        precondition(position >= 0 && position < count, "no document at \(position) of \(count)")
        let settled = count - arrivals
        if position < arrivals {
            let index = position - arrivals
            let date = Timestamp(seconds: Timestamp.newest.seconds - index * 60)
            return document(index: index, dateRank: index, date: date)
        }
        let rank = position - arrivals
        let byDate = Shuffle(count: settled, salt: corpus ^ topic.key)
        let index =
            switch order {
            case .relevance: rank
            case .newest: byDate.position(of: rank)
            case .oldest: byDate.position(of: settled - 1 - rank)
            case .shuffled(let salt):
                Shuffle(count: settled, salt: corpus ^ topic.key ^ Dice.mix(salt)).position(of: rank)
            }
        return self[index]
    }

    /// The documents at `limit` positions from an offset on, as far as the first `end` go.
    func documents(_ offset: Int, _ limit: Int, end: Int = .max) -> [Document] {
        let end = min(end, count)
        let first = min(offset, end)
        return (first..<min(first + limit, end)).map(document)
    }

    /// The settled document of an index; nil past the last.
    func document(index: Int) -> Document? {
        index >= 0 && index < count - arrivals ? self[index] : nil
    }

    private subscript(index: Int) -> Document {
        let settled = count - arrivals
        let rank = Shuffle(count: settled, salt: corpus ^ topic.key).rank(of: index)
        // Dates fall by at least a second from rank to rank, and by no more than ten years over all of them.
        let step = max(2, 315_360_000 / settled)
        var dice = Dice(corpus, topic.key, UInt64(index), 0xDA7E)
        let age = min(rank * step + dice.roll(step / 2), 1_500_000_000)
        return document(index: index, dateRank: rank, date: Timestamp(seconds: Timestamp.newest.seconds - age))
    }

    private func document(index: Int, dateRank: Int, date: Timestamp) -> Document {
        let serial = Dice.mix(corpus ^ Dice.mix(topic.key ^ Dice.mix(UInt64(bitPattern: Int64(index)))))
        return Document(index: index, serial: serial, date: date, dateRank: dateRank)
    }
}

/// A fixed reordering of 0 ..< count that needs no table: x ↦ a·x + b modulo count.
struct Shuffle: Sendable {
    private let count: Int
    private let factor: Int
    private let offset: Int

    init(count: Int, salt: UInt64) {
        precondition(count > 0 && count < 1 << 31, "the product of two positions must fit")
        var dice = Dice(salt, UInt64(count))
        var factor = max(1, count / 2 + dice.roll(count) / 3)
        while Self.commonDivisor(factor, count) != 1 { factor += 1 }
        self.count = count
        self.factor = factor
        offset = dice.roll(count)
    }

    func rank(of position: Int) -> Int {
        (factor * position + offset) % count
    }

    /// The inverse of `rank(of:)`.
    func position(of rank: Int) -> Int {
        Self.inverse(of: factor % count, modulo: count) * ((rank - offset % count + count) % count) % count
    }

    private static func commonDivisor(_ left: Int, _ right: Int) -> Int {
        right == 0 ? left : commonDivisor(right, left % right)
    }

    private static func inverse(of number: Int, modulo count: Int) -> Int {
        var (previous, current) = (count, number)
        var (previousFactor, factor) = (0, 1)
        while current > 1 {
            let quotient = previous / current
            (previous, current) = (current, previous - quotient * current)
            (previousFactor, factor) = (factor, previousFactor - quotient * factor)
        }
        return ((factor % count) + count) % count
    }
}
