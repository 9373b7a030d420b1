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
///
/// Invariant: `bytes` is the sum over the answers, and at most `bytesMax` after every call; `slotsByKey` names the slot
/// of every answer, and no other.
package final class AnswerCache: @unchecked Sendable {
    package static let bytesMax = 4 << 20
    /// How many slots an insertion looks through for answers that are over, which keep pages from being freed.
    private static let slotsSwept = 4

    private struct Slot {
        let key: AnswerKey
        let answer: FinishedAnswer
    }

    private let loop: EventLoop
    private let pages: ResultCache
    private let bytesMax: Int
    private var slotsByKey: [AnswerKey: Int] = [:]
    private var slots: [Slot?] = []
    private var freeSlots: [Int] = []
    private var order = SieveOrder()
    private var nextSwept = 0
    private var lastNumber: UInt64 = 0
    package private(set) var bytes = 0

    /// An empty cache; `pages` counts the pages in the answers that are given.
    package init(on loop: EventLoop, _ pages: ResultCache, bytesMax: Int = AnswerCache.bytesMax) {
        (self.loop, self.pages, self.bytesMax) = (loop, pages, bytesMax)
    }

    package var count: Int { slotsByKey.count }

    /// The answer to a search, which counts as used; nil when there is none, or it is no longer good.
    package func answer(to key: AnswerKey) -> FinishedAnswer? {
        guard let slot = slotsByKey[key], let answer = slots[slot]?.answer else { return nil }
        guard answer.use(at: loop.now) else {
            remove(slot)
            return nil
        }
        order.use(slot)
        // The pages live on this loop, too.
        pages.onLoop { $0.count(hits: answer.pageCount) }
        return answer
    }

    /// Keeps an answer that came from the cache alone.
    package func insert(_ answer: SearchAnswer, _ template: AnswerTemplate, for key: AnswerKey) {
        guard answer.isFromCache else { return }
        sweep()
        if let slot = slotsByKey[key] { remove(slot) }
        lastNumber += 1
        let finished = FinishedAnswer(number: lastNumber, answer, template)
        guard finished.bytes <= bytesMax else { return }
        while bytes + finished.bytes > bytesMax, let victim = order.victim() { remove(victim) }
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(nil) }
        slots[slot] = Slot(key: key, answer: finished)
        slotsByKey[key] = slot
        order.insert(slot)
        bytes += finished.bytes
    }

    private func sweep() {
        for _ in 0..<min(Self.slotsSwept, slots.count) {
            nextSwept = nextSwept + 1 < slots.count ? nextSwept + 1 : 0
            if slots[nextSwept]?.answer.isOver == true { remove(nextSwept) }
        }
    }

    private func remove(_ slot: Int) {
        guard let removed = slots[slot] else { return }
        slotsByKey[removed.key] = nil
        slots[slot] = nil
        freeSlots.append(slot)
        order.remove(slot)
        bytes -= removed.answer.bytes
    }
}
