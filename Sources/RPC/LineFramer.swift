import Glibc

/// Splits received bytes into lines.
///
/// Copies only incomplete lines, and the lines that remain when the visitor returns `.pause`.
package struct LineFramer: Sendable {
    package static let lineBytesMax = 1 << 20

    package enum VisitResult: Sendable {
        case more
        /// The framer visits no further lines until `resume` is called.
        case pause
    }

    /// Receives a line without its line end, or nil if the line is too long.
    ///
    /// The buffer is valid only during the call.
    package typealias Visitor = (UnsafeRawBufferPointer?) -> VisitResult

    private var pending: [UInt8] = []
    private var scanned = 0
    private var skipsToLineEnd = false

    package init() {}

    package var isEmpty: Bool { pending.isEmpty }

    package var isInLine: Bool { !pending.isEmpty || skipsToLineEnd }

    package var pendingBytes: Int { pending.count }

    package var bytesHeld: Int { pending.capacity }

    /// - Complexity: O(n) in the size of the chunk, even if a line has many chunks.
    package mutating func consume(_ chunk: UnsafeRawBufferPointer, visit: Visitor) {
        guard pending.isEmpty else {
            makeRoom(for: chunk.count)
            unsafe pending.append(contentsOf: chunk)
            unsafe resume(visit: visit)
            return
        }
        let rest = unsafe scan(chunk, from: 0, visit: visit)
        if rest.start < chunk.count {
            unsafe pending.append(contentsOf: chunk[rest.start...])
            scanned = rest.scanned - rest.start
        }
    }

    /// Reserves a quarter more than needed, because otherwise the array would double its capacity.
    private mutating func makeRoom(for count: Int) {
        let needed = pending.count + count
        if needed > pending.capacity { pending.reserveCapacity(needed + needed / 4) }
    }

    package mutating func resume(visit: Visitor) {
        guard !pending.isEmpty else { return }
        // The bytes are moved out of `pending` during the visits, so the visitor's buffer cannot change.
        var bytes: [UInt8] = []
        swap(&bytes, &pending)
        let from = scanned
        // The pointer is used only during the call.
        let rest = unsafe bytes.withUnsafeBytes { unsafe scan($0, from: from, visit: visit) }
        if rest.start >= bytes.count {
            scanned = 0
            return
        }
        // The rest is copied to free the memory of the visited lines.
        pending = rest.start > 0 ? Array(bytes[rest.start...]) : bytes
        scanned = rest.scanned - rest.start
    }

    package mutating func finish(visit: Visitor) {
        guard !pending.isEmpty || skipsToLineEnd else { return }
        let newline: [UInt8] = [UInt8(ascii: "\n")]
        unsafe newline.withUnsafeBytes { unsafe consume($0, visit: visit) }
    }

    private mutating func scan(
        _ bytes: UnsafeRawBufferPointer,
        from: Int,
        visit: Visitor
    ) -> (start: Int, scanned: Int) {
        var start = 0
        var search = from
        while let end = unsafe Self.lineFeed(in: bytes, from: search) {
            let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            start = end + 1
            search = start
            if unsafe deliver(line, visit) == .pause { return (start, start) }
        }
        let unfinished = bytes.count - start
        if skipsToLineEnd { return (bytes.count, bytes.count) }
        if unfinished > Self.lineBytesMax + 1 {
            skipsToLineEnd = true
            _ = visit(nil)
            return (bytes.count, bytes.count)
        }
        return (start, bytes.count)
    }

    private mutating func deliver(_ line: UnsafeRawBufferPointer, _ visit: Visitor) -> VisitResult {
        if skipsToLineEnd {
            skipsToLineEnd = false
            return .more
        }
        let hasReturn = unsafe line.last == UInt8(ascii: "\r")
        let trimmed = unsafe hasReturn ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
        if trimmed.count > Self.lineBytesMax { return visit(nil) }
        return unsafe trimmed.isEmpty ? .more : visit(trimmed)
    }

    private static func lineFeed(in bytes: UnsafeRawBufferPointer, from: Int) -> Int? {
        guard from < bytes.count, let base = bytes.baseAddress else { return nil }
        // memchr reads only within the buffer, from `from` to its end.
        guard let found = unsafe memchr(base + from, 10, bytes.count - from) else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }
}
