import Client
import JSON
import RPC
import SearchModel
import Terminal

/// Handles keys and the mouse.
extension LiveModel {
    mutating func handle(_ input: InputEvent) {
        if let overlay { return handle(input, in: overlay) }
        if case .mouse(let mouse) = input { return handle(mouse) }
        if focus == .field {
            if let action = LiveKeys.action(input, in: LiveKeys.field) { perform(action) } else { edit(input) }
        } else if let action = LiveKeys.action(input, in: LiveKeys.list) {
            perform(action)
        } else if case .paste = input {
            focus = .field
            edit(input)
        }
    }

    private mutating func edit(_ input: InputEvent) {
        let isForward = input == .key(Key(.right)) || input == .key(Key(.end))
        if isForward, pane.field.isAtEnd, let suggestion = offered {
            web.field.replace(suggestion)
        } else if !pane.field.receive(input) {
            return
        }
        history.reset()
        edited()
    }

    private var offered: String? {
        guard !isLibrary, chosenSuggestion == nil else { return nil }
        return (web.list.items.isEmpty ? didYouMean.first : nil) ?? suggestions.first
    }

    private mutating func perform(_ action: LiveAction) {
        switch action {
        case .down, .up, .left, .right, .pageDown, .pageUp, .top, .bottom: move(action)
        case .field: focus = .field
        case .nextPane: focus = focus == .list && details != nil ? .details : .field
        case .back: goBack()
        case .older: if !isLibrary, let query = history.older(than: web.field.text) { take(query) }
        case .newer: if !isLibrary, let query = history.newer() { take(query) } else { leaveField() }
        case .nextSuggestion: choose(suggestion: chosenSuggestion.map { $0 + 1 } ?? 0)
        case .previousSuggestion: choose(suggestion: (chosenSuggestion ?? 0) - 1)
        case .open: if let url = link() { effects.append(.open(url)) }
        case .read: if let url = link() { effects.append(.read(url)) }
        case .details: toggleDetails()
        case .copy: copyLink()
        case .save: saveOrForget()
        case .note, .tag: annotate(action)
        case .undo: message = (undo().map { "undone: \($0)" } ?? "nothing to undo", false)
        case .sort: nextSort()
        case .kinds: send(.sourceList, .sources(.kinds))
        case .sources where isLibrary: message = ("press K to choose kinds in the library", false)
        case .sources: send(.sourceList, .sources(.sources))
        case .library: toggleLibrary()
        case .refresh: if isLibrary { listLibrary() } else { startSearch(isFresh: true) }
        case .offline: toggleOffline()
        case .redraw: effects.append(.redraw)
        case .help: overlay = .help(firstLine: 0)
        case .suspend: effects.append(.suspend)
        case .quit where focus == .details || isLibrary: goBack()
        case .quit: effects.append(.quit(.found))
        case .interrupt: effects.append(.quit(.interrupted))
        }
    }

    private mutating func take(_ query: String) {
        web.field.replace(query)
        edited()
    }

    private mutating func move(_ action: LiveAction) {
        switch focus {
        case .details: scrollDetails(action)
        case .list: pane.list.move(action, layout.grid)
        case .field:
            leaveField()
            // ↓ moves the focus from the field to the list, but keeps the selection.
            if action != .down { pane.list.move(action, layout.grid) }
        }
    }

    private mutating func scrollDetails(_ action: LiveAction) {
        guard let details, let area = layout.details,
            let wanted = action.target(from: details.firstLine, page: max(1, area.rows - 1))
        else { return }
        let last = max(0, details.lines(columns: area.columns, zone: zone).count - area.rows)
        self.details?.firstLine = min(max(0, wanted), last)
    }

    private mutating func leaveField() {
        if !isLibrary { recordSearch() }
        suggestions = []
        focus = details != nil && layout.list.rows == 0 ? .details : .list
    }

    private mutating func goBack() {
        if focus == .field { return leaveField() }
        if details != nil { return closeDetails() }
        if isLibrary { toggleLibrary() } else { focus = .field }
    }

    private mutating func closeDetails() { (details, focus) = (nil, .list) }

    private mutating func toggleDetails() {
        guard details == nil else { return closeDetails() }
        details = pane.list.current.map { ItemDetails($0) }
        lookUp()
        if details != nil, layout.list.rows == 0 { focus = .details }
    }

    private mutating func toggleLibrary() {
        isLibrary.toggle()
        suggestions = []
        closeDetails()
        if isLibrary { listLibrary() }
    }

    private mutating func nextSort() {
        if isLibrary {
            librarySort = librarySort.next
            listLibrary(isNew: true)
        } else {
            search.sort = search.sort.next
            startSearch()
        }
    }

    private mutating func toggleOffline() {
        guard !isLibrary else { return }
        search.isOffline.toggle()
        startSearch()
    }

    private mutating func link() -> String? {
        guard let hit = pane.list.current?.hit else { return nil }
        if let url = FoundHit(hit).url, !url.isEmpty { return url }
        message = ("the item has no link", true)
        return nil
    }

    private mutating func copyLink() {
        guard let url = link() else { return }
        effects.append(.copy(url))
        message = ("copied \(VisibleText.visible(ReadableAddress.text(url)))", false)
    }

    private mutating func saveOrForget() {
        guard let item = pane.list.current else { return }
        if isSaved(item.id) { forget(item) } else { save(item) }
    }

    private mutating func annotate(_ action: LiveAction) {
        guard let item = pane.list.current else { return }
        guard isSaved(item.id) else { return prompt(action, item, saved: nil) }
        send(.libraryGet, .item(item.id, action)) { $0.member(.id, item.id.text) }
    }

    mutating func prompt(_ action: LiveAction, _ item: HitList.Item, saved: JSONCursor?) {
        overlay = .prompt(ItemPrompt(isNote: action == .note, item, saved: saved))
    }

    private mutating func handle(_ input: InputEvent, in overlay: LiveOverlay) {
        switch LiveKeys.action(input, in: []) {
        case .interrupt: return effects.append(.quit(.interrupted))
        case .suspend: return effects.append(.suspend)
        case .redraw: return effects.append(.redraw)
        default: break
        }
        switch overlay {
        case .help(let firstLine): self.overlay = help(firstLine, input).map { .help(firstLine: $0) }
        case .picker(let picker): handle(input, in: picker)
        case .prompt(var prompt):
            switch input {
            case .key(Key(.escape)): self.overlay = nil
            case .key(Key(.enter)):
                self.overlay = nil
                apply(prompt)
            default:
                prompt.receive(input)
                self.overlay = .prompt(prompt)
            }
        }
    }

    private func help(_ firstLine: Int, _ input: InputEvent) -> Int? {
        let last = max(0, LiveHelp.lines(columns: columns).count - rows + 1)
        let wanted = LiveKeys.scrollAction(input)?.target(from: firstLine, page: max(1, rows - 2))
        return wanted.map { min(max(0, $0), last) }
    }

    private mutating func handle(_ input: InputEvent, in picker: Picker) {
        var picker = picker
        switch LiveKeys.scrollAction(input) {
        case .pageDown where input == .text(" "): picker.toggle()
        case .undo: picker.clear()
        case .back, .quit, .kinds, .sources: return overlay = nil
        case .open:
            picker.chooseSelected()
            overlay = nil
            return apply(picker)
        case let action: picker.select(action?.target(from: picker.selected, page: max(1, rows - 4)))
        }
        overlay = .picker(picker)
    }

    private mutating func apply(_ picker: Picker) {
        switch picker.subject {
        case .kinds: search.kinds = picker.names
        case .sources: search.sources = picker.names
        }
        if isLibrary { listLibrary(isNew: true) }
        askForKeys()
        startSearch()
    }

    private mutating func handle(_ mouse: Mouse) {
        let layout = layout
        let isInDetails = [layout.details, layout.detailsPicture].contains { $0?.contains(mouse) == true }
        switch mouse.action {
        case .wheelDown where isInDetails: scrollDetails(.down)
        case .wheelUp where isInDetails: scrollDetails(.up)
        case .wheelDown: pane.list.move(.down, layout.grid)
        case .wheelUp: pane.list.move(.up, layout.grid)
        case .click where isInDetails: focus = .details
        case .click where mouse.row == 0: focus = .field
        case .click:
            guard let place = layout.grid.place(at: mouse, in: layout.list) else { return }
            let index = pane.list.top + place
            guard pane.list.items.indices.contains(index) else { return }
            let isAgain = focus == .list && index == pane.list.selected
            if focus == .field { leaveField() }
            focus = .list
            pane.list.select(index)
            if isAgain { toggleDetails() }
        }
    }
}
