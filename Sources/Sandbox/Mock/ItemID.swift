import JSON

/// Remembers what was searched for, so that an item can be found by its id later.
///
/// An id has a hash of its search and the item's index in it. Common single words are known without having been
/// searched for. Bounded: the oldest searches are forgotten first.
struct SearchMemory: Sendable {
    static let searchesMax = 4_096

    /// A search by its words and the other parameters that decide which documents it finds.
    struct Search: Hashable, Sendable {
        var query: String
        var kept: [String: String] = [:]

        /// The parameters in one text.
        var variant: String {
            kept.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        }

        /// Folded to 24 bits, so that it fits an id together with an index.
        var key: UInt32 {
            UInt32(truncatingIfNeeded: Dice.mix(Topic(query).key ^ Dice.hash(variant)) & 0xFF_FFFF)
        }
    }

    private var searches: [UInt32: Search] = [:]
    private var order: [UInt32] = []

    mutating func remember(_ search: Search) {
        let key = search.key
        guard searches.updateValue(search, forKey: key) == nil else { return }
        order.append(key)
        if order.count > Self.searchesMax { searches[order.removeFirst()] = nil }
    }

    subscript(key: UInt32) -> Search? {
        searches[key] ?? Self.common[key]
    }

    private static let common: [UInt32: Search] = {
        let searches = (Vocabulary.korean.nouns + Vocabulary.english.nouns).map { Search(query: $0) }
        return Dictionary(searches.map { ($0.key, $0) }) { first, _ in first }
    }()
}

/// How an API writes ids, out of a search's key and the item's index.
enum ItemID: String, Sendable {
    /// A number.
    case packed
    /// A number that also says the form of record: eight of them, 256 items each.
    case store
    /// Twelve letters and digits.
    case volume

    private static let storeBase = 280_000_000

    func id(_ search: UInt32, _ index: Int, form: Int = 0) -> JSONValue {
        switch self {
        case .packed: .integer(Int(search) << 24 | (index & 0xFF_FFFF))
        case .store: .integer(Self.storeBase + ((Int(search) << 8 | (index & 0xFF)) << 3 | form))
        case .volume: .string(Self.volume(search, index))
        }
    }

    /// The search, the index and the form of an id; nil for one that was never given.
    func position(of text: some StringProtocol) -> (search: UInt32, index: Int, form: Int)? {
        if self == .volume { return Self.position(ofVolume: String(text)) }
        // Text around the number, as in `OL12W` or `example.maker.app12`, is part of some ids.
        let digits = text.reversed().drop { !$0.isNumber }.prefix { $0.isNumber }.reversed()
        guard let number = Int(String(digits)) else { return nil }
        if self == .packed { return UInt32(exactly: number >> 24).map { ($0, number & 0xFF_FFFF, 0) } }
        let packed = number - Self.storeBase
        guard packed >= 0, packed < 1 << 35 else { return nil }
        return (UInt32(packed >> 11), packed >> 3 & 0xFF, packed & 7)
    }

    /// The search's key, the index, and 24 bits to check both by.
    private static func volume(_ search: UInt32, _ index: Int) -> String {
        let index = UInt64(truncatingIfNeeded: index) & 0xFF_FFFF
        let check = check(search, index)
        // The index is hidden behind the check bits, so that neighbours differ.
        let hidden = index ^ (Dice.mix(check ^ UInt64(search)) & 0xFF_FFFF)
        let alphabet = StaticAlphabet.base64URL.bytes
        let halves = [UInt64(search) << 12 | check >> 12, (check & 0xFFF) << 24 | hidden]
        let letters = halves.flatMap { half in (0..<6).map { alphabet[Int(half >> UInt64(30 - 6 * $0)) & 63] } }
        return String(decoding: letters, as: UTF8.self)
    }

    private static func position(ofVolume id: String) -> (search: UInt32, index: Int, form: Int)? {
        let alphabet = StaticAlphabet.base64URL.bytes
        let digits = id.utf8.compactMap { alphabet.firstIndex(of: $0).map { UInt64($0) } }
        guard digits.count == 12, id.utf8.count == 12 else { return nil }
        let high = digits[..<6].reduce(0) { $0 << 6 | $1 }
        let low = digits[6...].reduce(0) { $0 << 6 | $1 }
        let check = (high & 0xFFF) << 12 | low >> 24
        let search = UInt32(truncatingIfNeeded: high >> 12)
        let index = (low & 0xFF_FFFF) ^ (Dice.mix(check ^ UInt64(search)) & 0xFF_FFFF)
        return Self.check(search, index) == check ? (search, Int(index), 0) : nil
    }

    private static func check(_ search: UInt32, _ index: UInt64) -> UInt64 {
        Dice.mix(UInt64(search) << 24 | index) & 0xFF_FFFF
    }
}
