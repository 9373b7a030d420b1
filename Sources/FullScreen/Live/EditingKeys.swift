import Terminal

/// The keys that edit a line, with their help.
enum EditingKeys {
    static let table: [(keys: [Key], operation: TextField.Operation, label: String, help: String)] = [
        ([Key(.left), .control("b")], .left, "←", "left a letter"),
        ([Key(.right), .control("f")], .right, "→", "right, or complete"),
        (
            [Key(.left, hasControl: true), Key(.left, hasAlt: true), .alt("b")], .wordLeft, "Ctrl-←", "left a word"
        ),
        (
            [Key(.right, hasControl: true), Key(.right, hasAlt: true), .alt("f")], .wordRight, "Ctrl-→", "right a word"
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
}
