import JSON
import RPC
import SearchModel
import Terminal

/// What keys and the mouse do.
extension LiveModel {
    mutating func take(_ input: InputEvent) {
        if case .lost = connection { effects.append(.connect) }
        if let overlay { return take(input, over: overlay) }
        if case .mouse(let mouse) = input { return take(mouse) }
        if focus == .field {
            if let action = LiveKeys.action(input, in: LiveKeys.field) { return perform(action) }
            editField(input)
        } else if let action = LiveKeys.action(input, in: LiveKeys.list) {
            perform(action)
        } else if case .paste = input {
            focus = .field
            editField(input)
        }
    }

    private mutating func editField(_ input: InputEvent) {
        let before = field.text
        if field.isAtEnd, input == .key(Key(.right)) || input == .key(Key(.end)), let guess {
            return search(for: guess)
        }
        guard field.received(input), !field.text.hasSameBytes(as: before) else { return }
        history.edited()
        fieldChanged()
    }

    /// What → at the end of the field takes.
    private var guess: String? {
        if isLibrary { return nil }
        let meant = web.list.items.isEmpty ? web.didYouMean.first : nil
        return suggestions.chosen == nil ? meant ?? suggestions.texts.first : nil
    }

    private mutating func search(for text: String) {
        field.replace(text)
        fieldChanged()
    }

    // MARK: Actions

    private mutating func perform(_ action: LiveAction) {
        switch action {
        case .down, .up, .pageDown, .pageUp, .halfDown, .halfUp, .top, .bottom: move(action)
        case .field: focus = .field
        case .nextPane: focus = panes[((panes.firstIndex(of: focus) ?? 0) + 1) % panes.count]
        case .previousPane: focus = panes[((panes.firstIndex(of: focus) ?? 0) + panes.count - 1) % panes.count]
        case .back: goBack()
        case .older: if !isLibrary, let query = history.older(than: field.text) { search(for: query) }
        case .newer:
            guard !isLibrary, let query = history.newer() else { return leaveField() }
            search(for: query)
        case .nextSuggestion: if let text = suggestions.choose(by: 1) { take(suggestion: text) }
        case .previousSuggestion: if let text = suggestions.choose(by: -1) { take(suggestion: text) }
        case .open: openCurrent()
        case .details: toggleDetails()
        case .copy: copyLink()
        case .save: saveOrForget()
        case .note: editKept(isNote: true)
        case .tag: editKept(isNote: false)
        case .undo: undo()
        case .sort: nextSort()
        case .kinds: send(.sourceList, .sources(.kinds))
        case .sources where isLibrary: message = ("the library has all sources; K chooses kinds", false)
        case .sources: send(.sourceList, .sources(.sources))
        case .group: groupLibrary()
        case .library: toggleLibrary()
        case .refresh: if isLibrary { listLibrary() } else { startSearch(isFresh: true) }
        case .redraw: effects.append(.redraw)
        case .help: overlay = .help(firstLine: 0)
        case .suspend: effects.append(.suspend)
        case .quit: effects.append(.quit(.found))
        case .interrupt: effects.append(.quit(.interrupted))
        }
    }

    private var panes: [Focus] {
        if details == nil { return [.field, .list] }
        return layout.list.rows > 0 ? [.field, .list, .details] : [.field, .details]
    }

    private mutating func move(_ action: LiveAction) {
        if focus == .details { return scrollDetails(action) }
        if focus == .field { leaveField() }
        let page = layout.page
        switch action {
        case .down: if focus == .list { pane.list.move(by: 1) }
        case .up: pane.list.move(by: -1)
        case .pageDown: pane.list.move(by: page)
        case .pageUp: pane.list.move(by: -page)
        case .halfDown: pane.list.move(by: max(1, page / 2))
        case .halfUp: pane.list.move(by: -max(1, page / 2))
        case .top: pane.list.select(0)
        default: pane.list.select(.max)
        }
    }

    private mutating func scrollDetails(_ action: LiveAction) {
        guard let area = layout.details, let lines = details?.lines(columns: area.columns, zone: zone).count else {
            return
        }
        let page = max(1, area.rows - 1)
        let distance: Int =
            switch action {
            case .down: 1
            case .up: -1
            case .pageDown: page
            case .pageUp: -page
            case .halfDown: max(1, page / 2)
            case .halfUp: -max(1, page / 2)
            case .top: -lines
            default: lines
            }
        details?.scroll(by: distance, in: area, zone)
    }

    /// The list is used: what is in the field was meant.
    private mutating func leaveField() {
        if !isLibrary { history.add(webField.text) }
        suggestions = LiveSuggestions()
        focus = details != nil && layout.list.rows == 0 ? .details : .list
    }

    private mutating func goBack() {
        switch focus {
        case .field: leaveField()
        case .list where details != nil, .details: closeDetails()
        case .list: if isLibrary { toggleLibrary() } else { focus = .field }
        }
    }

    private mutating func closeDetails() {
        details = nil
        focus = .list
    }

    private mutating func take(suggestion text: String) {
        field.replace(text)
        let shown = suggestions
        fieldChanged()
        // Those that are being gone through stay.
        requests.forget { $0 == .suggest }
        suggestions = shown
    }

    private mutating func toggleDetails() {
        guard details == nil else { return closeDetails() }
        guard let item = pane.list.current else { return }
        details = ItemDetails(item)
        lookUpDetails()
        if layout.list.rows == 0 { focus = .details }
    }

    private mutating func openCurrent() {
        guard let hit = pane.list.current?.hit else { return }
        guard let url = FoundHit(hit).url, !url.isEmpty else { return message = ("it has no link", true) }
        effects.append(.open(url))
    }

    private mutating func copyLink() {
        guard let hit = pane.list.current?.hit else { return }
        guard let url = FoundHit(hit).url, !url.isEmpty else { return message = ("it has no link", true) }
        effects.append(.copy(url))
        message = ("copied \(VisibleText.visible(ReadableAddress.text(url)))", false)
    }

    private mutating func nextSort() {
        if isLibrary {
            library.nextSort()
            return listLibrary(isNew: true)
        }
        search.nextSort()
        startSearch()
    }

    private mutating func groupLibrary() {
        guard isLibrary else { return message = ("only the library is grouped: L", false) }
        library.nextGroup()
        listLibrary(isNew: true)
    }

    private mutating func toggleLibrary() {
        isLibrary.toggle()
        details = nil
        suggestions = LiveSuggestions()
        focus = .list
        if isLibrary, isLibraryOld || !items.isAnswered { listLibrary() }
    }

    // MARK: Mouse

    private mutating func take(_ mouse: Mouse) {
        let layout = layout
        if let area = layout.details, area.contains(row: mouse.row, column: mouse.column) {
            return take(mouse, overDetails: area)
        }
        switch mouse.action {
        case .wheelDown: pane.list.move(by: 1)
        case .wheelUp: pane.list.move(by: -1)
        case .click where mouse.row == 0:
            focus = .field
            let start = LiveScreen.fieldColumn(isLibrary: isLibrary, columns: columns)
            field.moveCursor(toShown: mouse.column - start, columns: columns - start)
        case .click where mouse.row == layout.secondRow && !isLibrary:
            let spans = suggestions.spans(columns: columns)
            guard let index = spans.firstIndex(where: { $0.columns.contains(mouse.column) }) else { return }
            take(suggestion: suggestions.choose(index))
        case .click where layout.list.contains(row: mouse.row, column: mouse.column):
            let visible = pane.list.visible(rows: layout.list.rows, itemRows: layout.itemRows)
            guard let item = visible.last(where: { $0.row <= mouse.row - layout.list.row }) else { return }
            let isAgain = focus == .list && item.index == pane.list.selected
            if focus == .field { leaveField() }
            focus = .list
            pane.list.select(item.index)
            if isAgain { toggleDetails() }
        case .click: break
        }
    }

    private mutating func take(_ mouse: Mouse, overDetails area: LiveLayout.Area) {
        switch mouse.action {
        case .wheelDown: details?.scroll(by: 1, in: area, zone)
        case .wheelUp: details?.scroll(by: -1, in: area, zone)
        case .click: focus = .details
        }
    }
}
