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
            if let value = value(tables.alternatives[index], &space) { return value }
        }
        return nil
    }

    @inline(__always)
    private func value(_ alternative: RuleTables.Alternative, _ space: inout MappingContext) -> MappedValue? {
        guard var value = start(alternative.origin, &space) else { return nil }
        for index in alternative.steps {
            guard let next = applied(tables.steps[index], to: value, &space) else { return nil }
            value = next
        }
        return value.isEmptyText(in: space.document) ? nil : value
    }

    @inline(__always)
    private func start(_ origin: RuleTables.Origin, _ space: inout MappingContext) -> MappedValue? {
        switch origin {
        case .path(let path): return value(path, &space)
        case .paths(let paths):
            let first = space.elements.count
            for index in paths {
                // What a path has found in several places is among the elements already.
                guard case .written(let found) = value(tables.paths[index], &space),
                    !MappedValue.written(found).isEmptyText(in: space.document)
                else { continue }
                space.gather(found)
            }
            return space.list(from: first)
        case .constants(let range, let isList):
            let first = space.elements.count
            for index in range { space.elements.append(constant(tables.constants[index], &space)) }
            return isList ? space.list(from: first) : space.elements.last
        }
    }

    /// What a path leads to; several places make a list.
    @inline(__always)
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

    private func constant(_ constant: RuleTables.Constant, _ space: inout MappingContext) -> MappedValue {
        switch constant {
        case .text(let text): .text(space.keep(text.utf8.span))
        case .number(let number): .number(space.keep(number.text.utf8.span))
        case .bool(let bool): .bool(bool)
        }
    }
}
