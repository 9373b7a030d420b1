/// Finds bodies of functions by counting braces.
enum Functions {
    static let linesMax = 70

    /// The first line and the number of lines of every body that is too long.
    static func tooLong(in file: SourceFile) -> [(line: Int, count: Int)] {
        let starts = file.isSwift ? swiftBodies(file.code) : outermostBodies(file.code)
        return starts.compactMap { open in
            guard let close = file.code.closing(open) else { return nil }
            let (first, last) = (file.code[open].line, file.code[close].line)
            return last - first + 1 > linesMax ? (first, last - first + 1) : nil
        }
    }

    /// The braces behind functions, initialisers and subscripts, and those of computed properties.
    private static func swiftBodies(_ code: [Token]) -> [Int] {
        code.indices.compactMap { index in
            guard code[index].kind == .word, ["func", "init", "deinit", "subscript", "var"].contains(code[index].text),
                !code.has(".", at: index - 1)
            else { return nil }
            return body(behind: index, in: code)
        }
    }

    /// The first brace outside parentheses, unless the scope ends before it: protocols declare without bodies.
    private static func body(behind start: Int, in code: [Token]) -> Int? {
        var index = start + 1
        while index < code.count {
            if code.has("(", at: index) || code.has("[", at: index) {
                guard let close = code.closing(index) else { return nil }
                index = close
            } else if code.has("{", at: index) {
                return index
            } else if code.has("}", at: index) || code.has("=", at: index) && code.has("var", at: start) {
                return nil
            }
            index += 1
        }
        return nil
    }

    /// In C every brace outside all others that follows a parenthesis begins a function.
    private static func outermostBodies(_ code: [Token]) -> [Int] {
        var bodies: [Int] = []
        var index = 0
        while index < code.count {
            if code.has("{", at: index), let close = code.closing(index) {
                if code.has(")", at: index - 1) { bodies.append(index) }
                index = close
            }
            index += 1
        }
        return bodies
    }
}
