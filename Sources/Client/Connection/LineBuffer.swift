/// Cuts what the daemon sends into lines; pure.
///
/// Invariant: no line feed stands in `storage[start..<scanned]`.
package struct LineBuffer {
    private let bytesMax: Int
    private var storage: [UInt8] = []
    private var start = 0
    private var scanned = 0

    /// - Parameter bytesMax: The longest line, without its end.
    package init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// Whether a line has begun and not ended.
    package var hasUnfinishedLine: Bool { start < storage.count }

    package mutating func append(_ bytes: some Collection<UInt8>) {
        if start > storage.count / 2 {
            storage.removeFirst(start)
            scanned -= start
            start = 0
        }
        storage.append(contentsOf: bytes)
    }

    /// The next complete line without its end; nil when there is none yet.
    ///
    /// Empty lines are passed over.
    ///
    /// - Complexity: O(n) over all bytes ever appended.
    /// - Throws: When a line, finished or not, is longer than allowed.
    package mutating func next() throws(ClientError) -> [UInt8]? {
        while let end = storage[scanned...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = storage[start..<end]
            start = end + 1
            scanned = start
            let trimmed = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if trimmed.count > bytesMax { throw tooLong }
            if !trimmed.isEmpty { return Array(trimmed) }
        }
        scanned = storage.count
        if storage.count - start > bytesMax + 1 { throw tooLong }
        return nil
    }

    private var tooLong: ClientError {
        ClientError(.protocolViolated, "the daemon sent a line of more than \(bytesMax) bytes")
    }
}
