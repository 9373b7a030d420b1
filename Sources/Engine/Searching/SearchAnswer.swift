package import EventLoop
package import SearchModel

/// A search's answer before it is written: places of hits and what became of each source.
package struct SearchAnswer: Sendable {
    package var query: SearchQuery
    package var sort: Sort
    package var hits: [HitPosition]
    package var sources: [SourceReport]
    package var next: Cursor?
    package var startedAt: Instant
    package var finishedAt: Instant
    /// All that the answer is built from; while none has ended and it is not `validUntil`, it may be given again.
    package var leases: [ValidityToken]
    /// How many pages it is built from.
    package var pageCount = 0
    package var validUntil: Instant
    package var trace: [TraceEvent]?

    package var isComplete: Bool { sources.allSatisfy { $0.status == .ok } }

    /// Whether it came from the cache alone, so that the next asker may have the very same.
    package var isFromCache: Bool { sources.allSatisfy { $0.status == .ok && $0.cache == .hit } }
}
