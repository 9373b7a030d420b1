/// Sees that every place of every template can be filled, before anybody searches.
enum TemplateCheck {
    static func check(_ source: Source, in object: DeclaredObject) throws(CatalogueError) {
        let request = object["request"] ?? object.place
        for access in source.access {
            guard source.request.path[access.name] != nil else {
                throw request.error(
                    "has no path for the access \(access.name)",
                    hint: "write path: {\(access.name): \"/…\"}"
                )
            }
        }
        let searching = Array(source.request.path.byAccess.values) + templates(source.request)
        try check(searching + source.access.flatMap(templates), source, at: request, lookup: false)
        if let lookup = source.lookup, let place = object["lookup"] {
            let asking = Array(lookup.request.path.byAccess.values) + templates(lookup.request)
            try check(asking, source, at: place, lookup: true)
        }
    }

    private static func templates(_ shape: RequestShape) -> [Template] {
        (shape.headers + shape.parameters).flatMap(\.templates)
    }

    private static func templates(_ access: Access) -> [Template] {
        (access.headers + access.parameters).flatMap(\.templates)
    }

    private static func check(
        _ templates: [Template],
        _ source: Source,
        at place: Declared,
        lookup: Bool
    ) throws(CatalogueError) {
        for variable in templates.flatMap(\.variables) {
            switch variable {
            case .secret(let name):
                try check(name, among: source.secrets.map(\.name), "secret", at: place)
            case .setting(let name):
                try check(name, among: source.settings.map(\.name), "setting", at: place)
            case .option(let name):
                try check(name, among: source.options.map(\.name), "option", at: place)
            case .key:
                guard lookup else { throw place.error("uses {key}", hint: "{key} is for lookup only") }
            case .query, .sort, .page, .start, .size:
                guard !lookup else { throw place.error("uses a place of a search", hint: "a lookup knows {key} only") }
            }
        }
    }

    private static func check(
        _ name: String,
        among names: [String],
        _ what: String,
        at place: Declared
    ) throws(CatalogueError) {
        guard !names.contains(name) else { return }
        throw place.error("uses {\(what).\(name)}, which is not declared", hint: Nearest.hint(for: name, among: names))
    }
}
