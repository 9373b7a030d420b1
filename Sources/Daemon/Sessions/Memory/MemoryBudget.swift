/// How much memory the connections may hold together: lines that are read, work under way, answers not yet sent.
///
/// Each connection may hold as much as is free for all. So a connection alone has half of it, and however many
/// connections take all they may, some is left for one that holds little. Pure.
struct MemoryBudget {
    /// What all connections may hold; beyond, the connection that holds most is dropped.
    var bytesMax = 16 << 20
    /// What a connection may hold in any case.
    static let shareBytesMin = 16 << 10

    private(set) var held = Holdings()

    var bytesUsed: Int { held.bytes }

    /// What one connection may hold before it is held back.
    var shareBytes: Int { max(Self.shareBytesMin, bytesMax - bytesUsed) }

    /// Whether readers that take nothing are dropped earlier.
    var isPressed: Bool { bytesUsed > bytesMax / 2 }

    var isExceeded: Bool { bytesUsed > bytesMax }

    /// What is left for work, which may take half of all.
    private var workBytesFree: Int { min(bytesMax / 2 - held.reserved, bytesMax - bytesUsed) }

    /// A connection holds more or less than it did.
    mutating func changed(from before: Holdings, to now: Holdings) {
        held.buffered += now.buffered - before.buffered
        held.reserved += now.reserved - before.reserved
        assert(held.buffered >= 0 && held.reserved >= 0)
    }

    /// Whether work that needs so much may begin for a connection that holds so much already.
    func admits(_ bytes: Int, to holdings: Holdings) -> Bool {
        guard bytes <= workBytesFree, holdings.buffered <= shareBytes else { return false }
        return holdings.reserved == 0 || holdings.reserved + bytes <= workBytesFree
    }
}

/// What one connection holds, or all of them.
struct Holdings: Equatable {
    /// Input that is not yet served, requests, and answers that are not yet sent.
    var buffered = 0
    /// For work under way.
    var reserved = 0

    var bytes: Int { buffered + reserved }
}
