import Client
import Hangul
import JSON
import SearchModel
import Terminal

/// One line of text that is being edited, in whole graphemes; pure.
///
/// What an input method sends in letters (NFD, or a syllable that replaces the one before) is put together, so that the
/// text is always in normal form C.
struct TextField: Equatable {
    private let bytesMax: Int
    private(set) var graphemes: [Character] = []
    /// How many graphemes stand before the cursor.
    private(set) var cursor = 0

    init(_ text: String = "", bytesMax: Int = SearchQuery.bytesMax) {
        self.bytesMax = bytesMax
        insert(text)
    }

    var text: String { String(graphemes) }
    var isEmpty: Bool { graphemes.isEmpty }
    var isAtEnd: Bool { cursor == graphemes.count }
    /// The columns before the cursor, and of all of it.
    var columnsBeforeCursor: Int { graphemes[..<cursor].reduce(0) { $0 + DisplayWidth.columns(of: $1) } }

    // MARK: Editing

    /// Puts a text before the cursor; what does not fit is left out.
    ///
    /// Line ends become blanks.
    mutating func insert(_ text: String) {
        var head = String(graphemes[..<cursor])
        let tail = String(graphemes[cursor...])
        for scalar in text.unicodeScalars.prefix(bytesMax) {
            let isBlank = scalar.properties.isWhitespace
            guard isBlank || VisibleText.isSafe(scalar) else { continue }
            let kept = isBlank ? " " : scalar
            guard head.utf8.count + tail.utf8.count + kept.utf8.count <= bytesMax else { break }
            head.unicodeScalars.append(kept)
        }
        // Vowels and marks may join the grapheme before them.
        let before = Array(String(NormalForm.composed(head)))
        graphemes = before + Array(tail)
        cursor = before.count
    }

    mutating func replace(_ text: String) {
        graphemes = []
        cursor = 0
        insert(text)
    }

    private mutating func remove(_ range: Range<Int>) {
        graphemes.removeSubrange(range)
        cursor = range.lowerBound
    }

    /// Where the word before the cursor begins, and where the one behind it ends.
    private var wordStart: Int {
        let blanks = graphemes[..<cursor].reversed().prefix { $0 == " " }.count
        return cursor - blanks - graphemes[..<(cursor - blanks)].reversed().prefix { $0 != " " }.count
    }

    private var wordEnd: Int {
        let blanks = graphemes[cursor...].prefix { $0 == " " }.count
        return cursor + blanks + graphemes[(cursor + blanks)...].prefix { $0 != " " }.count
    }

    /// What an editing key does.
    enum Operation: CaseIterable {
        case left, right, wordLeft, wordRight, start, end
        case deleteLeft, deleteRight, deleteWord, deleteWordRight, deleteToStart, deleteToEnd
    }

    mutating func perform(_ operation: Operation) {
        switch operation {
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(graphemes.count, cursor + 1)
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .start: cursor = 0
        case .end: cursor = graphemes.count
        case .deleteLeft: remove(max(0, cursor - 1)..<cursor)
        case .deleteRight: remove(cursor..<min(graphemes.count, cursor + 1))
        case .deleteWord: remove(wordStart..<cursor)
        case .deleteWordRight: remove(cursor..<wordEnd)
        case .deleteToStart: remove(0..<cursor)
        case .deleteToEnd: remove(cursor..<graphemes.count)
        }
    }

    /// Takes text, a paste or an editing key; false for what is none of them.
    mutating func received(_ event: InputEvent) -> Bool {
        switch event {
        case .text(let text), .paste(let text): insert(text)
        case .key(let key):
            guard let operation = EditingKeys.table.first(where: { $0.keys.contains(key) })?.operation else {
                return false
            }
            perform(operation)
        case .mouse: return false
        }
        return true
    }

    /// Takes an event; whether the text is another one then.
    mutating func receivedChange(_ event: InputEvent) -> Bool {
        let before = text
        return received(event) && !text.hasSameBytes(as: before)
    }

    // MARK: Showing

    /// As much of it as fits, with the cursor in view, and the cursor's column.
    func shown(columns: Int) -> (text: String, cursor: Int) {
        let columns = max(2, columns)
        var start = 0
        var before = columnsBeforeCursor
        while before >= columns, start < cursor {
            before -= DisplayWidth.columns(of: graphemes[start])
            start += 1
        }
        return (String(graphemes[start...]), before)
    }

    /// Puts the cursor at a column of what is shown.
    mutating func moveCursor(toShown column: Int, columns: Int) {
        let hidden = columnsBeforeCursor - shown(columns: columns).cursor
        var left = hidden + column
        cursor =
            graphemes.prefix { grapheme in
                left -= DisplayWidth.columns(of: grapheme)
                return left >= 0
            }.count
    }
}

/// The keys that edit a line, and what the help says of them.
enum EditingKeys {
    static let table: [(keys: [Key], operation: TextField.Operation, label: String, help: String)] = [
        ([Key(.left), .control("b")], .left, "←", "a letter left"),
        ([Key(.right), .control("f")], .right, "→", "right, or the suggestion"),
        (
            [Key(.left, hasControl: true), Key(.left, hasAlt: true), .alt("b")], .wordLeft, "Ctrl-←", "a word left"
        ),
        (
            [Key(.right, hasControl: true), Key(.right, hasAlt: true), .alt("f")], .wordRight, "Ctrl-→", "a word right"
        ),
        ([Key(.home), .control("a")], .start, "Home", "to the start"),
        ([Key(.end), .control("e")], .end, "End", "to the end"),
        ([Key(.backspace)], .deleteLeft, "Backspace", "delete a letter"),
        ([Key(.delete), .control("d")], .deleteRight, "Delete", "delete the next letter"),
        ([.control("w"), Key(.backspace, hasAlt: true)], .deleteWord, "Ctrl-W", "delete a word"),
        ([.alt("d"), Key(.delete, hasControl: true)], .deleteWordRight, "Alt-D", "delete the next word"),
        ([.control("u")], .deleteToStart, "Ctrl-U", "delete to the start"),
        ([.control("k")], .deleteToEnd, "Ctrl-K", "delete to the end"),
    ]
}
