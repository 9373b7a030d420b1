import SearchModel
import Terminal

/// Keys while something stands above the list.
extension LiveModel {
    mutating func take(_ input: InputEvent, over overlay: LiveOverlay) {
        if let action = LiveKeys.action(input, in: []) {
            switch action {
            case .interrupt: return effects.append(.quit(.interrupted))
            case .suspend: return effects.append(.suspend)
            case .redraw: return effects.append(.redraw)
            default: break
            }
        }
        switch overlay {
        case .help(let firstLine): takeForHelp(input, firstLine)
        case .picker(let picker): take(input, picker)
        case .prompt(let prompt): take(input, prompt)
        }
    }

    private mutating func takeForHelp(_ input: InputEvent, _ firstLine: Int) {
        let last = max(0, LiveHelp.lines(columns: columns).count - layout.rows + 1)
        let page = max(1, rows - 2)
        let wanted: Int
        switch LiveKeys.action(input, in: LiveKeys.list) ?? wheel(input) {
        case .down: wanted = firstLine + 1
        case .up: wanted = firstLine - 1
        case .pageDown, .halfDown: wanted = firstLine + page
        case .pageUp, .halfUp: wanted = firstLine - page
        case .top: wanted = 0
        case .bottom: wanted = last
        default: return overlay = nil
        }
        overlay = .help(firstLine: min(max(0, wanted), last))
    }

    private mutating func take(_ input: InputEvent, _ picker: Picker) {
        var picker = picker
        switch LiveKeys.action(input, in: LiveKeys.list) ?? wheel(input) {
        case .down: picker.move(by: 1)
        case .up: picker.move(by: -1)
        case .pageDown where input == .text(" "): picker.toggle()
        case .pageDown: picker.move(by: max(1, rows - 4))
        case .pageUp: picker.move(by: -max(1, rows - 4))
        case .top: picker.move(by: -picker.entries.count)
        case .bottom: picker.move(by: picker.entries.count)
        case .open:
            picker.chooseUnlessChanged()
            return apply(picker)
        case .undo: picker.clear()
        case .back, .quit, .kinds, .sources: return overlay = nil
        default: break
        }
        overlay = .picker(picker)
    }

    private mutating func apply(_ picker: Picker) {
        overlay = nil
        switch picker.subject {
        // All of them are the same as none.
        case .kinds:
            search.kinds = picker.names.count > 1 && picker.names.count == picker.entries.count ? [] : picker.names
        case .sources: search.sources = picker.names
        }
        if isLibrary { listLibrary(isNew: true) } else { startSearch() }
    }

    private mutating func take(_ input: InputEvent, _ prompt: ItemPrompt) {
        var prompt = prompt
        switch input {
        case .key(Key(.escape)): return overlay = nil
        case .key(Key(.enter)):
            overlay = nil
            return apply(prompt)
        case .key(Key(.up)) where prompt.subject.isNote: prompt.rate(by: 1)
        case .key(Key(.down)) where prompt.subject.isNote: prompt.rate(by: -1)
        default: _ = prompt.field.received(input)
        }
        overlay = .prompt(prompt)
    }

    private func wheel(_ input: InputEvent) -> LiveAction? {
        guard case .mouse(let mouse) = input else { return nil }
        switch mouse.action {
        case .wheelDown: return .down
        case .wheelUp: return .up
        // A click closes the help, and does nothing else.
        case .click: return nil
        }
    }
}
