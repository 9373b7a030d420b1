import Client
import JSON
import RPC
import SearchModel

/// The hits of a search, or the items of the library, with what is known of all of them; pure.
struct ResultPane {
    var list = HitList()
    /// Where the list goes on; nil at its end.
    private(set) var next: String?
    private(set) var totals = HitTotals()
    private(set) var didYouMean: [String] = []
    /// Why there is no list.
    private(set) var failure: ClientError?
    private(set) var isUnderWay = false
    /// Whether what is under way goes on with this list.
    private(set) var isContinued = false
    /// Whether a whole answer has come.
    private(set) var isAnswered = false

    mutating func begin() {
        list.begin()
        (next, failure, didYouMean, isUnderWay, isContinued) = (nil, nil, [], true, false)
        totals = HitTotals()
    }

    mutating func beginMore() {
        list.beginMore()
        (isUnderWay, isContinued) = (true, true)
    }

    /// Takes the final answer of a search.
    mutating func finish(_ result: JSONCursor, _ report: SearchReport, isMore: Bool) {
        (isUnderWay, isAnswered) = (false, true)
        list.received(result[.hits]?.elements ?? [])
        next = report.next
        if !isMore {
            totals = HitTotals(result)
            didYouMean = report.didYouMean
        }
        // Nothing was asked yet for a syllable that is still being typed.
        let isUnfinished = report.sources.contains { $0.reason == .unfinished }
        if isUnfinished, list.isStale {
            isAnswered = false
            return
        }
        list.finish(order: report.order)
    }

    /// The same list, asked for again: what is selected stays so where it is still there.
    mutating func renew(_ items: [HitList.Item], next: String?) {
        isUnderWay = false
        self.next = next
        list.replace(items)
    }

    /// Takes an answer of the library: all of the list, or what follows.
    mutating func finish(library result: JSONCursor, isMore: Bool) {
        (isUnderWay, isAnswered) = (false, true)
        next = result[.next]?.string
        let items = LibraryQuestion.items(result)
        if isMore { list.received(items) } else { list.replace(items) }
    }

    mutating func fail(_ error: ClientError, isMore: Bool) {
        (isUnderWay, isAnswered) = (false, true)
        next = nil
        guard !isMore else { return }
        failure = error
        list.clear()
    }

    mutating func clear() { self = ResultPane() }

    /// Whether the list has to be continued so that the next pages are there when they are scrolled to.
    func needsMore(ahead: Int) -> Bool {
        next != nil && !isUnderWay && !list.isStale && !list.isFull && list.selected + ahead >= list.items.count
    }

    var cursor: String? { next }

    /// What stands on the screen instead of a list; nil when there is one, or will be.
    func explanation(query: String) -> [String]? {
        guard list.items.isEmpty else { return nil }
        if let failure {
            let help = "Ctrl-O searches what is on this machine: the cache, what you saved and saw. L is your library."
            return [failure.message, failure.isOffline ? help : failure.hint ?? ""].filter { !$0.isEmpty }
                .map(VisibleText.visible)
        }
        guard isAnswered, !isUnderWay else { return nil }
        let guesses = didYouMean.prefix(3).map(VisibleText.visible).joined(separator: ", ")
        return ["Nothing found for “\(VisibleText.visible(query))”."]
            + (guesses.isEmpty ? [] : ["Did you mean: \(guesses)? (→ takes the first)"])
    }
}

/// What was searched before, for the arrow keys; pure.
struct QueryHistory {
    static let countMax = 500

    /// The latest first.
    private(set) var queries: [String] = []
    /// Which of them is in the field; nil for what is being typed.
    private var index: Int?
    private var draft = ""

    mutating func replace(_ queries: [String]) { self.queries = Array(queries.prefix(Self.countMax)) }

    /// A query was searched on purpose: it is the latest.
    mutating func add(_ query: String) {
        index = nil
        guard !query.isEmpty else { return }
        queries = Array(([query] + queries.filter { !$0.hasSameBytes(as: query) }).prefix(Self.countMax))
    }

    mutating func edited() { index = nil }

    /// The query before the one in the field; nil at the oldest.
    mutating func older(than text: String) -> String? {
        if index == nil { draft = text }
        var next = index.map { $0 + 1 } ?? 0
        if index == nil, let latest = queries.first, latest.hasSameBytes(as: text) { next = 1 }
        guard queries.indices.contains(next) else { return nil }
        index = next
        return queries[next]
    }

    /// The one behind it, at last what was typed; nil when that is in the field already.
    mutating func newer() -> String? {
        guard let index else { return nil }
        self.index = index == 0 ? nil : index - 1
        return self.index.map { queries[$0] } ?? draft
    }
}

/// What might be typed next; pure.
struct LiveSuggestions {
    static let countMax = 8
    private static let gap = 2

    private(set) var texts: [String] = []
    private(set) var chosen: Int?

    init(_ texts: [String] = []) { self.texts = texts }

    /// Chooses the next, or the one before, around the end; what is to stand in the field.
    mutating func choose(by count: Int) -> String? {
        guard !texts.isEmpty else { return nil }
        let next = chosen.map { ($0 + count + texts.count) % texts.count } ?? (count > 0 ? 0 : texts.count - 1)
        return choose(next)
    }

    mutating func choose(_ index: Int) -> String {
        chosen = index
        return texts[index]
    }

    /// Each as it stands in one line, and its columns; those that do not fit are left out.
    func spans(columns: Int) -> [(text: String, columns: Range<Int>)] {
        var spans: [(text: String, columns: Range<Int>)] = []
        var start = 1
        for text in texts {
            let cells = LineWrap.cut(Cell.cells(text), columns: max(0, columns - 2))
            let width = cells.reduce(0) { $0 + $1.columns }
            guard width > 0, start + width < columns else { break }
            spans.append((cells.map(\.text).joined(), start..<start + width))
            start += width + Self.gap
        }
        return spans
    }
}
