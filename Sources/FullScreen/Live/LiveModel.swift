import Client
import Hangul
import JSON
import RPC
import SearchModel
import Terminal

/// An event that changes the state of the command `live`.
enum LiveEvent {
    case input(InputEvent)
    case message(Message)
    case connected(isAgain: Bool)
    case disconnected
    /// The daemon does not answer; the text is a sentence for the user.
    case silent(String)
    case resized(columns: Int, rows: Int)
    /// `restTime` has passed since the effect `wake`.
    case rested
    case picturesShown
    /// The picture is nil if it could not be drawn.
    case drawn(PictureKey, Picture?)
    /// An effect has ended. The text is a sentence for the user.
    case done(String, isBad: Bool = false)
}

/// Work that the model asks the program to do.
enum LiveEffect: Equatable {
    case send(id: Int, MethodName, params: [UInt8])
    case cancel(Int)
    case open(String)
    case read(String)
    case copy(String)
    case wake
    case draw(PictureKey, [UInt8])
    case connect
    case redraw
    case suspend
    case quit(ExitStatus)
}

/// The field and the list of the web search or of the library.
struct Pane {
    var field = TextField()
    var list = HitList()
    var notice: [String] = []
}

/// The state of `live`, which events change through `handle`.
struct LiveModel {
    enum Focus: Equatable {
        case field, list, details
    }

    /// Why a pending request was sent.
    enum Purpose: Equatable {
        case search(isMore: Bool, isFresh: Bool)
        case suggest, history
        case keys
        case revision
        case watch
        case list(isMore: Bool)
        case sources(Picker.Subject)
        case lookup(ExactText)
        case item(ExactText, LiveAction)
        case change(LibraryChange)
        case picture(PictureKey)
        case other

        var isSearch: Bool { if case .search = self { true } else { false } }
        var isList: Bool { if case .list = self { true } else { false } }
    }

    /// How long an item must stay selected before its details are requested.
    ///
    /// Such a request may cost a call.
    static let restTime = Duration.milliseconds(250)
    static let suggestionsMax = 8

    private let now: () -> Int64
    let zone: LocalZone
    private let keys: KeyCommandLine
    var columns: Int
    var rows: Int
    var focus = Focus.field
    var overlay: LiveOverlay?
    var message: (text: String, isBad: Bool)?

    var isLibrary = false
    var web = Pane()
    var library = Pane()
    var details: ItemDetails?

    var search: LiveSearch
    var strip = SourceStrip()
    private var stripBefore = SourceStrip()
    var didYouMean: [String] = []
    private(set) var typed: TypedQuery
    private(set) var sortedText: String?
    private var looked = 0
    private(set) var missingKeys: [String] = []
    private var recorded: String?
    var history = QueryHistory()
    var suggestions: [String] = []
    /// Whether the user probably meant a suggestion instead of the typed text.
    var areSuggestionsMeant = false
    var chosenSuggestion: Int?

    var librarySort = LibrarySort.saved
    private var isLibraryOld = false
    var saved: Set<ExactText> = []
    private var revision: Int?
    var undos: [LiveUndo] = []

    var pictures = PictureStore()
    var isConnected = false
    /// A sentence for the user, if the daemon does not answer.
    private(set) var silence: String?
    private var pending: [Int: Purpose] = [:]
    private var lastID = 0
    var effects: [LiveEffect] = []

    init(
        columns: Int = Console.columnsDefault,
        rows: Int = ScreenRunner.rowsDefault,
        query: String = "",
        search: LiveSearch = LiveSearch(),
        now: @escaping () -> Int64,
        zone: LocalZone,
        keys: KeyCommandLine
    ) {
        (self.columns, self.rows, self.search, self.now, self.zone, self.keys) = (
            columns, rows, search, now, zone, keys
        )
        web.field = TextField(query)
        typed = TypedQuery("", LocalClock(now: now(), zone: zone))
    }

    var clock: LocalClock { LocalClock(now: now(), zone: zone) }

    var pane: Pane {
        get { isLibrary ? library : web }
        set { if isLibrary { library = newValue } else { web = newValue } }
    }

    var isSearching: Bool { pending.values.contains { if case .search(isMore: false, _) = $0 { true } else { false } } }
    var isWaiting: Bool { !pending.isEmpty }
    var isLoading: Bool { pending.values.contains { isLibrary ? $0.isList : $0.isSearch } }

    func isSaved(_ id: ExactText) -> Bool { isLibrary || saved.contains(id) }

    var layout: LiveLayout {
        var shown = LiveLayout.Pictures()
        if pictures.isOn {
            let ofDetails = details.map { HitPicture.address(of: $0.hit) != nil } ?? false
            shown = .init(ofItems: true, isTiled: !isLibrary && web.list.isOfImages, ofDetails: ofDetails)
        }
        return LiveLayout(columns: columns, rows: rows, hasDetails: details != nil, pictures: shown)
    }

    mutating func handle(_ event: LiveEvent) -> [LiveEffect] {
        switch event {
        case .input(let input):
            let hadError = message?.isBad == true
            message = nil
            if !isConnected { effects.append(.connect) }
            // If an error message is shown, Esc only removes the message.
            if !hadError || overlay != nil || input != .key(Key(.escape)) { handle(input) }
        case .message(let message):
            silence = nil
            handle(message)
        case .silent(let text): silence = VisibleText.visible(text)
        case .connected(let isAgain): connected(isAgain: isAgain)
        case .disconnected:
            (isConnected, pending, silence) = (false, [:], nil)
            pictures.forgetRequests()
        case .resized(let columns, let rows): (self.columns, self.rows) = (columns, rows)
        case .rested:
            web.list.showNext()
            lookUp()
            requestPictures()
        case .picturesShown: pictures.isOn = true
        case .drawn(let key, let picture):
            pictures.add(picture, for: key)
            requestPictures()
        case .done(let text, let isBad): message = (text, isBad)
        }
        followSelection()
        defer { effects = [] }
        return effects
    }

    private mutating func followSelection() {
        let layout = layout
        pane.list.scroll(layout.grid)
        loadMore(layout)
        if let shown = details, shown.id != pane.list.current?.id {
            if let item = pane.list.current {
                details = ItemDetails(item)
                effects.append(.wake)
            } else if !isLoading {
                details = nil
            }
        }
        if focus == .details, details == nil { focus = .list }
        showPictures(layout)
    }

    private mutating func connected(isAgain: Bool) {
        (isConnected, pending, lastID) = (true, [:], 0)
        if isAgain { message = ("searchd is back", false) }
        send(.hello, .other) { $0.member(.client, "searchctl live") }
        send(.historyList, .history) { $0.member(.limit, QueryHistory.countMax) }
        followLibrary()
        askForKeys()
        suggest()
        if isLibrary { listLibrary() }
        if web.list.isStale || web.list.items.isEmpty { startSearch() }
        if !isAgain { recordSearch() }
        effects.append(.wake)
    }

    mutating func send(_ method: MethodName, _ purpose: Purpose, _ members: (inout JSONWriter) -> Void = { _ in }) {
        send(method, purpose, params: JSONWriter.bytes(ofObject: members))
    }

    mutating func send(_ method: MethodName, _ purpose: Purpose, params: [UInt8]) {
        guard isConnected else { return }
        lastID += 1
        pending[lastID] = purpose
        effects.append(.send(id: lastID, method, params: params))
    }

    private mutating func ignore(_ isIgnored: (Purpose) -> Bool) { pending = pending.filter { !isIgnored($0.value) } }

    private mutating func cancel(_ isCancelled: (Purpose) -> Bool) {
        effects += pending.filter { isCancelled($0.value) }.keys.sorted().map { .cancel($0) }
        ignore(isCancelled)
    }

    mutating func edited() {
        guard !isLibrary else { return listLibrary(isNew: true) }
        chosenSuggestion = nil
        suggest()
        searchIfChanged()
    }

    private mutating func searchIfChanged() {
        let next = TypedQuery(web.field.text, clock)
        // If the meaning is the same, keep `typed`, because all pages must use the same dates.
        if !next.finds(typed) || next.mistake != typed.mistake { startSearch() }
    }

    mutating func startSearch(isFresh: Bool = false) {
        typed = TypedQuery(web.field.text, clock)
        (didYouMean, looked, sortedText) = ([], 0, nil)
        guard let query = typed.query, typed.mistake == nil else {
            cancel(\.isSearch)
            (web.list, web.notice, strip) = (HitList(), [], SourceStrip())
            return
        }
        web.list.begin(query.text)
        guard isConnected else { return }
        // The daemon cancels the earlier search, so ignore the answers to that search.
        ignore(\.isSearch)
        (strip, stripBefore) = (SourceStrip(), strip)
        let params = search.params(typed, .first(isFresh: isFresh))
        send(.search, .search(isMore: false, isFresh: isFresh), params: params)
    }

    mutating func recordSearch() {
        history.add(web.field.text)
        guard isConnected, typed.mistake == nil, let query = typed.query?.text,
            recorded?.hasSameBytes(as: query) != true
        else { return }
        recorded = query
        send(.search, .other, params: search.params(typed, .history))
    }

    mutating func askForKeys() { send(.sourceList, .keys) }

    private func missingKeys(_ list: JSONCursor) -> [String] {
        let missing = MissingKeys(list: list, keys: keys)
        let profiles = search.sources.filter { $0.hasPrefix("@") && $0 != MissingKeys.standard }
        let standard = search.sources.isEmpty && search.kinds.isEmpty ? [MissingKeys.standard] : []
        return (profiles + standard).compactMap { missing.line(of: $0) }
    }

    private mutating func suggest() {
        ignore { $0 == .suggest }
        let text = web.field.text
        send(.suggest, .suggest) { writer in
            writer.member(.prefix, text)
            writer.member(.limit, Self.suggestionsMax)
        }
    }

    mutating func choose(suggestion index: Int) {
        guard !isLibrary, !suggestions.isEmpty else { return }
        let index = (index + suggestions.count) % suggestions.count
        chosenSuggestion = index
        web.field.replace(suggestions[index])
        ignore { $0 == .suggest }
        searchIfChanged()
    }

    /// Loads more hits.
    ///
    /// While the user types, loads only enough hits to fill the screen.
    private mutating func loadMore(_ layout: LiveLayout) {
        let ahead = focus == .field ? layout.grid.count : 2 * layout.grid.count
        guard isConnected, !isLoading, pane.list.needsMore(ahead: ahead), let cursor = pane.list.next else {
            return
        }
        pane.list.beginPage()
        if isLibrary {
            let params = librarySort.params(library.field.text, kinds: search.kinds, cursor: cursor)
            send(.libraryList, .list(isMore: true), params: params)
        } else {
            let params = search.params(typed, .more(cursor: cursor))
            send(.search, .search(isMore: true, isFresh: false), params: params)
        }
    }

    /// `isNew` is true if the query or the order has changed.
    mutating func listLibrary(isNew: Bool = false) {
        isLibraryOld = false
        ignore(\.isList)
        if isNew || library.list.items.isEmpty { library.list.begin(library.field.text) }
        let count = isNew ? 0 : library.list.items.count
        let params = librarySort.params(library.field.text, kinds: search.kinds, count: count)
        send(.libraryList, .list(isMore: false), params: params)
    }

    private mutating func followLibrary() {
        guard let revision else { return send(.libraryList, .revision) { $0.member(.limit, 1) } }
        send(.libraryWatch, .watch) { $0.member(.since, revision) }
    }

    private mutating func libraryChanged(_ change: JSONCursor) {
        revision = change[.revision]?.int ?? revision
        for item in [Member.inserted, .updated].flatMap({ change[$0]?.elements ?? [] }) {
            let id = ExactText(item[.id]?.string ?? "")
            saved.insert(id)
            if details?.id == id { details?.saved = item }
        }
        for id in (change[.deleted]?.elements ?? []).compactMap(\.string).map({ ExactText($0) }) {
            saved.remove(id)
            if details?.id == id { details?.saved = nil }
        }
        guard isLibrary else { return }
        // Many changes during one request must cause only one more request.
        if isLoading { isLibraryOld = true } else { listLibrary() }
    }

    private mutating func finishList(_ result: JSONCursor, isMore: Bool) {
        let items = result[.items]?.elements ?? []
        let next = result[.next]?.string
        if isMore {
            library.list.add(items)
            library.list.finish(order: nil, next: next)
        } else {
            library.list.replace(items, next: next)
        }
        library.list.total = result[.total]?.int.map { HitTotal(count: $0, isExact: true) }
        let text = VisibleText.visible(library.field.text)
        library.notice = [
            text.isEmpty
                ? "Nothing is saved yet. s saves a hit. L goes back." : "Nothing in your library matches “\(text)”."
        ]
        if isLibraryOld { listLibrary() }
    }

    mutating func lookUp() {
        guard let id = details?.id, details?.isNew == true, isConnected else { return }
        details?.isLoading = true
        send(.lookup, .lookup(id)) { $0.member(.id, id.text) }
        if isSaved(id) { send(.libraryGet, .item(id, .details)) { $0.member(.id, id.text) } }
    }

    private mutating func showPictures(_ layout: LiveLayout) {
        guard pictures.isOn else { return }
        guard let unwanted = pictures.want(wantedPictures(layout)) else { return }
        for key in unwanted { cancel { $0 == .picture(key) } }
        if !pictures.missing.isEmpty { effects.append(.wake) }
    }

    private mutating func requestPictures() {
        guard isConnected else { return }
        for key in pictures.takeRequests() {
            send(.image, .picture(key)) { $0.member(.url, key.address.text) }
        }
    }

    private func wantedPictures(_ layout: LiveLayout) -> [PictureKey] {
        guard overlay == nil, !pane.list.isStale else { return [] }
        var keys: [PictureKey] = []
        if let area = layout.detailsPicture, let address = details.flatMap({ HitPicture.address(of: $0.hit) }) {
            keys.append(PictureKey(address: address, box: area.box))
        }
        let list = pane.list
        let items = layout.list.rows > 0 ? list.items.dropFirst(list.top).prefix(layout.grid.drawnCount) : []
        return keys + items.compactMap { HitPicture.key(of: $0, layout) }
    }

    private mutating func handle(_ message: Message) {
        switch message {
        case .notification(let method, let params?):
            let name = NotificationName(exactly: method)
            if name == .libraryChanged { return libraryChanged(params) }
            guard let id = params[.request]?.int, pending[id]?.isSearch == true else { return }
            switch name {
            case .hits:
                if web.list.isStale, !web.list.hasNextHits { effects.append(.wake) }
                web.list.add(params[.hits]?.elements ?? [])
            case .source: strip.receive(source: params)
            case .progress: strip.receive(progress: params)
            default: break
            }
        case .notification: break
        case .result(let id, let result):
            if let purpose = pending.removeValue(forKey: id) { handle(result, of: purpose) }
        case .failure(let id?, let error):
            if let purpose = pending.removeValue(forKey: id) { handle(error, of: purpose) }
        case .failure(nil, let error): self.message = (error.sentence, true)
        }
    }

    private mutating func handle(_ result: JSONCursor, of purpose: Purpose) {
        switch purpose {
        case .search(let isMore, _): finishSearch(result, isMore: isMore)
        case .suggest:
            let texts = (result[.suggestions]?.elements ?? []).compactMap { $0[.text]?.string }
            let meant = [WrongLayout.correctedIfCertain(web.field.text)].compactMap(\.self)
            let known = meant + [web.field.text]
            suggestions = meant + texts.filter { text in !known.contains { $0.hasSameBytes(as: text) } }
            areSuggestionsMeant = !meant.isEmpty || DidYouMeanText.isInitials(web.field.text)
            chosenSuggestion = nil
        case .keys: missingKeys = missingKeys(result)
        case .history: history.replace((result[.entries]?.elements ?? []).compactMap { $0[.query]?.string })
        case .revision:
            revision = result[.revision]?.int ?? 0
            followLibrary()
        case .watch: libraryChanged(result)
        case .list(let isMore): finishList(result, isMore: isMore)
        case .sources(let subject):
            let chosen = subject == .kinds ? search.kinds : search.sources
            overlay = .picker(Picker(subject, result, chosen: chosen))
        case .lookup(let id):
            if result[.saved]?.bool == true { saved.insert(id) }
            guard details?.id == id else { return }
            details?.isLoading = false
            details?.record = ItemRecord(result)
        case .item(let id, let action):
            if details?.id == id { details?.saved = result[.item] }
            guard let item = pane.list.current, item.id == id, let saved = result[.item] else { return }
            if action == .note || action == .tag { prompt(action, item, saved: saved) }
        case .change(let change): finish(change, result)
        case .picture(let key):
            if let bytes = pictures.receive(result, for: key) { effects.append(.draw(key, bytes)) }
            requestPictures()
        case .other: break
        }
    }

    private mutating func finishSearch(_ result: JSONCursor, isMore: Bool) {
        let report = SearchReport(result)
        saved.formUnion(report.saved)
        strip.finish(report)
        web.list.add(result[.hits]?.elements ?? [])
        // If the last syllable is incomplete, the search called no source. Then keep the old list.
        let isUnfinished = report.sources.contains { $0.reason == .unfinished }
        if isUnfinished, web.list.isStale { return }
        web.list.finish(order: report.order, next: report.next)
        looked += result[.filtered]?[.looked]?.int ?? 0
        sortedText = SummaryText.sorted(report)
        if !isMore, looked == 0 { web.list.total = report.total }
        web.notice = []
        guard !isUnfinished, web.list.items.isEmpty else { return }
        if looked > 0 {
            let more = report.next == nil ? "" : " ↓ checks more hits."
            web.notice = ["\(typed.filterText) left out all of \(NumberText.count(looked, "hit")).\(more)"]
        } else {
            didYouMean = report.didYouMean
            let query = "“\(typed.query?.text ?? "")”"
            web.notice = [
                search.isOffline
                    ? "Nothing on this machine for \(query). Ctrl-O asks the sources." : "Nothing found for \(query)."
            ]
            let meant = didYouMean.prefix(3).joined(separator: ", ")
            if !meant.isEmpty { web.notice.append("Did you mean: \(meant)? (→ takes the first)") }
            web.notice += missingKeys
        }
        web.notice = web.notice.map(VisibleText.visible)
    }

    private mutating func handle(_ error: ClientError, of purpose: Purpose) {
        switch purpose {
        case .search(let isMore, let isFresh):
            if isMore {
                web.list.next = nil
                // `notFound`: only sources that are not called while the user types have more hits.
                if error.code == .init(.notFound) { return }
                // A new daemon does not know the cursors of the earlier daemon.
                let isUnknown = error.code == .init(.invalidParams)
                message = (isUnknown ? "searchd was restarted: Ctrl-R searches again" : error.sentence, true)
            } else if isFresh, !web.list.items.isEmpty {
                web.list.keep()
                strip = stripBefore
                let reason = error.isOffline ? "this machine is offline" : error.message
                message = (VisibleText.visible("not refreshed: \(reason)"), true)
            } else {
                web.list = HitList()
                let message = strip.isEmpty ? error.message : nil
                let isUnavailable = error.isOffline || error.code == .init(.unavailable)
                let help = "Ctrl-O searches this machine: the cache, your library, and hits of earlier searches."
                web.notice = [message, error.hint, isUnavailable ? help : nil].compactMap(\.self)
                    .map(VisibleText.visible)
            }
        case .list(let isMore):
            library.list.next = nil
            guard !isMore else { return message = (error.sentence, true) }
            library.list = HitList()
            library.notice = [error.sentence]
        case .lookup(let id):
            guard details?.id == id else { return }
            details?.isLoading = false
            details?.failure = error
        case .picture(let key):
            pictures.add(nil, for: key)
            requestPictures()
        case .sources, .change, .item(_, .note), .item(_, .tag): message = (error.sentence, true)
        // Errors of these background requests are not shown.
        case .suggest, .history, .keys, .revision, .watch, .item, .other: break
        }
    }
}

extension ClientError {
    var sentence: String { FailureText.joined([message, hint]) }
}
