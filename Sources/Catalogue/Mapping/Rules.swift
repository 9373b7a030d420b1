import JSON

/// The rules of a source, ready to be applied to one element after the other.
///
/// An object, so that applying a rule copies no table.
final class Rules: Sendable {
    let tables: RuleTables

    /// Takes tables that are sealed.
    init(_ tables: RuleTables) {
        self.tables = tables
    }

    /// Room to map the elements of a document in.
    func workspace(of document: JSONView) -> MappingContext {
        MappingContext(of: document, slotCount: tables.tree.slotCount)
    }

    /// Has the rules speak of another element.
    func move(to element: Int, _ space: inout MappingContext) {
        space.move(to: element, tables.tree)
    }

    /// The first value that an alternative has; an empty text is how sources write that there is none.
    ///
    /// It is good until the next one is asked for.
    func value(_ rule: RuleTables.Rule, _ space: inout MappingContext) -> MappedValue? {
        space.makeRoom()
        for index in rule.alternatives {
            // Most of what a rule names is not there, seen at once.
            if let slot = tables.alternatives[index].path?.slot, space.place(at: slot) == nil { continue }
            if let value = value(tables.alternatives[index], &space) { return value }
        }
        return nil
    }

    private func value(_ alternative: RuleTables.Alternative, _ space: inout MappingContext) -> MappedValue? {
        guard var value = start(alternative, &space) else { return nil }
        for index in alternative.steps {
            guard let next = applied(tables.steps[index], to: value, &space) else { return nil }
            value = next
        }
        return value.isEmptyText(in: space.document) ? nil : value
    }

    private func start(_ alternative: RuleTables.Alternative, _ space: inout MappingContext) -> MappedValue? {
        if let path = alternative.path { return value(path, &space) }
        if alternative.paths.isEmpty { return constant(alternative, &space) }
        let first = space.elements.count
        for index in alternative.paths {
            // What a path has found in several places is among the elements already.
            guard case .written(let place) = value(tables.paths[index], &space),
                !MappedValue.written(place).isEmptyText(in: space.document)
            else { continue }
            space.gather(place)
        }
        return space.list(from: first)
    }

    /// What a path leads to; several places make a list.
    private func value(_ path: RuleTables.Path, _ space: inout MappingContext) -> MappedValue? {
        guard let start = space.place(at: path.slot) else { return nil }
        guard !path.rest.isEmpty else { return space.value(at: start) }
        let document = space.document
        guard path.isMany else {
            return FieldPath.first(tables.parts, path.rest, from: start, of: document).flatMap { space.value(at: $0) }
        }
        let first = space.elements.count
        FieldPath.forEach(tables.parts, path.rest, from: start, of: document) { space.gather($0) }
        return space.list(from: first)
    }

    private func constant(_ alternative: RuleTables.Alternative, _ space: inout MappingContext) -> MappedValue? {
        let first = space.elements.count
        for index in alternative.constants {
            switch tables.constants[index] {
            case .text(let text): space.elements.append(.text(space.keep(text.utf8.span)))
            case .number(let number): space.elements.append(.number(space.keep(number.text.utf8.span)))
            case .bool(let bool): space.elements.append(.bool(bool))
            }
        }
        return alternative.isList ? space.list(from: first) : space.elements.last
    }
}
