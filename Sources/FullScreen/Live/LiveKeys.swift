import Hangul
import Terminal

enum LiveAction: CaseIterable, Sendable {
    case field, nextPane, back
    case down, up, left, right, pageDown, pageUp, top, bottom
    case open, read, details, copy
    case save, note, tag, undo
    case sort, kinds, sources, library
    case refresh, offline, redraw, help, suspend, quit, interrupt
    case older, newer, nextSuggestion, previousSuggestion

    func target(from line: Int, page: Int) -> Int? {
        switch self {
        case .down: line + 1
        case .up: line - 1
        case .pageDown: line + page
        case .pageUp: line - page
        case .top: 0
        case .bottom: .max
        default: nil
        }
    }
}

/// The keys of `live`, with their actions and their help.
struct LiveKeys {
    struct Binding: Sendable {
        let events: [InputEvent]
        let action: LiveAction
        let label: String
        let help: String
    }

    static let always: [Binding] = [
        key([.control("r")], .refresh, "Ctrl-R", "ask the sources again"),
        key([.control("o")], .offline, "Ctrl-O", "offline search on or off"),
        key([.control("l")], .redraw, "Ctrl-L", "redraw the screen"),
        key([.control("z")], .suspend, "Ctrl-Z", "suspend; “fg” resumes"),
        key([.control("c")], .interrupt, "Ctrl-C", "quit"),
        key([Key(.function(1))], .help, "F1", "show this help"),
    ]

    static let list: [Binding] = [
        text("j", [Key(.down), .control("n")], .down, "↓ j", "go to the next hit"),
        text("k", [Key(.up), .control("p")], .up, "↑ k", "go to the previous hit"),
        key([Key(.left)], .left, "←", "go to the left picture"),
        key([Key(.right)], .right, "→", "go to the right picture"),
        text(" ", [Key(.pageDown), .control("f")], .pageDown, "PgDn Space", "go down a page"),
        text("b", [Key(.pageUp), .control("b")], .pageUp, "PgUp b", "go up a page"),
        text("g", [Key(.home)], .top, "Home g", "go to the first hit"),
        text("G", [Key(.end)], .bottom, "End G", "go to the last loaded hit"),
        text("/", [], .field, "/", "edit the query"),
        key([Key(.tab)], .nextPane, "Tab", "go to details or query"),
        key([Key(.enter)], .open, "Enter", "open it in the browser"),
        text("R", [], .read, "R", "read its page here"),
        text("d", [], .details, "d", "show its details"),
        text("y", [], .copy, "y", "copy its link"),
        text("s", [], .save, "s", "save it, or remove it"),
        text("n", [], .note, "n", "write a note, add stars"),
        text("t", [], .tag, "t", "edit its tags"),
        text("u", [], .undo, "u", "undo the last change"),
        text("o", [], .sort, "o", "change the order"),
        text("Kc", [], .kinds, "K c", "choose kinds of hits"),
        text("f", [], .sources, "f", "choose sources"),
        text("Ll", [], .library, "L", "show or leave library"),
        text("?", [], .help, "?", "show this help"),
        key([Key(.escape)], .back, "Esc", "close, or go to the query"),
        text("q", [], .quit, "q", "quit, or go back"),
    ]

    static let field: [Binding] = [
        key([Key(.up), .control("p")], .older, "↑", "show an earlier search"),
        key([Key(.down), .control("n")], .newer, "↓", "later search, or go to list"),
        key([Key(.tab)], .nextSuggestion, "Tab", "take the next suggestion"),
        key([Key(.tab, hasShift: true)], .previousSuggestion, "Shift-Tab", "take previous suggestion"),
        key([Key(.enter)], .down, "Enter", "go to the list"),
        key([Key(.pageDown)], .pageDown, "PgDn", "go down a page"),
        key([Key(.pageUp)], .pageUp, "PgUp", "go up a page"),
        key([Key(.escape)], .back, "Esc", "go to the list"),
    ]

    /// A Hangul letter works like the Latin letter on the same key.
    static func action(_ event: InputEvent, in table: [Binding]) -> LiveAction? {
        let bindings = table + always
        if let found = bindings.first(where: { $0.events.contains(event) }) { return found.action }
        guard case .text(let text) = event else { return nil }
        let latin = InputEvent.text(KeyboardLayout.latin(typedAs: text))
        return bindings.first { $0.events.contains(latin) }?.action
    }

    static func scrollAction(_ event: InputEvent) -> LiveAction? {
        guard case .mouse(let mouse) = event else { return action(event, in: list) }
        return mouse.action == .wheelDown ? .down : mouse.action == .wheelUp ? .up : nil
    }

    private static func key(_ keys: [Key], _ action: LiveAction, _ label: String, _ help: String) -> Binding {
        Binding(events: keys.map(InputEvent.key), action: action, label: label, help: help)
    }

    private static func text(
        _ letters: String,
        _ keys: [Key],
        _ action: LiveAction,
        _ label: String,
        _ help: String
    ) -> Binding {
        let texts = letters.unicodeScalars.map { InputEvent.text(String($0)) }
        return Binding(events: texts + keys.map(InputEvent.key), action: action, label: label, help: help)
    }
}
