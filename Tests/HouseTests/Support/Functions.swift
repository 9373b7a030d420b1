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
        code.indices.compactMap { place in
            guard code[place].kind == .word, ["func", "init", "deinit", "subscript", "var"].contains(code[place].text),
                !code.has(".", at: place - 1)
            else { return nil }
            return body(behind: place, in: code)
        }
    }

    /// The first brace outside parentheses, unless the scope ends before it: protocols declare without bodies.
    private static func body(behind start: Int, in code: [Token]) -> Int? {
        var place = start + 1
        while place < code.count {
            if code.has("(", at: place) || code.has("[", at: place) {
                guard let close = code.closing(place) else { return nil }
                place = close
            } else if code.has("{", at: place) {
                return place
            } else if code.has("}", at: place) || code.has("=", at: place) && code.has("var", at: start) {
                return nil
            }
            place += 1
        }
        return nil
    }

    /// In C every brace outside all others that follows a parenthesis begins a function.
    private static func outermostBodies(_ code: [Token]) -> [Int] {
        var bodies: [Int] = []
        var place = 0
        while place < code.count {
            if code.has("{", at: place), let close = code.closing(place) {
                if code.has(")", at: place - 1) { bodies.append(place) }
                place = close
            }
            place += 1
        }
        return bodies
    }
}
