import Glibc

/// Splits received bytes into lines.
///
/// Lines within one chunk are passed in place; an unfinished line and lines after a pause are copied and kept.
///
/// Invariant: `scanned` bytes of `pending` hold no line feed unless the visitor paused; between calls an unfinished
/// line holds at most `lineBytesMax` bytes and its carriage return.
package struct LineFramer: Sendable {
    /// The longest line, without its line feed and carriage return.
    package static let lineBytesMax = 1 << 20

    /// The wish of a visitor after a line.
    package enum Demand: Sendable {
        case more
        /// Keep the rest until `resume`.
        case pause
    }

    /// Called with each line, without its end and never empty, valid during the visit only.
    ///
    /// Nil means a line over the limit: passed once, when the line exceeds it; the rest is skipped.
    package typealias Visitor = (UnsafeRawBufferPointer?) -> Demand

    private var pending: [UInt8] = []
    private var scanned = 0
    private var skipsToLineEnd = false

    package init() {}

    /// Whether bytes wait here, for their line's end or for `resume`.
    package var isEmpty: Bool { pending.isEmpty }

    /// Whether a line has begun and not ended.
    package var isInLine: Bool { !pending.isEmpty || skipsToLineEnd }

    package var pendingBytes: Int { pending.count }

    /// The memory that they take.
    package var bytesHeld: Int { pending.capacity }

    /// Takes the next chunk and visits each line it completes.
    ///
    /// - Complexity: O(n) in the chunk, however the lines are cut into chunks.
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

    /// Grows by a quarter where an array would by as much again.
    private mutating func makeRoom(for count: Int) {
        let needed = pending.count + count
        if needed > pending.capacity { pending.reserveCapacity(needed + needed / 4) }
    }

    /// Continues after a pause.
    package mutating func resume(visit: Visitor) {
        guard !pending.isEmpty else { return }
        // Taken out for the while, so that the buffer the visitor reads can't change under it.
        var bytes: [UInt8] = []
        swap(&bytes, &pending)
        let from = scanned
        // The pointer is valid during the call only, as the visitor's documentation says.
        let rest = unsafe bytes.withUnsafeBytes { unsafe scan($0, from: from, visit: visit) }
        if rest.start >= bytes.count {
            scanned = 0
            return
        }
        // A client that sends long lines slowly makes it hold no more memory than they take.
        pending = rest.start > 0 ? Array(bytes[rest.start...]) : bytes
        scanned = rest.scanned - rest.start
    }

    /// The end of the input: an unfinished last line counts as a line.
    package mutating func finish(visit: Visitor) {
        guard !pending.isEmpty || skipsToLineEnd else { return }
        let newline: [UInt8] = [UInt8(ascii: "\n")]
        unsafe newline.withUnsafeBytes { unsafe consume($0, visit: visit) }
    }

    /// Visits the lines of a buffer; where its unvisited rest starts, and up to where that was searched.
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

    private mutating func deliver(_ line: UnsafeRawBufferPointer, _ visit: Visitor) -> Demand {
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
        // memchr reads within the buffer: `from` is inside it and the length is what follows.
        guard let found = unsafe memchr(base + from, 10, bytes.count - from) else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }
}
