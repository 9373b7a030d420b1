/// A piece of source text: enough of it to tell code from comments and strings.
struct Token: Equatable {
    enum Kind {
        /// An identifier, a keyword or a number.
        case word
        /// One character of punctuation.
        case mark
        /// The text of a string literal as it is written, or what stands between two interpolations of one.
        case string
        /// A comment with its slashes.
        case comment
    }

    let kind: Kind
    let text: String
    /// From 1.
    let line: Int
    /// Whether it stands right behind the token before.
    let isJoined: Bool
    /// The last line, for strings and comments of several.
    let lastLine: Int
}

extension Sequence<Token> {
    /// Without comments.
    var code: [Token] { filter { $0.kind != .comment } }
}

extension [Token] {
    /// Where these words and marks stand one after another; strings and comments never match.
    ///
    /// A `!` must be joined to the word before it: `try !a` is another thing than `try! a`.
    func matches(of pattern: [String]) -> [Int] {
        indices.filter { start in
            start + pattern.count <= count
                && pattern.indices.allSatisfy { offset in
                    let token = self[start + offset]
                    return token.text == pattern[offset] && (token.kind == .word || token.kind == .mark)
                        && (token.text != "!" || token.isJoined)
                }
        }
    }

    /// Whether a word or mark is at an index.
    func has(_ text: String, at index: Int) -> Bool {
        indices.contains(index) && self[index].text == text && self[index].kind != .string
    }

    /// The index of the mark that closes the one at `open`; nil when it stays open.
    func closing(_ open: Int) -> Int? {
        let pairs = ["(": ")", "[": "]", "{": "}"]
        guard let close = pairs[self[open].text] else { return nil }
        var depth = 0
        for index in open..<count where self[index].kind == .mark {
            if self[index].text == self[open].text { depth += 1 }
            if self[index].text == close { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
