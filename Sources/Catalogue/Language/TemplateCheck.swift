/// Sees that every place of every template can be filled, before anybody searches.
enum TemplateCheck {
    /// Notes what can't be filled; of an account that is not known nothing can be said.
    static func check(_ parts: SourceParts, _ account: AccountDeclaration?, in object: DeclaredObject) {
        let place = object["request"] ?? object.place
        let names = Names(
            secrets: account?.secrets.map(\.name),
            settings: account?.settings.map(\.name),
            options: parts.optionNames
        )
        if let request = parts.request {
            // A path that is wrong has been noted.
            let accesses = request.path.byAccess.isEmpty ? [] : account?.access ?? []
            for access in accesses where request.path[access.name] == nil {
                place.note("has no path for the access \(access.name)", hint: "write path: {\(access.name): \"/…\"}")
            }
            check(Array(request.path.byAccess.values) + templates(request), names, at: place, lookup: false)
        }
        check((account?.access ?? []).flatMap(templates), names, at: place, lookup: false)
        if let lookup = parts.lookup, let place = object["lookup"] {
            let asking = Array(lookup.request.path.byAccess.values) + templates(lookup.request)
            check(asking, names, at: place, lookup: true)
        }
    }

    /// What templates may name; nil where that is not known.
    private struct Names {
        let secrets: [String]?
        let settings: [String]?
        let options: [String]?
    }

    private static func templates(_ shape: RequestShape) -> [Template] {
        (shape.headers + shape.parameters).flatMap(\.templates)
    }

    private static func templates(_ access: Access) -> [Template] {
        (access.headers + access.parameters).flatMap(\.templates)
    }

    private static func check(_ templates: [Template], _ names: Names, at place: Declared, lookup: Bool) {
        for variable in templates.flatMap(\.variables) {
            switch variable {
            case .secret(let name): check(name, among: names.secrets, "secret", at: place)
            case .setting(let name): check(name, among: names.settings, "setting", at: place)
            case .option(let name): check(name, among: names.options, "option", at: place)
            case .key: if !lookup { place.note("uses {key}", hint: "{key} is for lookup only") }
            case .query, .sort, .page, .start, .size:
                if lookup { place.note("uses a place of a search", hint: "a lookup knows {key} only") }
            }
        }
    }

    private static func check(_ name: String, among names: [String]?, _ what: String, at place: Declared) {
        guard let names, !names.contains(name) else { return }
        place.note("uses {\(what).\(name)}, which is not declared", hint: Nearest.hint(for: name, among: names))
    }
}
