import Client
import JSON
import RPC
import SearchModel
import Terminal

/// The field of a search: the line that is edited, what was searched before, and what might be typed next; pure.
struct SearchField {
    private(set) var line: TextField
    private(set) var suggestions = LiveSuggestions()
    private var history = QueryHistory()

    init(_ text: String) { line = TextField(text) }

    var text: String { line.text }

    /// Takes text, a paste or an editing key; whether the text has changed.
    mutating func received(_ input: InputEvent) -> Bool {
        guard line.receivedChange(input) else { return false }
        history.edited()
        return true
    }

    mutating func replace(_ text: String) { line.replace(text) }

    mutating func moveCursor(toShown column: Int, columns: Int) { line.moveCursor(toShown: column, columns: columns) }

    /// What is in the field was meant: it is the latest of what was searched.
    mutating func leave() {
        history.add(text)
        suggestions = LiveSuggestions()
    }

    // MARK: Earlier searches

    mutating func received(history queries: [String]) { history.replace(queries) }

    /// Puts an earlier search into the field; false at the oldest.
    mutating func takeOlder() -> Bool { take(history.older(than: text)) }

    /// Puts a later one there, at last what was typed; false when that is there already.
    mutating func takeNewer() -> Bool { take(history.newer()) }

    private mutating func take(_ query: String?) -> Bool {
        guard let query else { return false }
        line.replace(query)
        return true
    }

    // MARK: Suggestions

    mutating func received(suggestions texts: [String]) {
        suggestions = LiveSuggestions(texts.filter { !$0.hasSameBytes(as: text) })
    }

    mutating func clearSuggestions() { suggestions = LiveSuggestions() }

    /// The suggestion that → takes; nil while they are gone through by key.
    var guess: String? { suggestions.chosen == nil ? suggestions.texts.first : nil }

    /// Puts the next suggestion into the field, or the one before; false when there is none.
    mutating func chooseSuggestion(by count: Int) -> Bool { take(suggestions.choose(by: count)) }

    /// Puts the suggestion at a column of their row into the field; false when none stands there.
    mutating func chooseSuggestion(atColumn column: Int, of columns: Int) -> Bool {
        let spans = suggestions.spans(columns: columns)
        guard let index = spans.firstIndex(where: { $0.columns.contains(column) }) else { return false }
        return take(suggestions.choose(index))
    }
}
