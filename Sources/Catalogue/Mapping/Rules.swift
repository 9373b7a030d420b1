import JSON

/// The rules of a source, ready to be applied to one element after the other.
///
/// An object, so that applying a rule copies no table.
final class Rules: Sendable {
    let tables: RuleTables

    /// The tables must be sealed.
    init(_ tables: RuleTables) {
        self.tables = tables
    }

    /// A context in which the elements of a document are mapped.
    func context(of document: JSONView) -> MappingContext {
        MappingContext(of: document, slotCount: tables.tree.slotCount)
    }

    /// Applies the rules to another element from now on.
    func move(to element: Int, _ context: inout MappingContext) {
        context.move(to: element, tables.tree)
    }

    /// The first value that an alternative has; an empty text is how sources write that there is none.
    ///
    /// It is valid until the next call.
    func value(_ rule: RuleTables.Rule, _ context: inout MappingContext) -> MappedValue? {
        context.makeRoom()
        for index in rule.alternatives {
            if let value = value(tables.alternatives[index], &context) { return value }
        }
        return nil
    }

    @inline(__always)
    private func value(_ alternative: RuleTables.Alternative, _ context: inout MappingContext) -> MappedValue? {
        guard var value = start(alternative.origin, &context) else { return nil }
        for index in alternative.steps {
            guard let next = applied(tables.steps[index], to: value, &context) else { return nil }
            value = next
        }
        return value.isEmptyText(in: context.document) ? nil : value
    }

    @inline(__always)
    private func start(_ origin: RuleTables.Origin, _ context: inout MappingContext) -> MappedValue? {
        switch origin {
        case .path(let path): return value(path, &context)
        case .paths(let paths):
            let first = context.elements.count
            for index in paths {
                // If a path leads to several values, they are among the elements already.
                guard case .written(let found) = value(tables.paths[index], &context),
                    !MappedValue.written(found).isEmptyText(in: context.document)
                else { continue }
                context.gather(found)
            }
            return context.list(from: first)
        case .constants(let range, let isList):
            let first = context.elements.count
            for index in range { context.elements.append(constant(tables.constants[index], &context)) }
            return isList ? context.list(from: first) : context.elements.last
        }
    }

    /// What a path leads to; several values make a list.
    @inline(__always)
    func value(_ path: RuleTables.Path, _ context: inout MappingContext) -> MappedValue? {
        guard let start = context.index(at: path.slot) else { return nil }
        guard !path.rest.isEmpty else { return context.value(at: start) }
        let document = context.document
        guard path.isMany else {
            return FieldPath.first(tables.parts, path.rest, from: start, of: document).flatMap { context.value(at: $0) }
        }
        let first = context.elements.count
        FieldPath.forEach(tables.parts, path.rest, from: start, of: document) { context.gather($0) }
        return context.list(from: first)
    }

    private func constant(_ constant: RuleTables.Constant, _ context: inout MappingContext) -> MappedValue {
        switch constant {
        case .text(let text): .text(context.keep(text.utf8.span))
        case .number(let number): .number(context.keep(number.text.utf8.span))
        case .bool(let bool): .bool(bool)
        }
    }
}
