/// What Package.swift says of the targets: their names in order, what they use, the resources they embed.
struct Manifest {
    enum Kind {
        case library
        case room
        case program
        case tests
    }

    struct Target {
        let name: String
        let kind: Kind
        let uses: [String]
        let resources: [String]
    }

    let targets: [Target]

    init(_ file: SourceFile) {
        let code = file.code
        targets = code.indices.compactMap { index in Self.target(at: index, in: code) }
    }

    func target(_ name: String) -> Target? {
        targets.first { $0.name == name }
    }

    private static func target(at index: Int, in code: [Token]) -> Target? {
        guard code[index].kind == .word, code.has("(", at: index + 1), let close = code.closing(index + 1),
            !code.has("func", at: index - 1)
        else { return nil }
        let isDotted = code.has(".", at: index - 1)
        let kind: Kind
        switch code[index].text {
        case "room": kind = .room
        case "program": kind = .program
        case "tests": kind = .tests
        case "target" where isDotted, "testTarget" where isDotted, "systemLibrary" where isDotted: kind = .library
        default: return nil
        }
        let call = Array(code[index...close])
        // The first text is the name, unless another call or a list comes before it, as in the helpers' own bodies.
        guard let first = call.first(where: { $0.kind == .string || $0.text == "[" }), first.kind == .string,
            isDotted || call.count > 2 && (call[2].kind == .string || call[4].kind == .string),
            !isDotted || call.has("name", at: 2) && call.count > 4 && call[4].kind == .string
        else { return nil }
        let name = kind == .tests ? "\(first.text)Tests" : first.text
        let uses = texts(after: ["uses", "dependencies"], in: call)
        let own = kind == .tests ? [first.text, "TestSupport"] : []
        return Target(name: name, kind: kind, uses: own + uses, resources: texts(after: ["embedInCode"], in: call))
    }

    /// The texts in the list or parentheses behind a label.
    private static func texts(after labels: [String], in call: [Token]) -> [String] {
        guard let label = call.firstIndex(where: { $0.kind == .word && labels.contains($0.text) }),
            let open = call[label...].firstIndex(where: { $0.kind == .mark && "[(".contains($0.text) }),
            let close = call.closing(open)
        else { return [] }
        return call[open...close].filter { $0.kind == .string }.map(\.text)
    }
}
