/// A descriptor watched by a loop.
package struct Watch: Hashable, Sendable {
    package let descriptor: Int32
    /// The slot in the low half, its generation in the high half.
    let token: UInt64
}

/// The handlers of watched descriptors, found by the token that the poller reports.
///
/// A slot is used again with the next generation, so an event of a watch that has ended meets no handler, even when
/// the descriptor's number was given out anew within the same turn.
struct WatchTable {
    typealias Handler = @Sendable (Readiness) -> Void

    private struct Slot {
        var generation: UInt32
        var handler: Handler?
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []

    var count: Int { slots.count - free.count }

    mutating func insert(_ descriptor: Int32, _ handler: @escaping Handler) -> Watch {
        let index: UInt32
        if let reused = free.popLast() {
            index = reused
            slots[Int(index)].handler = handler
        } else {
            index = UInt32(slots.count)
            slots.append(Slot(generation: 0, handler: handler))
        }
        return Watch(descriptor: descriptor, token: UInt64(slots[Int(index)].generation) << 32 | UInt64(index))
    }

    /// False when the watch had ended before.
    @discardableResult
    mutating func remove(_ watch: Watch) -> Bool {
        guard handler(for: watch.token) != nil else { return false }
        let index = Int(UInt32(truncatingIfNeeded: watch.token))
        slots[index].handler = nil
        slots[index].generation &+= 1
        free.append(UInt32(index))
        return true
    }

    func handler(for token: UInt64) -> Handler? {
        let index = Int(UInt32(truncatingIfNeeded: token))
        guard index < slots.count, slots[index].generation == UInt32(token >> 32) else { return nil }
        return slots[index].handler
    }
}
