/// How much memory the connections may hold together: lines that are read, work under way, answers not yet sent.
///
/// A connection may hold as much as is still free of three quarters of the budget. So one alone gets half of that, and
/// however many take all they may, some is left for one that holds little. The last quarter is for what connections
/// hold beyond their shares: an answer each at most. Pure.
struct MemoryBudget {
    /// What all connections may hold; beyond, the connection that holds most is dropped.
    var bytesMax = 17 << 20
    /// What a connection may hold in any case.
    static let shareBytesMin = 16 << 10

    private(set) var held = Holdings()

    var bytesUsed: Int { held.bytes }

    /// What one connection may hold before it is held back.
    var shareBytes: Int { max(Self.shareBytesMin, bytesMax / 4 * 3 - bytesUsed) }

    /// Whether readers that take nothing are dropped earlier.
    var isPressed: Bool { bytesUsed > bytesMax / 3 }

    var isExceeded: Bool { bytesUsed > bytesMax }

    /// What is left for work, which may take a third of all.
    private var workBytesFree: Int { min(bytesMax / 3 - held.reserved, bytesMax - bytesUsed) }

    /// A connection holds more or less than it did.
    mutating func changed(from before: Holdings, to now: Holdings) {
        held.input += now.input - before.input
        held.output += now.output - before.output
        held.reserved += now.reserved - before.reserved
        assert(held.input >= 0 && held.output >= 0 && held.reserved >= 0)
    }

    /// Whether work that needs so much may begin for a connection that holds so much already.
    func admits(_ bytes: Int, to holdings: Holdings) -> Bool {
        guard bytes <= workBytesFree, holdings.output <= shareBytes else { return false }
        return holdings.reserved == 0 || holdings.reserved + bytes <= workBytesFree
    }
}

/// What one connection holds, or all of them.
struct Holdings: Equatable {
    /// Lines that are not served yet: holding a connection back makes these no fewer.
    var input = 0
    /// Requests in flight, and answers that are not yet sent.
    var output = 0
    /// For work under way.
    var reserved = 0

    var bytes: Int { input + output + reserved }
}

/// When memory that was in use should go back to the system: the allocator keeps what is freed for the next time.
///
/// Pure.
struct MemoryPeak {
    /// Less than this is not worth asking.
    static let bytesMin = 4 << 20
    /// What a connection takes that holds nothing.
    static let connectionBytes = 2 << 10

    private var peak = 0

    /// So much is in use; whether it has become so much less that the rest should go back.
    mutating func isPast(_ bytes: Int) -> Bool {
        guard peak >= Self.bytesMin, bytes <= peak / 4 else {
            peak = max(peak, bytes)
            return false
        }
        peak = bytes
        return true
    }
}
