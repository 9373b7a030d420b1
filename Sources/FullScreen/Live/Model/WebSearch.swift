import Client
import Hangul
import JSON
import RPC
import SearchModel
import Terminal

/// A search of the sources: what is searched, the hits, and how the sources are doing; pure.
struct WebSearch {
    private(set) var question: LiveSearch
    private(set) var field: SearchField
    private(set) var results = ResultPane()
    private(set) var strip = SourceStrip()
    /// The list before the sources were asked again: it comes back when none answers.
    private var before: ResultPane?
    /// The list as it comes again; nil unless it is asked for.
    private var renewed: (items: [HitList.Item], depth: Int)?

    init(_ question: LiveSearch) {
        self.question = question
        field = SearchField(question.query)
    }

    var list: HitList {
        get { results.list }
        set { results.list = newValue }
    }

    // MARK: Editing

    mutating func edit(_ input: InputEvent, _ outbox: inout LiveOutbox) {
        if field.line.isAtEnd, input == .key(Key(.right)) || input == .key(Key(.end)), let guess {
            field.replace(guess)
            return edited(&outbox)
        }
        if field.received(input) { edited(&outbox) }
    }

    /// What → at the end of the field takes.
    private var guess: String? {
        guard field.suggestions.chosen == nil else { return nil }
        return (results.list.items.isEmpty ? results.didYouMean.first : nil) ?? field.guess
    }

    mutating func takeOlder(_ outbox: inout LiveOutbox) {
        if field.takeOlder() { edited(&outbox) }
    }

    /// False when what is typed is in the field already.
    mutating func takeNewer(_ outbox: inout LiveOutbox) -> Bool {
        guard field.takeNewer() else { return false }
        edited(&outbox)
        return true
    }

    mutating func chooseSuggestion(by count: Int, _ outbox: inout LiveOutbox) {
        if field.chooseSuggestion(by: count) { suggestionChosen(&outbox) }
    }

    mutating func chooseSuggestion(atColumn column: Int, of columns: Int, _ outbox: inout LiveOutbox) {
        if field.chooseSuggestion(atColumn: column, of: columns) { suggestionChosen(&outbox) }
    }

    mutating func moveCursor(toShown column: Int, columns: Int) { field.moveCursor(toShown: column, columns: columns) }
    mutating func leaveField() { field.leave() }
    mutating func clearSuggestions() { field.clearSuggestions() }

    private mutating func edited(_ outbox: inout LiveOutbox) {
        suggest(&outbox)
        searchIfChanged(&outbox)
    }

    /// The suggestions that are being gone through stay.
    private mutating func suggestionChosen(_ outbox: inout LiveOutbox) {
        outbox.forget { $0 == .suggest }
        searchIfChanged(&outbox)
    }

    // MARK: Asking

    func suggest(_ outbox: inout LiveOutbox) {
        outbox.forget { $0 == .suggest }
        outbox.send(.suggest, .suggest) { writer in
            writer.member(.prefix, field.text)
            writer.member(.limit, LiveSuggestions.countMax)
        }
    }

    private mutating func searchIfChanged(_ outbox: inout LiveOutbox) {
        let before = question.params()
        question.query = field.text
        if question.params() != before { start(&outbox) }
    }

    /// Searches for what is in the field; `isFresh` asks the sources again.
    mutating func start(isFresh: Bool = false, _ outbox: inout LiveOutbox) {
        renewed = nil
        guard question.searched != nil else {
            // Without a next one on the channel, it has to be ended.
            outbox.cancel(where: \.isSearch)
            results.clear()
            strip = SourceStrip()
            return
        }
        outbox.forget(where: \.isSearch)
        guard outbox.isConnected else { return results.list.begin() }
        before = isFresh && !results.list.items.isEmpty ? results : nil
        results.begin()
        strip.begin()
        outbox.send(.search, .search(isMore: false), params: question.params(isFresh: isFresh))
    }

    /// Makes again what the daemon before did not answer.
    mutating func resume(_ outbox: inout LiveOutbox) {
        guard results.isUnderWay || results.failure != nil else { return }
        if results.isUnderWay, results.isContinued { renew(&outbox) } else { start(&outbox) }
    }

    mutating func askForMore(ahead: Int, _ outbox: inout LiveOutbox) {
        guard outbox.isConnected, results.needsMore(ahead: ahead), let cursor = results.cursor else { return }
        results.beginMore()
        outbox.send(.search, .search(isMore: true), params: question.params(cursor: cursor))
    }

    /// Asks for all of the list again, whose cursor a daemon that was started anew does not know.
    ///
    /// It stays until it is there to the same depth.
    mutating func renew(_ outbox: inout LiveOutbox) {
        renewed = ([], list.items.count)
        results.beginMore()
        askForRenewed(cursor: nil, &outbox)
    }

    private func askForRenewed(cursor: String?, _ outbox: inout LiveOutbox) {
        guard let renewed else { return }
        let left = max(1, renewed.depth - renewed.items.count)
        outbox.send(.search, .renewal, params: question.params(cursor: cursor, renewed: left))
    }

    mutating func received(renewal result: JSONCursor, _ outbox: inout LiveOutbox) {
        let hits = (result[.hits]?.elements ?? []).map { HitList.Item($0) }
        renewed?.items += hits
        guard let renewed else { return }
        let next = result[.next]?.string
        if let next, !hits.isEmpty, renewed.items.count < renewed.depth {
            return askForRenewed(cursor: next, &outbox)
        }
        self.renewed = nil
        results.renew(renewed.items, next: next)
    }

    mutating func nextSort(_ outbox: inout LiveOutbox) {
        question.nextSort()
        start(&outbox)
    }

    /// Searches only what is on this machine, or everything again.
    mutating func toggleOffline(_ outbox: inout LiveOutbox) {
        question.isOffline.toggle()
        start(&outbox)
    }

    mutating func choose(kinds: [String]) { question.kinds = kinds }
    mutating func choose(sources: [String]) { question.sources = sources }

    // MARK: Answers

    mutating func received(history result: JSONCursor) {
        field.received(history: (result[.entries]?.elements ?? []).compactMap { $0[.query]?.string })
    }

    mutating func received(suggestions result: JSONCursor) {
        let texts = (result[.suggestions]?.elements ?? []).compactMap { $0[.text]?.string }
        // What was typed in the other keyboard layout is offered as in a search, whatever it finds.
        let meant = [WrongLayout.correctedIfCertain(field.text)].compactMap(\.self)
        field.received(suggestions: meant + texts.filter { text in !meant.contains { $0.hasSameBytes(as: text) } })
    }

    /// Takes a notification of the search under way.
    mutating func received(_ notification: NotificationName?, _ params: JSONCursor) {
        switch notification {
        case .hits: results.list.received(params[.hits]?.elements ?? [])
        case .source: strip.received(source: params)
        case .progress: strip.received(progress: params)
        default: break
        }
    }

    mutating func finish(_ result: JSONCursor, _ report: SearchReport, isMore: Bool) {
        strip.finish(report)
        before = nil
        results.finish(result, report, isMore: isMore)
    }

    /// Takes an error; whether a list is still there.
    mutating func fail(_ error: ClientError, isMore: Bool) -> Bool {
        renewed = nil
        strip.fail()
        if let before {
            results = before
            self.before = nil
            return true
        }
        results.fail(error, isMore: isMore)
        return isMore
    }

    mutating func disconnected() { strip.fail() }
}
