import JSON

/// A field rule made ready: its paths begin at slots of a walked element.
///
/// Rules and their alternatives are objects, so that applying them counts few references.
final class CompiledRule: Sendable {
    /// A path from a slot; without one, from the element itself.
    final class Path: Sendable {
        let slot: Int?
        let rest: [FieldPath.Part]
        /// It may lead to several places.
        let isMany: Bool

        init(_ path: FieldPath, tree: inout MemberTree) {
            let names = path.leadingNames
            slot = names.isEmpty ? nil : tree.slot(of: names)
            rest = Array(path.parts.dropFirst(names.count))
            isMany = rest.contains { part in
                switch part {
                case .name, .element: false
                case .every, .matching: true
                }
            }
        }
    }

    /// One way to the value.
    final class Alternative: Sendable {
        /// The only one, unless there are several.
        let path: Path?
        /// Several, which make a list.
        let paths: [Path]
        /// The value when there are no paths.
        let constant: MappedValue?
        let steps: [Step]

        init(paths: [Path], constant: MappedValue?, steps: [Step]) {
            path = paths.count == 1 ? paths.first : nil
            self.paths = paths
            self.constant = constant
            self.steps = steps
        }
    }

    /// How the first alternative is applied where it is as simple as most are.
    let shortcut: Shortcut?
    private let first: Alternative?
    private let others: [Alternative]

    /// Makes a rule ready; the places it begins at are added to the tree.
    init(_ rule: FieldRule, tree: inout MemberTree) {
        var alternatives: [Alternative] = []
        for alternative in rule.alternatives {
            var paths: [Path] = []
            var constant: MappedValue?
            switch alternative.origin {
            case .constant(let value): constant = MappedValue(value)
            case .paths(let declared):
                for path in declared { paths.append(Path(path, tree: &tree)) }
            }
            alternatives.append(Alternative(paths: paths, constant: constant, steps: alternative.steps))
        }
        first = alternatives.first
        shortcut = alternatives.first.flatMap { Shortcut($0) }
        others = Array(alternatives.dropFirst())
    }

    /// The first value that an alternative has; an empty text is how sources write that there is none.
    func value(_ found: borrowing Members, _ cleaner: inout TextCleaner) -> MappedValue? {
        if let first, let value = Self.value(first, found, &cleaner) { return value }
        for other in others {
            if let value = Self.value(other, found, &cleaner) { return value }
        }
        return nil
    }

    private static func value(
        _ alternative: Alternative,
        _ found: borrowing Members,
        _ cleaner: inout TextCleaner
    ) -> MappedValue? {
        guard var value = start(alternative, found) else { return nil }
        let steps = alternative.steps
        for index in steps.indices {
            guard let next = steps[index].applied(to: value, in: found.document, cleaner: &cleaner) else { return nil }
            value = next
        }
        return value.isEmptyText(in: found.document) ? nil : value
    }

    private static func start(_ alternative: Alternative, _ found: borrowing Members) -> MappedValue? {
        if let path = alternative.path { return found.value(path) }
        guard !alternative.paths.isEmpty else { return alternative.constant }
        var values: [MappedValue] = []
        for path in alternative.paths {
            if let value = found.value(path), !value.isEmptyText(in: found.document) { values.append(value) }
        }
        return MappedValue(list: values, in: found.document)
    }
}
