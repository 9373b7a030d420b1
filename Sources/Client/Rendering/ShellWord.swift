/// Quotes a word for a shell.
enum ShellWord {
    static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.unicodeScalars.allSatisfy(isPlain)
        return isPlain ? word : "'" + VisibleText.visible(word.replacingScalars { $0 == "'" ? "'\\''" : nil }) + "'"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "-", ".", "/", "_", "0"..."9", "a"..."z", "A"..."Z": true
        case "\u{AC00}"..."\u{D7A3}", "\u{3041}"..."\u{3096}", "\u{30A1}"..."\u{30FA}", "\u{4E00}"..."\u{9FFF}": true
        default: false
        }
    }
}
