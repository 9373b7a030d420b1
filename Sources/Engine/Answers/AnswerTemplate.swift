package import EventLoop
package import JSON
import SearchModel

/// An answer's result as it can be given again and again: its bytes, with gaps for what differs each time.
///
/// The hits stay in their pages and are copied from there; only what is around them is held here.
package struct AnswerTemplate: Sendable {
    enum Segment: Sendable {
        case literal(Range<Int>)
        /// Hits that stand one after the other in a page.
        case hits(page: Int, Range<Int>)
        /// A source's own document of a page.
        case raw(page: Int, Range<Int>)
        /// The seconds since an instant, in tenths.
        case age(since: Instant)
        /// The milliseconds this answer has taken, in tenths.
        case elapsed
    }

    private(set) var segments: [Segment] = []
    private var literals: [UInt8] = []
    private var pages: [CachedPage] = []
    /// The most bytes that the segments other than literals take.
    private var otherBytesMax = 0

    package init() {}

    /// The most bytes the result takes.
    package var bytesMax: Int { literals.count + otherBytesMax }

    package mutating func append(literal bytes: some Collection<UInt8>) {
        let start = literals.count
        literals.append(contentsOf: bytes)
        if case .literal(let last) = segments.last {
            segments[segments.count - 1] = .literal(last.lowerBound..<literals.count)
        } else {
            segments.append(.literal(start..<literals.count))
        }
    }

    /// Appends a hit, with the other sources that have it, and with the source's own document as its last member if
    /// that is wanted and was kept.
    package mutating func append(_ hit: HitPosition, withRaw: Bool) {
        let entry = hit.entry
        let number = number(of: hit.page)
        let hasRaw = withRaw && !entry.rawRange.isEmpty
        guard hit.hasOthers || hasRaw else {
            appendHits(page: number, entry.range)
            return
        }
        appendHits(page: number, entry.range.dropLast())
        if hit.hasOthers {
            append(literal: ",\"alsoFrom\":".utf8)
            append(literal: Self.names(hit.alsoFrom))
        }
        if hasRaw {
            append(literal: ",\"raw\":".utf8)
            segments.append(.raw(page: number, entry.rawRange))
            otherBytesMax += entry.rawRange.count
        }
        append(literal: "}".utf8)
    }

    /// The other sources that have a hit, as a list.
    static func names(_ sources: [SourceName]) -> [UInt8] {
        var writer = JSONWriter()
        writer.array { writer in
            for source in sources { writer.string(source.text) }
        }
        return writer.bytes
    }

    private mutating func appendHits(page: Int, _ range: Range<Int>) {
        segments.append(.hits(page: page, range))
        otherBytesMax += range.count
    }

    private mutating func number(of page: CachedPage) -> Int {
        if let known = pages.lastIndex(where: { $0 === page }) { return known }
        pages.append(page)
        return pages.count - 1
    }

    mutating func appendAge(since instant: Instant) {
        segments.append(.age(since: instant))
        otherBytesMax += Decimal.bytesMax
    }

    mutating func appendElapsed() {
        segments.append(.elapsed)
        otherBytesMax += Decimal.bytesMax
    }

    /// Extends the last hits by one that follows them in their page and is to stand as it is; false when it does not.
    mutating func extendHits(to hit: HitPosition) -> Bool {
        guard !hit.hasOthers, case .hits(let number, let range) = segments.last, pages[number] === hit.page,
            hit.entry.range.lowerBound == range.upperBound + 1
        else { return false }
        segments[segments.count - 1] = .hits(page: number, range.lowerBound..<hit.entry.range.upperBound)
        otherBytesMax += hit.entry.range.upperBound - range.upperBound
        return true
    }

    /// Appends the result.
    package func write(to output: inout [UInt8], now: Instant, since start: Instant) {
        output.append(atMost: bytesMax) { write(to: &$0, now: now, since: start) }
    }

    /// The result by itself, as of now.
    package func bytes(at now: Instant) -> [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes, now: now, since: now)
        return bytes
    }

    /// Writes the result.
    ///
    /// - Complexity: a copy per segment.
    /// - Parameters:
    ///   - room: Has room for `bytesMax` bytes.
    ///   - now: When ages and the elapsed time are reckoned.
    ///   - start: When the request came.
    package func write(to room: inout ByteRoom, now: Instant, since start: Instant) {
        let segments = segments.span
        for index in segments.indices {
            switch segments[index] {
            case .literal(let range): room.copy(range, of: literals)
            case .hits(let page, let range): room.copy(range, of: pages[page].bytes)
            case .raw(let page, let range): room.copy(range, of: pages[page].raw)
            case .age(let since):
                Decimal.writeTenths(nanoseconds: since.nanoseconds(to: now), perSecond: 1, to: &room)
            case .elapsed: Decimal.writeTenths(nanoseconds: start.nanoseconds(to: now), perSecond: 1000, to: &room)
            }
        }
    }

    /// The bytes that are held here rather than in the cache's pages.
    package var bytesUsed: Int {
        literals.capacity + segments.capacity * MemoryLayout<Segment>.stride + pages.capacity * 8
    }
}

/// Numbers with one decimal, written without allocation.
enum Decimal {
    /// The most bytes one takes.
    static let bytesMax = ByteRoom.digitsMax + 2

    /// Nanoseconds in tenths of a unit of which a second holds `perSecond`, rounded down: `12.3`.
    static func writeTenths(nanoseconds: Int64, perSecond: Int64, to room: inout ByteRoom) {
        let tenths = max(0, nanoseconds) / (100_000_000 / perSecond)
        room.digits(of: tenths / 10)
        room.byte(UInt8(ascii: "."))
        room.digits(of: tenths % 10)
    }

    /// A duration in milliseconds.
    static func milliseconds(_ duration: Duration) -> [UInt8] {
        tenths(nanoseconds: duration.saturatingNanoseconds, perSecond: 1000)
    }

    static func tenths(nanoseconds: Int64, perSecond: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(atMost: bytesMax) { writeTenths(nanoseconds: nanoseconds, perSecond: perSecond, to: &$0) }
        return bytes
    }
}
