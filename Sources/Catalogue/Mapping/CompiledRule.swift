import JSON

/// A field rule made ready: its paths begin at slots of a walked element.
struct CompiledRule: Sendable {
    /// A path from a slot; without one, from the element itself.
    struct Path: Sendable {
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

    enum Origin: Sendable {
        case path(Path)
        case paths([Path])
        case constant(MappedValue?)
    }

    let alternatives: [(origin: Origin, steps: [Step])]

    /// Makes a rule ready; the places it begins at are added to the tree.
    init(_ rule: FieldRule, tree: inout MemberTree) {
        var alternatives: [(origin: Origin, steps: [Step])] = []
        for alternative in rule.alternatives {
            switch alternative.origin {
            case .constant(let value): alternatives.append((.constant(MappedValue(value)), alternative.steps))
            case .paths(let paths):
                var ready: [Path] = []
                for path in paths { ready.append(Path(path, tree: &tree)) }
                alternatives.append((ready.count == 1 ? .path(ready[0]) : .paths(ready), alternative.steps))
            }
        }
        self.alternatives = alternatives
    }

    /// The first value that an alternative has; an empty text is how sources write that there is none.
    func value(_ found: Members, _ cleaner: inout TextCleaner) -> MappedValue? {
        for (origin, steps) in alternatives {
            guard var value = Self.start(origin, found) else { continue }
            var stands = true
            for step in steps {
                guard let next = step.applied(to: value, cleaner: &cleaner) else {
                    stands = false
                    break
                }
                value = next
            }
            if stands, !value.isEmptyText { return value }
        }
        return nil
    }

    private static func start(_ origin: Origin, _ found: Members) -> MappedValue? {
        switch origin {
        case .constant(let value): value
        case .path(let path): found.value(path)
        case .paths(let paths):
            MappedValue(list: paths.compactMap { found.value($0) }.filter { !$0.isEmptyText })
        }
    }
}
