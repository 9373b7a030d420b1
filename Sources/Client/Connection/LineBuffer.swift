/// Splits bytes into lines.
package struct LineBuffer {
    private let bytesMax: Int
    private var queue = ByteQueue()
    /// The first `scanned` bytes contain no line feed.
    private var scanned = 0

    package init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    package mutating func append(_ bytes: some Collection<UInt8>) { queue.append(bytes) }

    package mutating func next() throws(ClientError) -> [UInt8]? {
        while let length = queue.firstIndex(of: UInt8(ascii: "\n"), from: scanned) {
            let line = queue.front(length)
            let trimmed = Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
            queue.drop(length + 1)
            scanned = 0
            if trimmed.count > bytesMax { throw tooLong }
            if !trimmed.isEmpty { return trimmed }
        }
        scanned = queue.count
        if queue.count > bytesMax + 1 { throw tooLong }
        return nil
    }

    private var tooLong: ClientError {
        ClientError(.protocolViolated, "received a line of more than \(bytesMax) bytes")
    }
}

struct ByteQueue {
    private var storage: [UInt8] = []
    private var start = 0

    var count: Int { storage.count - start }
    var isEmpty: Bool { storage.count == start }

    mutating func append(_ bytes: some Collection<UInt8>) {
        storage.append(contentsOf: bytes)
    }

    func front(_ countMax: Int) -> ArraySlice<UInt8> {
        storage[start...].prefix(countMax)
    }

    func firstIndex(of byte: UInt8, from offset: Int) -> Int? {
        storage[(start + offset)...].firstIndex(of: byte).map { $0 - start }
    }

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
