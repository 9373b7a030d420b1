import Client
import JSON
import RPC
import SearchModel
import Terminal

/// All that `live` knows; pure: an event changes it and says what is to be done.
///
/// It only decides which part an event concerns; what that makes of it, the part knows.
struct LiveModel {
    enum Focus: Equatable {
        case field
        case list
        case details
    }

    let zone: LocalZone
    private(set) var columns: Int
    private(set) var rows: Int
    private(set) var focus = Focus.field
    private(set) var overlay: LiveOverlay?
    private(set) var details = DetailsPane()
    /// What the last key came to; gone with the next one.
    private(set) var message: (text: String, isBad: Bool)?
    private(set) var searches: TwoSearches
    private var saved = SavedHits()
    private var changes = LibraryChanges()
    private var outbox = LiveOutbox()
    private(set) var pictures = PictureStore()

    init(columns: Int, rows: Int, search: LiveSearch = LiveSearch(), zone: LocalZone) {
        self.zone = zone
        (self.columns, self.rows) = (columns, rows)
        searches = TwoSearches(search)
    }

    // MARK: What is shown

    var layout: LiveLayout {
        LiveLayout(columns: columns, rows: rows, hasDetails: details.isOpen, pictures: shownPictures)
    }
    var connection: LiveOutbox.Connection { outbox.connection }
    var isLibrary: Bool { searches.isLibrary }
    var web: WebSearch { searches.web }
    var library: LibrarySearch { searches.library }
    var search: LiveSearch { web.question }
    var field: TextField { searches.field }
    var pane: ResultPane { searches.results }

    /// Whether a list is asked for of which nothing has come yet.
    var awaitsHits: Bool { outbox.isConnected && pane.isUnderWay && pane.list.isStale }

    /// Everything in the library is saved, whatever the marks of searches say.
    func isSaved(_ id: ExactText) -> Bool { isLibrary || saved.contains(id) }

    // MARK: Events

    /// Takes an event; what is to be done, in this order.
    mutating func received(_ event: LiveEvent) -> [LiveEffect] {
        switch event {
        case .input(let input):
            message = nil
            take(input)
        case .message(let message): take(message)
        case .connected: connected()
        case .disconnected(let error):
            outbox.disconnected(error.sentence)
            searches.web.disconnected()
            pictures.disconnected()
        case .resized(let columns, let rows): (self.columns, self.rows) = (columns, rows)
        case .picturesShown: pictures.turn(on: true)
        case .picturesWoken: pictures.ask(&outbox)
        case .drawn(let key, let picture): pictures.drawn(key, picture, &outbox)
        case .woken: details.lookUp(isSaved: isSaved, &outbox)
        case .done(let text): message = (text, false)
        case .failed(let error): message = (error.sentence, true)
        }
        settle()
        return outbox.takeEffects()
    }

    /// What follows from where the selection is now.
    private mutating func settle() {
        let layout = layout
        if let grid = layout.grid {
            searches.list.scroll(in: grid)
        } else {
            searches.list.scroll(rows: layout.list.rows, itemRows: layout.itemRows)
        }
        // While a query is typed, more than a screen of hits is not worth a call.
        searches.askForMore(ahead: focus == .field ? layout.page : 2 * layout.page, &outbox)
        details.follow(searches.list.current, isListing: pane.isUnderWay, &outbox)
        if focus == .details, !details.isOpen { focus = .list }
        pictures.want(WantedPictures.keys(of: self), &outbox)
    }

    private var shownPictures: LiveLayout.Pictures {
        let isGrid = !isLibrary && pane.list.isOfImages
        return pictures.isOn ? .init(ofItems: true, isGrid: isGrid, ofDetails: details.picture != nil) : .init()
    }

    private mutating func connected() {
        let isAgain = outbox.connection != .starting
        outbox.connected()
        outbox.send(.hello, .hello) { $0.member(.client, "searchctl live") }
        outbox.send(.historyList, .history) { $0.member(.limit, QueryHistory.countMax) }
        saved.follow(&outbox)
        if isAgain { message = ("searchd is back", false) }
        searches.connected(isAgain: isAgain, &outbox)
    }

    // MARK: Keys

    private mutating func take(_ input: InputEvent) {
        if case .lost = outbox.connection { outbox.add(.connect) }
        if let overlay { return take(input, over: overlay) }
        if case .mouse(let mouse) = input { return take(mouse) }
        if focus == .field {
            if let action = LiveKeys.action(input, in: LiveKeys.field) { return perform(action) }
            searches.edit(input, &outbox)
        } else if let action = LiveKeys.action(input, in: LiveKeys.list) {
            perform(action)
        } else if case .paste = input {
            focus = .field
            searches.edit(input, &outbox)
        }
    }

    private mutating func perform(_ action: LiveAction) {
        switch action {
        case .down, .up, .left, .right, .pageDown, .pageUp, .halfDown, .halfUp, .top, .bottom: move(action)
        case .field: focus = .field
        case .nextPane: focus = panes[((panes.firstIndex(of: focus) ?? 0) + 1) % panes.count]
        case .previousPane: focus = panes[((panes.firstIndex(of: focus) ?? 0) + panes.count - 1) % panes.count]
        case .back: goBack()
        case .older: if !isLibrary { searches.web.takeOlder(&outbox) }
        case .newer: if isLibrary || !searches.web.takeNewer(&outbox) { leaveField() }
        case .nextSuggestion: if !isLibrary { searches.web.chooseSuggestion(by: 1, &outbox) }
        case .previousSuggestion: if !isLibrary { searches.web.chooseSuggestion(by: -1, &outbox) }
        case .open: if let url = link() { outbox.add(.open(url)) }
        case .details: toggleDetails()
        case .copy: copyLink()
        case .save: saveOrForget()
        case .note: editKept(isNote: true)
        case .tag: editKept(isNote: false)
        case .undo: message = (changes.undo(&outbox).map { "undone: \($0)" } ?? "nothing to undo", false)
        case .sort: searches.nextSort(&outbox)
        case .kinds: outbox.send(.sourceList, .sources(.kinds))
        case .sources where isLibrary: message = ("the library has all sources; K chooses kinds", false)
        case .sources: outbox.send(.sourceList, .sources(.sources))
        case .group: if !searches.nextGroup(&outbox) { message = ("only the library is grouped: L", false) }
        case .library: toggleLibrary()
        case .refresh: searches.refresh(&outbox)
        case .offline: if !isLibrary { searches.web.toggleOffline(&outbox) }
        case .redraw: outbox.add(.redraw)
        case .help: overlay = .help(firstLine: 0)
        case .suspend: outbox.add(.suspend)
        case .quit where focus == .details || isLibrary: goBack()
        case .quit: outbox.add(.quit(.found))
        case .interrupt: outbox.add(.quit(.interrupted))
        }
    }

    private var panes: [Focus] {
        if !details.isOpen { return [.field, .list] }
        return layout.list.rows > 0 ? [.field, .list, .details] : [.field, .details]
    }

    private mutating func move(_ action: LiveAction) {
        if focus == .details, let area = layout.details { return details.scroll(action, in: area, zone) }
        // The first step down from the field is to the item that is selected.
        guard focus == .field else { return searches.list.move(action, layout) }
        leaveField()
        if action != .down { searches.list.move(action, layout) }
    }

    private mutating func leaveField() {
        searches.leaveField()
        focus = details.isOpen && layout.list.rows == 0 ? .details : .list
    }

    private mutating func goBack() {
        switch focus {
        case .field: leaveField()
        case .list where details.isOpen, .details: closeDetails()
        case .list: if isLibrary { toggleLibrary() } else { focus = .field }
        }
    }

    // MARK: The selected item

    private mutating func closeDetails() {
        details.close()
        focus = .list
    }

    private mutating func toggleDetails() {
        guard !details.isOpen else { return closeDetails() }
        guard let item = searches.list.current else { return }
        details.open(item)
        details.lookUp(isSaved: isSaved, &outbox)
        if layout.list.rows == 0 { focus = .details }
    }

    /// The selected item's; nil is reported.
    private mutating func link() -> String? {
        guard let hit = searches.list.current?.hit else { return nil }
        guard let url = FoundHit(hit).url, !url.isEmpty else {
            message = ("it has no link", true)
            return nil
        }
        return url
    }

    private mutating func copyLink() {
        guard let url = link() else { return }
        outbox.add(.copy(url))
        message = ("copied \(VisibleText.visible(ReadableAddress.text(url)))", false)
    }

    private mutating func saveOrForget() {
        guard let item = searches.list.current else { return }
        if isSaved(item.id) { changes.forget(item.id, &outbox) } else { changes.save(item, &outbox) }
    }

    /// Asks for the note, or the tags, of the selected item: with what it has, when it is saved.
    private mutating func editKept(isNote: Bool) {
        guard let item = searches.list.current else { return }
        guard isSaved(item.id) else { return prompt(item, isNote: isNote, saved: nil) }
        outbox.send(.libraryGet, isNote ? .editNote(item.id) : .editTags(item.id)) { $0.member(.id, item.id.text) }
    }

    private mutating func prompt(_ item: HitList.Item, isNote: Bool, saved: JSONCursor?) {
        overlay = .prompt(isNote ? .note(of: item, saved: saved) : .tags(of: item, saved: saved))
    }

    // MARK: Library and overlays

    private mutating func toggleLibrary() {
        searches.toggle(&outbox)
        details.close()
        focus = .list
    }

    private mutating func take(_ input: InputEvent, over overlay: LiveOverlay) {
        switch LiveKeys.action(input, in: []) {
        case .interrupt: return outbox.add(.quit(.interrupted))
        case .suspend: return outbox.add(.suspend)
        case .redraw: return outbox.add(.redraw)
        default: break
        }
        switch overlay.received(input, columns: columns, rows: layout.rows) {
        case .open(let overlay): self.overlay = overlay
        case .closed: self.overlay = nil
        case .picked(let picker):
            self.overlay = nil
            searches.apply(picker, &outbox)
        case .filled(let prompt):
            self.overlay = nil
            changes.apply(prompt, &outbox)
        }
    }

    // MARK: Mouse

    private mutating func take(_ mouse: Mouse) {
        let target = MouseTarget(mouse, layout)
        if target == .details, let area = layout.details {
            switch mouse.action {
            case .wheelDown: details.scroll(by: 1, in: area, zone)
            case .wheelUp: details.scroll(by: -1, in: area, zone)
            case .click: focus = .details
            }
            return
        }
        switch mouse.action {
        case .wheelDown: searches.list.move(.down, layout)
        case .wheelUp: searches.list.move(.up, layout)
        case .click: click(mouse, target)
        }
    }

    private mutating func click(_ mouse: Mouse, _ target: MouseTarget?) {
        switch target {
        case .field:
            focus = .field
            searches.click(column: mouse.column, columns: columns)
        case .suggestions: if !isLibrary { searches.web.chooseSuggestion(atColumn: mouse.column, of: columns, &outbox) }
        case .list(let row, let column):
            guard let index = pane.list.index(row: row, column: column, layout) else { return }
            let isAgain = focus == .list && index == pane.list.selected
            if focus == .field { leaveField() }
            focus = .list
            searches.list.select(index)
            if isAgain { toggleDetails() }
        case .details, nil: break
        }
    }

    // MARK: The daemon

    private mutating func take(_ message: Message) {
        switch message {
        case .notification(let method, let params?):
            let notification = NotificationName(exactly: method)
            if notification == .libraryChanged { return libraryChanged(params) }
            guard let current = outbox.id(where: \.isSearch), params[.request]?.int == current else { return }
            searches.web.received(notification, params)
        case .notification: break
        case .result(let id, let result): if let purpose = outbox.answered(id) { take(result, of: purpose) }
        case .failure(let id?, let error): if let purpose = outbox.answered(id) { fail(purpose, error) }
        case .failure(nil, let error): self.message = (error.sentence, true)
        }
    }

    private mutating func take(_ result: JSONCursor, of purpose: LiveOutbox.Purpose) {
        switch purpose {
        case .search(let isMore):
            let report = SearchReport(result)
            saved.formUnion(report.saved)
            searches.web.finish(result, report, isMore: isMore)
        case .renewal: searches.web.received(renewal: result, &outbox)
        case .suggest: searches.web.received(suggestions: result)
        case .history: searches.web.received(history: result)
        case .revision: saved.received(revision: result, &outbox)
        case .watch: libraryChanged(result)
        case .list(let isMore): searches.finish(library: result, isMore: isMore, &outbox)
        case .sources(let subject):
            let chosen = subject == .kinds ? search.kinds : search.sources
            overlay = .picker(Picker(subject, ofListed: result, chosen: chosen))
        case .lookup(let id):
            details.lookedUp(id, result)
            if details.item?.id == id, result[.saved]?.bool == true { saved.insert(id) }
        case .savedItem(let id): details.received(saved: result[.item], of: id)
        case .editNote(let id): promptAgain(id, isNote: true, result)
        case .editTags(let id): promptAgain(id, isNote: false, result)
        case .picture(let key): pictures.received(result, of: key, &outbox)
        case .save, .forget, .note, .tag: changeAnswered(purpose, result)
        case .hello, .undo: break
        }
    }

    private mutating func fail(_ purpose: LiveOutbox.Purpose, _ error: ClientError) {
        switch purpose {
        case .search(let isMore):
            guard searches.web.fail(error, isMore: isMore) else { return }
            message = (error.sentence, true)
            // A daemon that was started anew does not know how far the list was read.
            guard isMore, error.code == .init(.invalidParams) else { return }
            message = ("searchd was started anew: this list is searched again", false)
            searches.web.renew(&outbox)
        case .renewal:
            _ = searches.web.fail(error, isMore: true)
            message = (error.sentence, true)
        case .list(let isMore): searches.library.fail(error, isMore: isMore)
        case .lookup(let id): details.lookupFailed(id, error)
        case .picture(let key): pictures.fail(key, &outbox)
        // A daemon without personal data says so when something is saved.
        case .hello, .suggest, .history, .revision, .watch, .savedItem: break
        case .sources, .save, .forget, .editNote, .editTags, .note, .tag, .undo: message = (error.sentence, true)
        }
    }

    /// Another program, or this one, has changed the library.
    private mutating func libraryChanged(_ change: JSONCursor) {
        saved.received(change: change)
        details.received(change: change)
        searches.libraryChanged(&outbox)
    }

    private mutating func changeAnswered(_ purpose: LiveOutbox.Purpose, _ result: JSONCursor) {
        guard let answer = LibraryChanges.Answer(result) else {
            if purpose == .forget { message = ("it was not saved any more", false) }
            return
        }
        if purpose == .save { saved.insert(answer.id) }
        if purpose == .forget { saved.remove(answer.id) }
        let wasAdded = result[.added]?.int ?? 0 > 0
        message = changes.received(answer, of: purpose, wasAdded: wasAdded).map { ($0, false) }
        details.received(saved: purpose == .forget ? nil : answer.first, of: answer.id)
    }

    /// The library's item has come, of which the note or the tags are asked for.
    private mutating func promptAgain(_ id: ExactText, isNote: Bool, _ result: JSONCursor) {
        guard let item = searches.list.current, item.id == id, let saved = result[.item] else { return }
        details.received(saved: saved, of: id)
        prompt(item, isNote: isNote, saved: saved)
    }
}

extension ClientError {
    /// What happened and what to do, on one line, safe on a terminal.
    var sentence: String { VisibleText.visible([message, hint].compactMap(\.self).joined(separator: ". ")) }
}
