import RPC

/// Items on their way into the library, as many as one request takes; pure.
struct ImportBatch {
    /// A line of the wire may be as long as this, with what stands around the items.
    static let bytesMax = 1 << 20 - envelopeBytesMax
    private static let envelopeBytesMax = 4096
    static let itemsMax = WireBounds.libraryItemsMax

    struct Item {
        let line: Int
        let json: [UInt8]
    }

    private(set) var items: [Item] = []
    private var bytes = 0

    init(_ items: [Item] = []) {
        self.items = items
        bytes = items.reduce(0) { $0 + $1.json.count + 1 }
    }

    var isEmpty: Bool { items.isEmpty }

    /// Whether an item can't be taken by any batch.
    static func isTooLarge(_ item: Item) -> Bool { item.json.count + 1 > bytesMax }

    /// Adds an item; false when there is no room for it.
    mutating func add(_ item: Item) -> Bool {
        guard items.count < Self.itemsMax, bytes + item.json.count + 1 <= Self.bytesMax else { return false }
        items.append(item)
        bytes += item.json.count + 1
        return true
    }

    /// The two halves of a batch of several.
    var halves: [ImportBatch] {
        let middle = items.count / 2
        return [ImportBatch(Array(items[..<middle])), ImportBatch(Array(items[middle...]))]
    }
}

/// What an import has come to; pure.
struct ImportTally {
    /// So many of the items that were left out are named.
    static let namedMax = 20

    private(set) var added = 0
    private(set) var known = 0
    private(set) var left = 0
    /// The first of those left out, in the order of their lines.
    private(set) var named: [(line: Int, reason: String)] = []

    var taken: Int { added + known }

    mutating func took(_ count: Int, added: Int) {
        self.added += added
        known += count - added
    }

    mutating func leave(line: Int, _ reason: String) {
        left += 1
        // What the daemon refuses comes later than what could not be read behind it.
        named.insert((line, reason), at: named.firstIndex { $0.line > line } ?? named.count)
        if named.count > Self.namedMax { named.removeLast() }
    }

    /// `3 items imported, 1 of them saved before; 2 left out`.
    func summary(_ verb: String) -> String {
        let before =
            switch known {
            case 0: ""
            case taken: taken == 1 ? ", which was saved before" : ", all of them saved before"
            default: ", \(FigureText.grouped(known)) of them saved before"
            }
        let rest = left == 0 ? "" : "; \(FigureText.grouped(left)) left out"
        return "\(FigureText.count(taken, "item")) \(verb)\(before)\(rest)"
    }

    /// A line for each item that was left out, up to the limit.
    var reasons: [String] {
        let lines = named.map { "line \($0.line) is left out: \($0.reason)" }
        return left > named.count ? lines + ["and \(FigureText.grouped(left - named.count)) more"] : lines
    }
}
