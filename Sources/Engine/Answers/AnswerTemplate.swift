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

    /// Appends hits of a page; a run that goes on where the last one ended is one copy with it.
    package mutating func append(hit index: Int, of page: CachedPage) {
        segments.append(.hits(page: number(of: page), page.entries[index].range))
    }

    /// Appends a hit with the source's own document as its last member; without one, as it is.
    package mutating func append(hitWithRaw index: Int, of page: CachedPage) {
        let entry = page.entries[index]
        guard !entry.rawRange.isEmpty else { return append(hit: index, of: page) }
        let number = number(of: page)
        segments.append(.hits(page: number, entry.range.dropLast()))
        append(literal: ",\"raw\":".utf8)
        segments.append(.raw(page: number, entry.rawRange))
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

    /// Extends the last hits by the one that follows them in their page; false when it does not follow.
    mutating func extendHits(to index: Int, of page: CachedPage) -> Bool {
        guard case .hits(let number, let range) = segments.last, pages[number] === page,
            page.entries[index].range.lowerBound == range.upperBound + 1
        else { return false }
        segments[segments.count - 1] = .hits(page: number, range.lowerBound..<page.entries[index].range.upperBound)
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
