import EventLoop
import SearchModel
import Upstream

/// How calls for pages would fare, and which sources are to be left out.
struct LoadingPlan {
    var outlooks: [SourceName: CallOutlook] = [:]
    var skips: [SourceName: Skip] = [:]
}

/// The pages that a search is getting: which are yet to be asked for, and which are under way.
///
/// Confined to its search.
struct Loading {
    let arrivals = PageEventQueue()
    private(set) var plan: LoadingPlan
    private(set) var patience: Patience
    /// Wakes the search when it has waited long enough.
    var timer: Timer?
    private var starting: ArraySlice<PageNeed>
    private var asked: Set<PageKey> = []
    private var underWay = 0

    init(_ needs: [PageNeed], _ plan: LoadingPlan, at now: Instant) {
        starting = needs[...]
        self.plan = plan
        patience = Patience(at: now)
    }

    /// Whether there are pages to ask for.
    var hasMore: Bool { !starting.isEmpty }
    /// Whether pages are still to come.
    var isUnderWay: Bool { underWay > 0 || hasMore }

    func wasAsked(_ key: PageKey) -> Bool { asked.contains(key) }

    mutating func add(_ needs: [PageNeed], _ plan: LoadingPlan) {
        starting += needs
        self.plan.outlooks.merge(plan.outlooks) { _, latest in latest }
        self.plan.skips.merge(plan.skips) { _, latest in latest }
    }

    mutating func startsNoMore() {
        starting = []
    }

    /// The next page to ask for; nil when there is none, or it has been asked for.
    mutating func next(at now: Instant) -> PageNeed? {
        guard let need = starting.popFirst(), asked.insert(need.key).inserted else { return nil }
        underWay += 1
        patience.began(need, plan.outlooks[need.source], at: now)
        return need
    }

    mutating func ended(_ key: PageKey, at now: Instant) {
        underWay -= 1
        patience.ended(key, at: now)
    }
}
