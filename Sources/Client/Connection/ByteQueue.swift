/// Bytes that wait to be written.
///
/// Invariant: `start` ≤ `storage.count`.
struct ByteQueue {
    private var storage: [UInt8] = []
    private var start = 0

    var count: Int { storage.count - start }
    var isEmpty: Bool { storage.count == start }

    mutating func append(_ bytes: some Collection<UInt8>) {
        storage.append(contentsOf: bytes)
    }

    /// The bytes at the front, at most `countMax`.
    func front(_ countMax: Int) -> ArraySlice<UInt8> {
        storage[start...].prefix(countMax)
    }

    /// Forgets the bytes at the front that have been written.
    ///
    /// - Complexity: O(1) on average over all bytes.
    mutating func drop(_ count: Int) {
        start += count
        if start == storage.count {
            removeAll()
        } else if start > storage.count / 2 {
            storage.removeFirst(start)
            start = 0
        }
    }

    mutating func removeAll() {
        storage.removeAll(keepingCapacity: true)
        start = 0
    }
}
