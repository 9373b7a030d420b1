import SearchModel
import Terminal

/// What stands above the list until it is closed; pure.
enum LiveOverlay {
    case help(firstLine: Int)
    case picker(Picker)
    case prompt(ItemPrompt)

    /// What a key comes to.
    enum Outcome {
        /// It stays open, as it is now.
        case open(LiveOverlay)
        case closed
        case picked(Picker)
        case filled(ItemPrompt)
    }

    func received(_ input: InputEvent, columns: Int, rows: Int) -> Outcome {
        switch self {
        case .help(let firstLine): Self.help(firstLine, input, columns: columns, rows: rows)
        case .picker(let picker): Self.picker(picker, input, rows: rows)
        case .prompt(let prompt): Self.prompt(prompt, input)
        }
    }

    private static func help(_ firstLine: Int, _ input: InputEvent, columns: Int, rows: Int) -> Outcome {
        let last = max(0, LiveHelp.lines(columns: columns).count - rows + 1)
        let page = max(1, rows - 2)
        let wanted: Int
        switch LiveKeys.action(input, in: LiveKeys.list) ?? wheel(input) {
        case .down: wanted = firstLine + 1
        case .up: wanted = firstLine - 1
        case .pageDown, .halfDown: wanted = firstLine + page
        case .pageUp, .halfUp: wanted = firstLine - page
        case .top: wanted = 0
        case .bottom: wanted = last
        default: return .closed
        }
        return .open(.help(firstLine: min(max(0, wanted), last)))
    }

    private static func picker(_ picker: Picker, _ input: InputEvent, rows: Int) -> Outcome {
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
            return .picked(picker)
        case .undo: picker.clear()
        case .back, .quit, .kinds, .sources: return .closed
        default: break
        }
        return .open(.picker(picker))
    }

    private static func prompt(_ prompt: ItemPrompt, _ input: InputEvent) -> Outcome {
        var prompt = prompt
        switch input {
        case .key(Key(.escape)): return .closed
        case .key(Key(.enter)): return .filled(prompt)
        case .key(Key(.enter, hasAlt: true)) where prompt.subject.isNote: prompt.breakLine()
        case .key(Key(.up)) where prompt.subject.isNote: prompt.rate(by: 1)
        case .key(Key(.down)) where prompt.subject.isNote: prompt.rate(by: -1)
        default: _ = prompt.field.received(input)
        }
        return .open(.prompt(prompt))
    }

    private static func wheel(_ input: InputEvent) -> LiveAction? {
        guard case .mouse(let mouse) = input else { return nil }
        switch mouse.action {
        case .wheelDown: return .down
        case .wheelUp: return .up
        // A click closes the help, and does nothing else.
        case .click: return nil
        }
    }
}
