import JSON

/// The rules of a source in flat tables, so that applying one follows no references.
///
/// Paths begin at slots of a walked element. Ranges are of the tables here.
struct RuleTables: Sendable {
    struct Rule: Sendable {
        let alternatives: Range<Int>
        /// The slot of the first alternative, if it begins at one and goes no further.
        let slot: Int?
        /// How the first alternative is applied to what is in that slot, where it is as simple as most are.
        let shortcut: Shortcut?
        /// The texts that the first alternative cleans and joins, if it does no more.
        let joined: Joined?
    }

    /// Texts that stand at slots and go no further.
    struct Joined: Sendable {
        let paths: Range<Int>
        let separator: Instruction.Operand
    }

    /// One way to the value.
    struct Alternative: Sendable {
        /// The only path, unless there are several.
        let path: Path?
        /// Several make a list.
        let paths: Range<Int>
        /// The value when there are no paths.
        let constants: Range<Int>
        /// The constants are a list, even if there is only one.
        let isList: Bool
        let steps: Range<Int>
    }

    struct Path: Sendable {
        /// Without one, the path begins at the element itself.
        let slot: Int?
        let rest: Range<Int>
        /// It may lead to several places.
        let isMany: Bool
    }

    /// A value that stands in the source's file.
    enum Constant: Sendable {
        case text(String)
        case number(JSONNumber)
        case bool(Bool)
    }

    private(set) var alternatives: [Alternative] = []
    private(set) var paths: [Path] = []
    private(set) var parts: [FieldPath.Part] = []
    private(set) var constants: [Constant] = []
    private(set) var steps: [Instruction] = []
    /// Where operands stand of which a step has many.
    private(set) var operands: [Range<Int>] = []
    /// The texts of the steps, one after the other.
    private(set) var bytes: [UInt8] = []
    private(set) var tree = MemberTree()

    /// Takes a rule in, and the places that it begins at.
    mutating func add(_ rule: FieldRule) -> Rule {
        let first = alternatives.count
        for alternative in rule.alternatives {
            let firstPath = paths.count
            let firstConstant = constants.count
            var isList = false
            switch alternative.origin {
            case .constant(let value):
                isList = value.array != nil
                add(value)
            case .paths(let declared):
                for path in declared { add(path) }
            }
            let firstStep = steps.count
            for step in alternative.steps { steps.append(Instruction(step, &self)) }
            alternatives.append(
                Alternative(
                    path: paths.count == firstPath + 1 ? paths.last : nil,
                    paths: firstPath..<paths.count,
                    constants: firstConstant..<constants.count,
                    isList: isList,
                    steps: firstStep..<steps.count
                )
            )
        }
        let slot = alternatives.dropFirst(first).first?.path.flatMap { $0.rest.isEmpty ? $0.slot : nil }
        let shortcut = alternatives.dropFirst(first).first.flatMap { Shortcut(steps[$0.steps]) }
        return Rule(
            alternatives: first..<alternatives.count,
            slot: slot,
            shortcut: slot == nil ? nil : shortcut,
            joined: alternatives.dropFirst(first).first.flatMap(joined)
        )
    }

    private func joined(_ alternative: Alternative) -> Joined? {
        let steps = steps[alternative.steps]
        guard alternative.paths.count > 1, steps.count == 2, case .clean = steps.first,
            case .join(let separator) = steps.last,
            paths[alternative.paths].allSatisfy({ $0.slot != nil && $0.rest.isEmpty })
        else { return nil }
        return Joined(paths: alternative.paths, separator: separator)
    }

    /// Takes in a text.
    mutating func operand(_ text: String) -> Range<Int> {
        let start = bytes.count
        bytes += text.utf8
        return start..<bytes.count
    }

    /// Takes in texts, and tells where their places are.
    mutating func operands(_ texts: [String]) -> Range<Int> {
        let start = operands.count
        for text in texts { operands.append(operand(text)) }
        return start..<operands.count
    }

    /// The place of a text among operands, of which only the first of every `step` counts.
    func place(of text: Span<UInt8>, among range: Range<Int>, step: Int) -> Int? {
        let texts = bytes.span
        var place = range.lowerBound
        while place < range.upperBound {
            if text.isSame(as: texts.extracting(operands[place])) { return place }
            place += step
        }
        return nil
    }

    /// Makes the tables ready, when all rules are in.
    mutating func seal() {
        tree.seal()
    }

    private mutating func add(_ path: FieldPath) {
        let names = path.leadingNames
        let rest = path.parts.dropFirst(names.count)
        let isMany = rest.contains { part in
            switch part {
            case .name, .element: false
            case .every, .matching: true
            }
        }
        let first = parts.count
        parts += rest
        let slot = names.isEmpty ? nil : tree.slot(of: names)
        paths.append(Path(slot: slot, rest: first..<parts.count, isMany: isMany))
    }

    /// Takes in the scalars of a constant; lists in lists are taken apart.
    private mutating func add(_ constant: JSONValue) {
        switch constant {
        case .string(let text): constants.append(.text(text))
        case .number(let number): constants.append(.number(number))
        case .bool(let bool): constants.append(.bool(bool))
        case .array(let elements):
            for element in elements { add(element) }
        case .null, .object: break
        }
    }
}
