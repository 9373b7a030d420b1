/// What a target's files hold of one type: its declaration and its extensions.
struct TypeSize {
    /// With the target, as in `Daemon.Session`.
    let name: String
    var lines = 0
    /// Stored properties that other files may change.
    var sharedVariables = 0

    /// Every type of a target that is declared or extended outside others.
    static func all(in files: [SourceFile]) -> [TypeSize] {
        var sizes: [String: TypeSize] = [:]
        for file in files where file.isSwift && file.isSource {
            for declaration in declarations(in: file.code) {
                // What only one file sees may have the name of another file's.
                let scope = declaration.isPrivate ? file.path : file.target
                let name = "\(scope).\(declaration.name)"
                var size = sizes[name] ?? TypeSize(name: name)
                let body = file.code[declaration.open...declaration.close]
                size.lines += file.code[declaration.close].line - file.code[declaration.start].line + 1
                if declaration.isReference { size.sharedVariables += sharedVariables(in: Array(body)) }
                sizes[name] = size
            }
        }
        return sizes.values.sorted { $0.name < $1.name }
    }

    private struct Declaration {
        let name: String
        let isPrivate: Bool
        /// Whether it is a class or an actor.
        let isReference: Bool
        let start: Int
        let open: Int
        let close: Int
    }

    private static func declarations(in code: [Token]) -> [Declaration] {
        var found: [Declaration] = []
        var index = 0
        while index < code.count {
            if let declaration = declaration(at: index, in: code) {
                found.append(declaration)
                index = declaration.close
            } else if code.has("{", at: index), let close = code.closing(index) {
                index = close
            }
            index += 1
        }
        return found
    }

    private static func declaration(at index: Int, in code: [Token]) -> Declaration? {
        let kinds = ["class", "actor", "struct", "enum", "extension", "protocol"]
        guard code[index].kind == .word, kinds.contains(code[index].text),
            let open = code[index...].firstIndex(where: { $0.kind == .mark && $0.text == "{" }),
            let close = code.closing(open)
        else { return nil }
        // The name ends before what the type inherits or demands of its parameters.
        let name = code[(index + 1)..<open].prefix { $0.kind == .word && $0.text != "where" || $0.text == "." }
        guard !name.isEmpty else { return nil }
        let modifiers = code[..<index].suffix(4).reversed().prefix { $0.kind == .word }
        return Declaration(
            name: name.map(\.text).joined(),
            isPrivate: modifiers.contains { $0.text == "private" || $0.text == "fileprivate" },
            isReference: ["class", "actor"].contains(code[index].text),
            start: index,
            open: open,
            close: close
        )
    }

    /// Counts `var` directly in a body, without those that are computed or may be set in their file only.
    private static func sharedVariables(in body: [Token]) -> Int {
        var count = 0
        var index = 1
        while index < body.count - 1 {
            if ["{", "("].contains(where: { body.has($0, at: index) }), let close = body.closing(index) {
                index = close
            } else if body.has("var", at: index), body[index].kind == .word {
                let modifiers = body[..<index].suffix(4).reversed().prefix {
                    $0.kind == .word || "()".contains($0.text)
                }
                let isOwn = modifiers.contains { $0.text == "private" || $0.text == "fileprivate" }
                if !isOwn, !isComputed(index, in: body) { count += 1 }
            }
            index += 1
        }
        return count
    }

    /// Whether a brace follows the type of a variable that has no first value, and holds no observers.
    private static func isComputed(_ index: Int, in body: [Token]) -> Bool {
        let line = body[index].line
        for next in (index + 1)..<body.count where body[next].kind != .comment {
            if body.has("=", at: next) || body.has("var", at: next) || body.has("func", at: next) { return false }
            if body.has("{", at: next) {
                return !body.has("didSet", at: next + 1) && !body.has("willSet", at: next + 1)
            }
            if body[next].line > line, !body[next].isJoined, body[next].kind == .word { return false }
        }
        return false
    }
}
