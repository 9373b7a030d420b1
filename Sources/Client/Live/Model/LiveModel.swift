import JSON
import RPC
import SearchModel
import Terminal

/// All that `live` knows; pure: an event changes it and says what is to be done.
struct LiveModel {
    enum Focus: Equatable {
        case field
        case list
        case details
    }

    enum Connection: Equatable {
        case starting
        case on
        /// Why there is none.
        case lost(String)
    }

    /// How long the selection rests before its details are looked up, which may cost a call.
    private static let restMilliseconds = 400

    let zone: LocalZone
    var columns: Int
    var rows: Int
    var focus = Focus.field
    var isLibrary = false
    var overlay: LiveOverlay?
    var search: LiveSearch
    var library = LibraryQuestion()
    var webField: TextField
    var libraryField = TextField()
    var web = ResultPane()
    var items = ResultPane()
    var strip = SourceStrip()
    var history = QueryHistory()
    var suggestions = LiveSuggestions()
    var details: ItemDetails?
    var saved: Set<ExactText> = []
    var connection = Connection.starting
    /// What the last key came to; gone with the next one.
    var message: (text: String, isBad: Bool)?
    var requests = LiveRequests()
    var undos: [LiveUndo] = []
    /// Up to which revision the library's changes are known.
    var revision: Int?
    /// Whether the library has changed since it was listed.
    var isLibraryOld = false
    var effects: [LiveEffect] = []

    init(columns: Int, rows: Int, search: LiveSearch = LiveSearch(), zone: LocalZone) {
        self.zone = zone
        (self.columns, self.rows) = (columns, rows)
        self.search = search
        webField = TextField(search.query)
    }

    var layout: LiveLayout { LiveLayout(columns: columns, rows: rows, hasDetails: details != nil) }

    var field: TextField {
        get { isLibrary ? libraryField : webField }
        set { if isLibrary { libraryField = newValue } else { webField = newValue } }
    }

    var pane: ResultPane {
        get { isLibrary ? items : web }
        set { if isLibrary { items = newValue } else { web = newValue } }
    }

    /// Whether a list is asked for of which nothing has come yet.
    var awaitsHits: Bool { connection == .on && pane.isUnderWay && pane.list.isStale }

    // MARK: Events

    /// Takes an event; what is to be done, in this order.
    mutating func received(_ event: LiveEvent) -> [LiveEffect] {
        effects = []
        let selected = pane.list.current?.id
        switch event {
        case .input(let input):
            message = nil
            take(input)
        case .message(let message): take(message)
        case .connected: connected()
        case .disconnected(let error): disconnected(error)
        case .resized(let columns, let rows): (self.columns, self.rows) = (columns, rows)
        case .woken: lookUpDetails()
        case .done(let text): message = (text, false)
        case .failed(let error): message = (Self.text(error), true)
        }
        settle(selected)
        return effects
    }

    /// What follows from where the selection is now.
    private mutating func settle(_ before: ExactText?) {
        let layout = layout
        pane.list.scroll(rows: layout.list.rows, itemRows: layout.itemRows)
        // While a query is typed, more than a screen of hits is not worth a call.
        if pane.needsMore(ahead: focus == .field ? layout.page : 2 * layout.page) { askForMore() }
        guard details != nil, let current = pane.list.current else {
            if pane.list.current == nil, !pane.isUnderWay { details = nil }
            return
        }
        guard current.id != details?.id else { return }
        details = ItemDetails(current)
        effects.append(.wake(milliseconds: Self.restMilliseconds))
    }

    private mutating func connected() {
        let isAgain = connection != .starting
        connection = .on
        requests = LiveRequests()
        send(.hello, .hello) { $0.member(.client, "searchctl live") }
        send(.historyList, .history) { $0.member(.limit, QueryHistory.countMax) }
        if let revision { watch(revision) } else { send(.libraryList, .revision) { $0.member(.limit, 1) } }
        if isAgain { message = ("searchd is back", false) }
        if !isAgain { suggest() }
        if isLibrary { listLibrary() } else if !isAgain || pane.isUnderWay || pane.failure != nil { startSearch() }
    }

    private mutating func disconnected(_ error: ClientError) {
        connection = .lost(Self.text(error))
        requests = LiveRequests()
        strip.fail()
    }

    mutating func watch(_ revision: Int) {
        self.revision = revision
        send(.libraryWatch, .watch) { $0.member(.since, revision) }
    }

    // MARK: Asking

    mutating func send(
        _ method: MethodName,
        _ purpose: LiveRequests.Purpose,
        _ members: (inout JSONWriter) -> Void = { _ in }
    ) {
        send(method, purpose, params: JSONWriter.bytes(ofObject: members))
    }

    mutating func send(_ method: MethodName, _ purpose: LiveRequests.Purpose, params: [UInt8]) {
        guard connection == .on else { return }
        effects.append(.send(id: requests.add(purpose), method, params: params))
    }

    /// Searches for what is in the field; nothing when that is under way or there already.
    mutating func fieldChanged() {
        if isLibrary {
            library.query = field.text
            return listLibrary(isNew: true)
        }
        suggest()
        let before = search.searched
        search.query = field.text
        if search.searched != before { startSearch() }
    }

    private mutating func suggest() {
        requests.forget { $0 == .suggest }
        let text = webField.text
        send(.suggest, .suggest) { writer in
            writer.member(.prefix, text)
            writer.member(.limit, LiveSuggestions.countMax)
        }
    }

    /// - Parameter isFresh: Whether the sources are asked again.
    mutating func startSearch(isFresh: Bool = false) {
        endSearch()
        guard search.searched != nil else {
            web.clear()
            strip = SourceStrip()
            return
        }
        guard connection == .on else { return web.list.begin() }
        web.begin()
        strip.begin()
        send(.search, .search(isMore: false), params: search.params(isFresh: isFresh))
    }

    private mutating func endSearch() {
        let isSearch = { (purpose: LiveRequests.Purpose) in
            if case .search = purpose { true } else { false }
        }
        // The next one on the channel ends it; without one, it is to end all the same.
        if search.searched == nil, let id = requests.id(where: isSearch) { effects.append(.cancel(id)) }
        requests.forget(where: isSearch)
    }

    private mutating func askForMore() {
        guard connection == .on, let cursor = pane.cursor else { return }
        if isLibrary {
            guard !library.isGrouped else { return }
            items.beginMore()
            send(.libraryList, .list(isMore: true), params: library.params(cursor: cursor, kinds: search.kinds))
        } else {
            web.beginMore()
            send(.search, .search(isMore: true), params: search.params(cursor: cursor))
        }
    }

    /// - Parameter isNew: Whether another part of it is asked for.
    mutating func listLibrary(isNew: Bool = false) {
        isLibraryOld = false
        requests.forget { if case .list = $0 { true } else { false } }
        if isNew || !items.isAnswered { items.begin() }
        let count = isNew ? 0 : items.list.items.count
        send(.libraryList, .list(isMore: false), params: library.params(kinds: search.kinds, count: count))
    }

    mutating func lookUpDetails() {
        guard let details, details.record == nil, !details.isLooking else { return }
        self.details?.isLooking = true
        let id = details.id
        send(.lookup, .lookup(id)) { $0.member(.id, id.text) }
        if isSaved(id) { send(.libraryGet, .savedItem(id)) { $0.member(.id, id.text) } }
    }

    /// Everything in the library is saved, whatever the marks of searches say.
    func isSaved(_ id: ExactText) -> Bool { isLibrary || saved.contains(id) }

    static func text(_ error: ClientError) -> String {
        VisibleText.visible([error.message, error.hint].compactMap(\.self).joined(separator: ". "))
    }
}
