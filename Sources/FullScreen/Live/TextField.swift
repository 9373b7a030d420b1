import Client
import Hangul
import JSON
import SearchModel
import Terminal

/// A line of text with a cursor.
///
/// The text is always in Unicode normal form C.
struct TextField: Equatable {
    private let bytesMax: Int
    private let hasLines: Bool
    private(set) var graphemes: [Character] = []
    private(set) var cursor = 0

    init(_ text: String = "", bytesMax: Int = SearchQuery.bytesMax, hasLines: Bool = false) {
        (self.bytesMax, self.hasLines) = (bytesMax, hasLines)
        insert(text)
    }

    var text: String { String(graphemes) }
    var isEmpty: Bool { graphemes.isEmpty }
    var isAtEnd: Bool { cursor == graphemes.count }

    /// Inserts as much of a text as fits, and replaces white space with blanks.
    mutating func insert(_ text: String) {
        var head = String(graphemes[..<cursor])
        let tail = String(graphemes[cursor...])
        for scalar in text.unicodeScalars.prefix(bytesMax) {
            let isBlank = scalar.properties.isWhitespace
            guard isBlank || VisibleText.isSafe(scalar) else { continue }
            let kept = !isBlank || hasLines && scalar == "\n" ? scalar : " "
            guard head.utf8.count + tail.utf8.count + kept.utf8.count <= bytesMax else { break }
            head.unicodeScalars.append(kept)
        }
        let before = Array(String(NormalForm.composed(head)))
        graphemes = before + Array(tail)
        cursor = before.count
    }

    mutating func replace(_ text: String) {
        (graphemes, cursor) = ([], 0)
        insert(text)
    }

    private mutating func remove(_ range: Range<Int>) {
        graphemes.removeSubrange(range)
        cursor = range.lowerBound
    }

    private var wordStart: Int {
        let blanks = graphemes[..<cursor].reversed().prefix { $0 == " " }.count
        return cursor - blanks - graphemes[..<(cursor - blanks)].reversed().prefix { $0 != " " }.count
    }

    private var wordEnd: Int {
        let blanks = graphemes[cursor...].prefix { $0 == " " }.count
        return cursor + blanks + graphemes[(cursor + blanks)...].prefix { $0 != " " }.count
    }

    enum Operation: CaseIterable {
        case left, right, wordLeft, wordRight, start, end
        case deleteLeft, deleteRight, deleteWord, deleteWordRight, deleteToStart, deleteToEnd
    }

    static let keys: [(keys: [Key], operation: Operation, label: String, help: String)] = [
        ([Key(.left), .control("b")], .left, "←", "go left a letter"),
        ([Key(.right), .control("f")], .right, "→", "go right, or complete"),
        (
            [Key(.left, hasControl: true), Key(.left, hasAlt: true), .alt("b")], .wordLeft, "Ctrl-←", "go left a word"
        ),
        (
            [Key(.right, hasControl: true), Key(.right, hasAlt: true), .alt("f")], .wordRight, "Ctrl-→",
            "go right a word"
        ),
        ([Key(.home), .control("a")], .start, "Home", "go to the start"),
        ([Key(.end), .control("e")], .end, "End", "go to the end"),
        ([Key(.backspace)], .deleteLeft, "Backspace", "delete a letter"),
        ([Key(.delete), .control("d")], .deleteRight, "Delete", "delete the next letter"),
        ([.control("w"), Key(.backspace, hasAlt: true)], .deleteWord, "Ctrl-W", "delete a word"),
        ([.alt("d"), Key(.delete, hasControl: true)], .deleteWordRight, "Alt-D", "delete the next word"),
        ([.control("u")], .deleteToStart, "Ctrl-U", "delete to the start"),
        ([.control("k")], .deleteToEnd, "Ctrl-K", "delete to the end"),
    ]

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

    mutating func receive(_ event: InputEvent) -> Bool {
        let before = text
        switch event {
        case .text(let text), .paste(let text): insert(text)
        case .key(let key): Self.keys.first { $0.keys.contains(key) }.map { perform($0.operation) }
        case .mouse: break
        }
        return !text.hasSameBytes(as: before)
    }

    func shown(columns: Int) -> (text: String, cursor: Int) {
        let columns = max(2, columns)
        let shown = graphemes.map { $0 == "\n" ? "↵" : $0 }
        var start = 0
        var before = shown[..<cursor].reduce(0) { $0 + DisplayWidth.columns(of: $1) }
        while before >= columns, start < cursor {
            before -= DisplayWidth.columns(of: shown[start])
            start += 1
        }
        return (String(shown[start...]), before)
    }
}
