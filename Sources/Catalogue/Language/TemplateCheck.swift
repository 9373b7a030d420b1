import JSON
import SearchModel

/// Checks, when a file is loaded, that all placeholders in its templates can have a value.
enum TemplateCheck {
    /// Records a mistake for each placeholder that cannot have a value; if the account is unknown, its names are not
    /// checked.
    static func check(
        _ request: RequestShape?,
        _ lookup: LookupShape?,
        _ account: AccountDeclaration?,
        in object: DeclaredObject
    ) {
        let declared = object["request"] ?? object.declared
        let names = Names(
            secrets: account?.secrets.map(\.name),
            settings: account?.settings.map(\.name),
            // This list includes options with mistakes.
            options: object["options"]?.node.members?.map(\.name) ?? []
        )
        if let request {
            // If the path is not valid, its mistake is already recorded.
            let accesses = request.path.byAccess.isEmpty ? [] : account?.access ?? []
            for access in accesses where request.path[access.name] == nil {
                declared.note(
                    "has no path for the access \(access.name)",
                    hint: "Write path: {\(access.name): \"/…\"}."
                )
            }
            check(templates(request), names, at: declared, lookup: false)
        }
        // The declaration of the account checks its secrets and settings.
        let ofAccess = Names(secrets: nil, settings: nil, options: names.options)
        let ofAccount = (account?.access ?? []).flatMap { ($0.headers + $0.parameters).flatMap(\.templates) }
        check(ofAccount, ofAccess, at: declared, lookup: false)
        if let lookup, let declared = object["lookup"] {
            let asking = templates(lookup.request)
            check(asking, names, at: declared, lookup: true)
            if asking.allSatisfy(\.variables.isEmpty) {
                declared.note("does not use {key}", hint: "Write {key} in the path or in a parameter.")
            }
        }
    }

    /// The names that templates may use, or nil if they are unknown.
    private struct Names {
        let secrets: [String]?
        let settings: [String]?
        let options: [String]?
    }

    private static func templates(_ shape: RequestShape) -> [Template] {
        shape.path.byAccess.values + (shape.headers + shape.parameters).flatMap(\.templates)
            + (shape.body?.templates ?? [])
    }

    private static func check(_ templates: [Template], _ names: Names, at declared: Declared, lookup: Bool) {
        for variable in templates.flatMap(\.variables) {
            switch variable {
            case .secret(let name): check(name, among: names.secrets, "secret", at: declared)
            case .setting(let name): check(name, among: names.settings, "setting", at: declared)
            case .option(let name): check(name, among: names.options, "option", at: declared)
            case .key: if !lookup { declared.note("uses {key}", hint: "{key} can be used only in lookup.") }
            case .query, .language, .sort, .page, .start, .size:
                if lookup { declared.note("uses a placeholder of a search", hint: "Use {key} in a lookup.") }
            }
        }
    }

    private static func check(_ name: String, among names: [String]?, _ what: String, at declared: Declared) {
        guard let names, !names.contains(name) else { return }
        declared.note("uses {\(what).\(name)}, which is not declared", hint: NearestName.hint(for: name, among: names))
    }
}
