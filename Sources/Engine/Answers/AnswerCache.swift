import Catalogue
package import EventLoop
import JSON
import SearchModel

/// The parts of a request that determine its answer.
package struct AnswerKey: Hashable, Sendable {
    package struct LibraryVersion: Hashable, Sendable {
        let userID: UInt32
        let revision: UInt64

        package init(userID: UInt32, revision: UInt64) {
            (self.userID, self.revision) = (userID, revision)
        }
    }

    private struct Asked: Hashable {
        let name: SourceName
        let edition: UInt32
    }

    private let query: SearchQuery
    private let sources: [Asked]
    private let options: [SourceName: [Option]]
    private let sort: Sort
    private let offset: Int
    private let limit: Int
    private let cursor: Cursor?
    private let filter: HitFilter?
    private let raw: Bool
    private let maxAge: Duration?
    /// Set if the answer marks the hits that the user has saved.
    private let viewer: LibraryVersion?

    package init?(_ request: SearchRequest, viewer: LibraryVersion?) {
        // The key ignores timeout, priority and `maxCalls`, because only answers that needed no call are stored.
        guard !request.isLocal, !request.isPrivate, !request.explain, request.typed == nil else { return nil }
        guard !request.sources.contains(where: { $0.own != nil }) else { return nil }
        query = request.query
        sources = request.sources.map { Asked(name: $0.name, edition: $0.edition) }
        options = request.options
        sort = request.sort
        offset = request.offset
        limit = request.limit
        cursor = request.cursor
        filter = request.filter
        raw = request.raw
        maxAge = request.maxAge
        self.viewer = viewer
    }
}

/// An answer that needed no call, kept for equal requests.
package final class FinishedAnswer: Sendable {
    package let number: UInt64
    package let template: AnswerTemplate
    fileprivate let answer: SearchAnswer

    package var hits: [HitPosition] { answer.hits }
    var sources: [SourceReport] { answer.sources }

    fileprivate init(number: UInt64, _ answer: SearchAnswer, _ template: AnswerTemplate) {
        (self.number, self.answer, self.template) = (number, answer, template)
    }

    fileprivate var bytes: Int {
        1024 + template.bytesUsed + hits.count * MemoryLayout<HitPosition>.stride
            + sources.count * MemoryLayout<SourceReport>.stride
    }

    /// Marks all pages as used; returns false if the answer is no longer valid.
    fileprivate func use(at now: Instant) -> Bool {
        var isGood = now < answer.validUntil
        for token in answer.validity where !token.use() { isGood = false }
        return isGood
    }
}

/// A cache of finished answers; `@unchecked` is safe because only the loop uses the cache.
package final class AnswerCache: @unchecked Sendable {
    package static let bytesMax = 16 << 20
    /// After this many insertions, invalid answers are removed, because they keep pages in memory.
    private static let sweepAfter = 256

    private let loop: EventLoop
    private let pages: ResultCache
    private let bytesMax: Int
    private var answers = SieveCache<AnswerKey, FinishedAnswer>()
    private var lastNumber: UInt64 = 0

    package init(on loop: EventLoop, _ pages: ResultCache, bytesMax: Int = AnswerCache.bytesMax) {
        (self.loop, self.pages, self.bytesMax) = (loop, pages, bytesMax)
    }

    package var count: Int { answers.count }
    package var bytes: Int { answers.bytes }

    package func answer(to key: AnswerKey) -> FinishedAnswer? {
        guard let finished = answers.value(key) else { return nil }
        guard finished.use(at: loop.now) else {
            answers.remove(key)
            return nil
        }
        pages.onLoop { $0.count(hits: finished.answer.pageCount) }
        return finished
    }

    package func insert(_ answer: SearchAnswer, _ template: AnswerTemplate, for key: AnswerKey) {
        guard answer.isFromCache else { return }
        lastNumber += 1
        if lastNumber.isMultiple(of: UInt64(Self.sweepAfter)) {
            answers.removeAll { $0.answer.validity.contains(where: \.isEnded) }
        }
        let finished = FinishedAnswer(number: lastNumber, answer, template)
        answers.remove(key)
        guard finished.bytes <= bytesMax else { return }
        while answers.bytes + finished.bytes > bytesMax, answers.evict() != nil {}
        answers.insert(finished, under: key, cost: finished.bytes)
    }
}
