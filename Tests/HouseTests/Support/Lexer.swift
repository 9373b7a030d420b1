/// Cuts Swift, and C as far as this house writes it, into tokens.
struct Lexer {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var tokens: [Token] = []
    /// Where the last token ended.
    private var end = -1

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    static func tokens(of bytes: [UInt8]) -> [Token] {
        var lexer = Lexer(bytes)
        lexer.readCode(untilParenthesis: false)
        return lexer.tokens
    }

    /// Reads to the end, or past the parenthesis that ends an interpolation.
    private mutating func readCode(untilParenthesis: Bool) {
        var depth = 0
        while let byte = byte(0) {
            if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "/") {
                readLineComment()
            } else if byte == UInt8(ascii: "/"), self.byte(1) == UInt8(ascii: "*") {
                readBlockComment()
            } else if let fence = stringFence() {
                readString(fences: fence)
            } else if Self.isWord(byte) {
                let start = position
                while let byte = self.byte(0), Self.isWord(byte) { position += 1 }
                add(.word, from: start, line: line)
            } else if byte <= 0x20 {
                advance()
            } else {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                advance()
                if untilParenthesis, depth < 0 { return }
                add(.mark, from: position - 1, line: line)
            }
        }
    }

    private mutating func readLineComment() {
        let start = position
        while let byte = byte(0), byte != UInt8(ascii: "\n") { position += 1 }
        add(.comment, from: start, line: line)
    }

    private mutating func readBlockComment() {
        let (start, firstLine) = (position, line)
        var depth = 0
        repeat {
            if byte(0) == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") { depth += 1 }
            if byte(0) == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                depth -= 1
                advance()
            }
            advance()
        } while depth > 0 && position < bytes.count
        add(.comment, from: start, line: firstLine)
    }

    /// The number signs before a string's quote here; nil when no string begins here.
    private func stringFence() -> Int? {
        var fences = 0
        while byte(fences) == UInt8(ascii: "#") { fences += 1 }
        let quote = byte(fences)
        if quote == UInt8(ascii: "\"") || (fences == 0 && quote == UInt8(ascii: "`")) { return fences }
        // Characters of C.
        return fences == 0 && quote == UInt8(ascii: "'") ? 0 : nil
    }

    private mutating func readString(fences: Int) {
        position += fences
        let quote = bytes[position]
        let isLong = quote == UInt8(ascii: "\"") && byte(1) == quote && byte(2) == quote
        let quotes = isLong ? 3 : 1
        position += quotes
        var (start, firstLine) = (position, line)
        let end = [UInt8](repeating: quote, count: quotes) + [UInt8](repeating: UInt8(ascii: "#"), count: fences)
        let escape = [UInt8(ascii: "\\")] + [UInt8](repeating: UInt8(ascii: "#"), count: fences)
        let interpolation = escape + [UInt8(ascii: "(")]
        while position < bytes.count, !stands(end) {
            if stands(interpolation) {
                add(.string, from: start, line: firstLine)
                position += interpolation.count
                readCode(untilParenthesis: true)
                (start, firstLine) = (position, line)
            } else if quote != UInt8(ascii: "`"), stands(escape) {
                position += escape.count
                advance()
            } else {
                advance()
            }
        }
        add(.string, from: start, line: firstLine)
        position = min(position + end.count, bytes.count)
    }

    private func byte(_ offset: Int) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private func stands(_ text: [UInt8]) -> Bool {
        bytes[position] == text[0] && bytes[position...].starts(with: text)
    }

    private mutating func advance() {
        guard position < bytes.count else { return }
        if bytes[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    private mutating func add(_ kind: Token.Kind, from start: Int, line firstLine: Int) {
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        tokens.append(Token(kind: kind, text: text, line: firstLine, isJoined: start == end, lastLine: line))
        end = position
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
