import Client
import Hangul
import Terminal

/// What a key of `live` asks for.
enum LiveAction: CaseIterable, Sendable {
    case field, nextPane, previousPane, back
    case down, up, left, right, pageDown, pageUp, halfDown, halfUp, top, bottom
    case open, details, copy
    case save, note, tag, undo
    case sort, kinds, sources, group, library
    case refresh, offline, redraw, help, suspend, quit, interrupt
    case older, newer, nextSuggestion, previousSuggestion
}

/// Which keys do what, and what the help says of them: one table for both.
struct LiveKeys {
    struct Binding: Sendable {
        let events: [InputEvent]
        let action: LiveAction
        /// The keys as the help writes them.
        let label: String
        let help: String
    }

    /// Keys that mean the same everywhere.
    static let always: [Binding] = [
        key([Key(.tab)], .nextPane, "Tab", "next pane"),
        key([Key(.tab, hasShift: true)], .previousPane, "Shift-Tab", "pane before"),
        key([.control("r")], .refresh, "Ctrl-R", "ask the sources again"),
        key([.control("o")], .offline, "Ctrl-O", "only what is here, and all"),
        key([.control("l")], .redraw, "Ctrl-L", "draw anew"),
        key([.control("z")], .suspend, "Ctrl-Z", "suspend; “fg” comes back"),
        key([.control("c")], .interrupt, "Ctrl-C", "quit"),
        key([Key(.function(1))], .help, "F1", "this help"),
    ]

    /// In the list and in the details.
    static let list: [Binding] = [
        text("j", [Key(.down), .control("n")], .down, "↓ j", "next"),
        text("k", [Key(.up), .control("p")], .up, "↑ k", "the one before"),
        key([Key(.left)], .left, "←", "the picture to the left"),
        key([Key(.right)], .right, "→", "the picture to the right"),
        text(" ", [Key(.pageDown), .control("f")], .pageDown, "PgDn Space", "a page down"),
        text("b", [Key(.pageUp), .control("b")], .pageUp, "PgUp b", "a page up"),
        key([.control("d")], .halfDown, "Ctrl-D", "half a page down"),
        key([.control("u")], .halfUp, "Ctrl-U", "half a page up"),
        text("g", [Key(.home)], .top, "Home g", "to the first"),
        text("G", [Key(.end)], .bottom, "End G", "to the last there is now"),
        text("/", [], .field, "/", "search for something else"),
        key([Key(.enter)], .open, "Enter", "open it in the browser"),
        text("d", [], .details, "d", "all that is known of it"),
        text("y", [], .copy, "y", "copy its link"),
        text("s", [], .save, "s", "save it, or forget it"),
        text("n", [], .note, "n", "write a note, with stars"),
        text("t", [], .tag, "t", "its tags"),
        text("u", [], .undo, "u", "undo the last change"),
        text("o", [], .sort, "o", "another order"),
        text("Kc", [], .kinds, "K c", "kinds: web, blog, book…"),
        text("f", [], .sources, "f", "sources"),
        text("Ll", [], .library, "L", "your library, and back"),
        text("v", [], .group, "v", "group the library"),
        text("?", [], .help, "?", "this help"),
        key([Key(.escape)], .back, "Esc", "close; back to search"),
        text("q", [], .quit, "q", "quit, or back"),
    ]

    /// In the search field, besides those that edit a line.
    static let field: [Binding] = [
        key([Key(.up)], .older, "↑", "an earlier search"),
        key([Key(.down)], .newer, "↓", "a later one; then the list"),
        key([.control("n")], .nextSuggestion, "Ctrl-N", "next suggestion"),
        key([.control("p")], .previousSuggestion, "Ctrl-P", "the one before"),
        key([Key(.enter)], .down, "Enter", "to the list"),
        key([Key(.pageDown)], .pageDown, "PgDn", "a page down"),
        key([Key(.pageUp)], .pageUp, "PgUp", "a page up"),
        key([Key(.escape)], .back, "Esc", "to the list"),
    ]

    /// What an event asks for in one of the tables; letters of a keyboard in the mode of Hangul are the keys they stand
    /// on.
    static func action(_ event: InputEvent, in table: [Binding]) -> LiveAction? {
        let bindings = table + always
        if let found = bindings.first(where: { $0.events.contains(event) }) { return found.action }
        guard case .text(let text) = event else { return nil }
        let latin = InputEvent.text(KeyboardLayout.latin(typedAs: text))
        return bindings.first { $0.events.contains(latin) }?.action
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
