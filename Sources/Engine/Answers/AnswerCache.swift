import Catalogue
package import EventLoop
import JSON
package import SearchModel

/// What two searches have in common whose answers are the same: the request as it was understood and, when the answer
/// shows what a user has saved, the user and the state of that.
package struct AnswerKey: Hashable, Sendable {
    /// Whose marks an answer shows.
    package struct Viewer: Hashable, Sendable {
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
    private let viewer: Viewer?

    /// Nil for a search whose answer is never kept.
    package init?(_ request: SearchRequest, viewer: Viewer?) {
        // An answer from the cache alone does not depend on the time, the calls or the turn that a search may have.
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

/// An answer that is given again while all that it was built from is good.
package final class FinishedAnswer: Sendable {
    /// Distinguishes it from all others.
    package let number: UInt64
    package let template: AnswerTemplate
    package let hits: [HitPosition]
    private let validity: [ValidityToken]
    private let validUntil: Instant
    let pageCount: Int
    let counted: SearchFigures

    init(number: UInt64, _ answer: SearchAnswer, _ template: AnswerTemplate) {
        self.number = number
        self.template = template
        (hits, counted) = (answer.hits, answer.counted)
        (validity, validUntil, pageCount) = (answer.validity, answer.validUntil, answer.pageCount)
    }

    var bytes: Int {
        template.bytesUsed + hits.count * MemoryLayout<HitPosition>.stride + validity.count * 8 + 512
    }

    /// Whether it will never be good again.
    var isOver: Bool { validity.contains(where: \.isEnded) }

    /// Notes a use of all it was built from; false when it is no longer good.
    func use(at now: Instant) -> Bool {
        var isGood = now < validUntil
        for token in validity where !token.use() { isGood = false }
        return isGood
    }
}

/// The finished answers to searches, found by what was asked; the least used are evicted first.
///
/// `@unchecked Sendable` so that methods may hold it: confined to the loop.
package final class AnswerCache: @unchecked Sendable {
    package static let bytesMax = 4 << 20
    /// An answer that is over keeps pages from being freed: all are looked through after so many insertions.
    private static let sweepAfter = 256

    private let loop: EventLoop
    private let pages: ResultCache
    private let bytesMax: Int
    private var answers = SieveCache<AnswerKey, FinishedAnswer>()
    private var lastNumber: UInt64 = 0

    /// An empty cache; `pages` counts the pages in the answers that are given.
    package init(on loop: EventLoop, _ pages: ResultCache, bytesMax: Int = AnswerCache.bytesMax) {
        (self.loop, self.pages, self.bytesMax) = (loop, pages, bytesMax)
    }

    package var count: Int { answers.count }
    package var bytes: Int { answers.bytes }

    /// The answer to a search, which counts as used; nil when there is none, or it is no longer good.
    package func answer(to key: AnswerKey) -> FinishedAnswer? {
        guard let answer = answers.value(key) else { return nil }
        guard answer.use(at: loop.now) else {
            answers.remove(key)
            return nil
        }
        // The pages live on this loop, too.
        pages.onLoop { $0.count(hits: answer.pageCount) }
        return answer
    }

    /// Keeps an answer that came from the cache alone.
    package func insert(_ answer: SearchAnswer, _ template: AnswerTemplate, for key: AnswerKey) {
        guard answer.isFromCache else { return }
        answers.remove(key)
        lastNumber += 1
        if lastNumber.isMultiple(of: UInt64(Self.sweepAfter)) {
            for key in answers.keys.filter({ answers.peek($0)?.isOver == true }) { answers.remove(key) }
        }
        let finished = FinishedAnswer(number: lastNumber, answer, template)
        guard finished.bytes <= bytesMax else { return }
        while answers.bytes + finished.bytes > bytesMax, answers.evict() != nil {}
        answers.insert(finished, under: key, cost: finished.bytes)
    }
}
