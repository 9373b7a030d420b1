import EventLoop
import RPC

/// What a connection has yet to send: bytes, and answers that are written only when there is room for them.
///
/// Pure.
///
/// Invariant: `unsentBytes` is what the chunks from `firstChunk` on hold, the first of them from `start` on; while
/// `waiting` has items, new ones queue behind.
struct Outbox {
    /// The unsent bytes at which streams pause, answers wait and reading stops.
    static let bytesMax = 1 << 20
    /// How long a reader may take nothing before it is dropped.
    static let stallMax = Duration.seconds(30)
    /// The same while memory is short.
    static let stallMaxUnderPressure = Duration.seconds(2)

    /// Something to write once there is room.
    enum Item {
        case answer(RequestID, Reply)
        case notice(RequestID, StreamNotice)
        case text([UInt8])

        /// The most bytes it will take when it is written.
        var bytesMax: Int {
            switch self {
            case .answer(_, let reply): reply.bytesMax + WireLine.envelopeBytes
            case .notice(_, let notice): notice.bytesMax
            case .text(let bytes): bytes.count
            }
        }

        func write(to output: inout [UInt8], now: Instant) {
            switch self {
            case .answer(let id, let reply): WireLine.write(reply, to: id, into: &output, at: now)
            case .notice(let id, let notice): output.append(contentsOf: WireLine.notice(notice, of: id, at: now))
            case .text(let bytes): output.append(contentsOf: bytes)
            }
        }
    }

    /// A chunk is made no larger than this for what is small.
    private static let chunkBytes = 64 << 10
    /// So many chunks that have been sent are kept before the array is moved up.
    private static let sentChunksMax = 64

    /// In chunks, since one array would take up to twice its bytes while it grows.
    private var chunks: [[UInt8]] = []
    private var firstChunk = 0
    private var start = 0
    private(set) var unsentBytes = 0
    private var waiting: [Item] = []
    private var firstWaiting = 0
    /// Of the items that wait, once they are written.
    private(set) var waitingBytes = 0
    /// When the reader last took something, or the first byte was refused.
    private(set) var progressAt = Instant(nanoseconds: 0)

    var isEmpty: Bool { unsentBytes == 0 && !hasWaiting }
    var hasWaiting: Bool { firstWaiting < waiting.count }

    /// Keeps what the socket did not take.
    mutating func append(_ rest: UnsafeRawBufferPointer, now: Instant) {
        if unsentBytes == 0 { progressAt = now }
        if chunks.last.map({ $0.capacity - $0.count < rest.count }) ?? true {
            var chunk: [UInt8] = []
            chunk.reserveCapacity(max(rest.count, min(unsentBytes, Self.chunkBytes)))
            chunks.append(chunk)
        }
        unsafe chunks[chunks.count - 1].append(contentsOf: rest)
        unsentBytes += rest.count
    }

    mutating func wait(_ item: Item) {
        waiting.append(item)
        waitingBytes += item.bytesMax
    }

    /// The next item, when there is room for it.
    mutating func nextItem(limit: Int) -> Item? {
        guard hasWaiting, unsentBytes < limit else { return nil }
        let item = waiting[firstWaiting]
        waiting[firstWaiting] = .text([])
        waitingBytes -= item.bytesMax
        firstWaiting += 1
        if firstWaiting == waiting.count {
            waiting = []
            firstWaiting = 0
        }
        return item
    }

    /// Runs a body over the first of the unsent bytes, as many as lie together.
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
    mutating func sent(_ count: Int, now: Instant) {
        start += count
        unsentBytes -= count
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

    /// When the reader is dropped unless it takes something.
    var stallDeadline: Instant { progressAt.advanced(by: Self.stallMax) }

    /// Whether a reader has taken nothing for so long that it is dropped while memory is short.
    func isStalledUnderPressure(at now: Instant) -> Bool {
        unsentBytes > 0 && progressAt.advanced(by: Self.stallMaxUnderPressure) <= now
    }
}
