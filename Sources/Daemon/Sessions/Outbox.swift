import EventLoop

/// The bytes that a connection has yet to send.
///
/// Pure.
///
/// Invariant: `count` is what the chunks from `firstChunk` on hold, the first of them from `start` on.
struct Outbox {
    /// A chunk is made no larger than this for what is small.
    private static let chunkBytes = 64 << 10
    /// So many chunks that have been sent are kept before the array is moved up.
    private static let sentChunksMax = 64

    /// In chunks, since one array would take up to twice its bytes while it grows.
    private var chunks: [[UInt8]] = []
    private var firstChunk = 0
    private var start = 0
    private(set) var count = 0
    /// When the reader last took something, or the first byte was refused.
    private var progressAt = Instant(nanoseconds: 0)

    var isEmpty: Bool { count == 0 }

    /// When the reader is dropped unless it takes something; nil while nothing is due to it.
    var deadline: Instant? { isEmpty ? nil : progressAt.advanced(by: SessionLimits.progress) }

    /// Keeps what the socket did not take.
    mutating func append(_ rest: UnsafeRawBufferPointer, now: Instant) {
        if isEmpty { progressAt = now }
        if chunks.last.map({ $0.capacity - $0.count < rest.count }) ?? true {
            var chunk: [UInt8] = []
            chunk.reserveCapacity(max(rest.count, min(count, Self.chunkBytes)))
            chunks.append(chunk)
        }
        unsafe chunks[chunks.count - 1].append(contentsOf: rest)
        count += rest.count
    }

    /// Runs a body over the first of the unsent bytes, as many as are in one piece.
    func withUnsent<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = start
        let chunk = firstChunk < chunks.count ? chunks[firstChunk] : []
        // The slice lives as long as the span of the array, through the call.
        return try unsafe chunk.span.bytes.withUnsafeBytes { (buffer) throws(Failure) in
            try unsafe body(UnsafeRawBufferPointer(rebasing: buffer[start...]))
        }
    }

    /// Notes that the reader took some of the bytes that were lent.
    mutating func sent(_ sent: Int, now: Instant) {
        start += sent
        count -= sent
        progressAt = now
        guard start == chunks[firstChunk].count else { return }
        chunks[firstChunk] = []
        firstChunk += 1
        start = 0
        if firstChunk == chunks.count || firstChunk > Self.sentChunksMax {
            chunks.removeFirst(firstChunk)
            firstChunk = 0
        }
    }
}
