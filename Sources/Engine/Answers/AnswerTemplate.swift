package import EventLoop

/// An answer's result as it can be given again and again: its bytes, with places for what differs each time.
///
/// The hits stay in their pages and are copied from there; only what is around them is held here.
package struct AnswerTemplate: Sendable {
    package enum Segment: Sendable {
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

    package private(set) var segments: [Segment] = []
    private var literals: [UInt8] = []
    private var pages: [CachedPage] = []

    package init() {}

    package mutating func append(literal bytes: some Collection<UInt8>) {
        let start = literals.count
        literals.append(contentsOf: bytes)
        if case .literal(let last) = segments.last {
            segments[segments.count - 1] = .literal(last.lowerBound..<literals.count)
        } else {
            segments.append(.literal(start..<literals.count))
        }
    }

    /// Appends a hit, with the other sources that have it, and with the source's own document as its last member if that
    /// is wanted and was kept.
    package mutating func append(_ hit: HitPlace, withRaw: Bool) {
        let entry = hit.entry
        let number = number(of: hit.page)
        let hasRaw = withRaw && !entry.rawRange.isEmpty
        guard !hit.duplicates.isEmpty || hasRaw else {
            segments.append(.hits(page: number, entry.range))
            return
        }
        segments.append(.hits(page: number, entry.range.dropLast()))
        if !hit.duplicates.isEmpty { append(literal: HitBytes.alsoFrom(hit.duplicates)) }
        if hasRaw {
            append(literal: ",\"raw\":".utf8)
            segments.append(.raw(page: number, entry.rawRange))
        }
        append(literal: "}".utf8)
    }

    private mutating func number(of page: CachedPage) -> Int {
        if let known = pages.lastIndex(where: { $0 === page }) { return known }
        pages.append(page)
        return pages.count - 1
    }

    package mutating func appendAge(since instant: Instant) {
        segments.append(.age(since: instant))
    }

    package mutating func appendElapsed() {
        segments.append(.elapsed)
    }

    /// Extends the last hits by one that follows them in their page and is to stand as it is; false when it does not.
    mutating func extendHits(to hit: HitPlace) -> Bool {
        guard hit.duplicates.isEmpty, case .hits(let number, let range) = segments.last, pages[number] === hit.page,
            hit.entry.range.lowerBound == range.upperBound + 1
        else { return false }
        segments[segments.count - 1] = .hits(page: number, range.lowerBound..<hit.entry.range.upperBound)
        return true
    }

    /// Writes the result.
    ///
    /// - Complexity: a copy per segment.
    package func write(to output: inout [UInt8], now: Instant, since start: Instant) {
        for segment in segments {
            switch segment {
            case .literal(let range): Self.copy(literals, range, to: &output)
            case .hits(let page, let range): Self.copy(pages[page].bytes, range, to: &output)
            case .raw(let page, let range): Self.copy(pages[page].raw, range, to: &output)
            case .age(let since):
                Decimal.appendTenths(nanoseconds: since.nanoseconds(to: now), perSecond: 1, to: &output)
            case .elapsed: Decimal.appendTenths(nanoseconds: start.nanoseconds(to: now), perSecond: 1000, to: &output)
            }
        }
    }

    /// The bytes that are held here rather than in the cache's pages.
    package var bytesUsed: Int {
        literals.capacity + segments.capacity * MemoryLayout<Segment>.stride + pages.capacity * 8
    }

    private static func copy(_ bytes: [UInt8], _ range: Range<Int>, to output: inout [UInt8]) {
        // The slice of the buffer ends before the closure does.
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[range]))
        }
    }
}
