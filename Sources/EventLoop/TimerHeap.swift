/// A priority queue of timers: a binary heap, ordered by deadline and then by sequence.
struct TimerHeap<Action> {
    struct ID: Hashable, Sendable {
        fileprivate let sequence: UInt64
    }

    private struct Entry {
        let deadline: Instant
        let sequence: UInt64
        let action: Action

        func precedes(_ other: Entry) -> Bool {
            deadline == other.deadline ? sequence < other.sequence : deadline < other.deadline
        }
    }

    private var heap: [Entry] = []
    private var positions: [UInt64: Int] = [:]
    private var nextSequence: UInt64 = 0

    var isEmpty: Bool { heap.isEmpty }
    var count: Int { heap.count }
    var nextDeadline: Instant? { heap.first?.deadline }

    mutating func insert(deadline: Instant, action: Action) -> ID {
        let sequence = nextSequence
        nextSequence += 1
        heap.append(Entry(deadline: deadline, sequence: sequence, action: action))
        positions[sequence] = heap.count - 1
        moveUp(from: heap.count - 1)
        checkInvariants()
        return ID(sequence: sequence)
    }

    @discardableResult
    mutating func remove(_ id: ID) -> Action? {
        guard let position = positions[id.sequence] else { return nil }
        return remove(at: position)
    }

    mutating func popDue(at now: Instant) -> Action? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        return remove(at: 0)
    }

    private mutating func remove(at position: Int) -> Action {
        let entry = heap[position]
        positions[entry.sequence] = nil
        let last = heap.removeLast()
        if position < heap.count {
            heap[position] = last
            positions[last.sequence] = position
            moveDown(from: position)
            moveUp(from: position)
        }
        checkInvariants()
        return entry.action
    }

    private mutating func moveUp(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { return }
            swap(child, parent)
            child = parent
        }
    }

    private mutating func moveDown(from start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].precedes(heap[least]) {
                least = child
            }
            guard least != parent else { return }
            swap(parent, least)
            parent = least
        }
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        positions[heap[left].sequence] = left
        positions[heap[right].sequence] = right
    }

    private func checkInvariants() {
        assert(positions.count == heap.count)
        assert(heap.first.map { positions[$0.sequence] == 0 } ?? true)
    }
}

package struct Timer: Hashable, Sendable {
    let id: TimerHeap<@Sendable () -> Void>.ID
}
