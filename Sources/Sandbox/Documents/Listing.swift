/// One document of a source.
struct Document: Equatable, Sendable {
    /// The position in the order of relevance.
    ///
    /// It is negative for a document that was added after the server started.
    let index: Int
    let serial: UInt64
    let date: Timestamp
}

enum Order: Equatable, Sendable {
    case relevance, newest, oldest
    case shuffled(UInt64)

    init(_ name: String) {
        switch name {
        case "relevance": self = .relevance
        case "newest": self = .newest
        case "oldest": self = .oldest
        default: self = .shuffled(Dice.hash(name))
        }
    }
}

/// The documents of a source that match a topic, created on demand.
struct Listing: Sendable {
    let count: Int
    private let key: UInt64
    /// The number of documents that were added after the server started.
    ///
    /// These documents are first in every order.
    private let arrivals: Int
    private let order: Order
    private let byDate: Shuffle
    private let byOrder: Shuffle
    private var settled: Int { count - arrivals }

    init(source: String, seed: UInt64, topic: Topic, share: Double, order: Order, arrivals: Int) {
        key = Dice.mix(seed ^ Dice.hash(source)) ^ topic.key
        var dice = Dice(key, 0xC0_0417)
        let known = Double(topic.abundance) * share * (0.5 + Double(dice.roll(0...999)) / 1000)
        let settled = topic.abundance == 0 ? 0 : max(1, Int(known))
        self.arrivals = settled == 0 ? 0 : arrivals
        count = settled + self.arrivals
        self.order = order
        byDate = Shuffle(count: settled, salt: key)
        let salt: UInt64 = if case .shuffled(let salt) = order { salt } else { 0 }
        byOrder = Shuffle(count: settled, salt: key ^ Dice.mix(salt))
    }

    func document(at position: Int) -> Document {
        let rank = position - arrivals
        if rank < 0 { return document(rank, Timestamp(seconds: Timestamp.newest.seconds - rank * 60)) }
        switch order {
        case .relevance: return settledDocument(rank)
        case .newest: return settledDocument(byDate[rank])
        case .oldest: return settledDocument(byDate[settled - 1 - rank])
        case .shuffled: return settledDocument(byOrder[rank])
        }
    }

    func document(index: Int) -> Document? { (0..<settled).contains(index) ? settledDocument(index) : nil }

    private func settledDocument(_ index: Int) -> Document {
        // Each document is at least a second older than the previous one, and at most ten years old.
        let step = max(2, 315_360_000 / settled)
        var dice = Dice(key, UInt64(index), 0xDA7E)
        let age = byDate[index] * step + dice.roll(0...step / 2 - 1)
        return document(index, Timestamp(seconds: Timestamp.newest.seconds - age))
    }

    private func document(_ index: Int, _ date: Timestamp) -> Document {
        Document(index: index, serial: Dice.mix(key ^ Dice.mix(UInt64(bitPattern: Int64(index)))), date: date)
    }
}

/// A permutation of 0 ..< count that is its own inverse.
///
/// It reverses the bits of a number and flips some of them.
struct Shuffle: Sendable {
    private let count: Int
    private let shift: Int
    private let mask: UInt64

    init(count: Int, salt: UInt64) {
        self.count = count
        shift = max(1, count - 1).leadingZeroBitCount
        let flips = Dice.mix(salt) >> UInt64(shift)
        // The mask is a palindrome of bits. So applying the permutation twice gives the original number.
        mask = flips ^ Self.reversed(flips) >> UInt64(shift)
    }

    subscript(number: Int) -> Int {
        let moved = Int((Self.reversed(UInt64(number)) >> UInt64(shift)) ^ mask)
        return moved < count ? moved : number
    }

    private static func reversed(_ value: UInt64) -> UInt64 {
        var bits = value
        bits = (bits >> 1) & 0x5555_5555_5555_5555 | (bits & 0x5555_5555_5555_5555) << 1
        bits = (bits >> 2) & 0x3333_3333_3333_3333 | (bits & 0x3333_3333_3333_3333) << 2
        bits = (bits >> 4) & 0x0F0F_0F0F_0F0F_0F0F | (bits & 0x0F0F_0F0F_0F0F_0F0F) << 4
        return bits.byteSwapped
    }
}
