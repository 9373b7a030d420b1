import JSON
import SearchModel

/// Checks at load time that every placeholder in a file's templates can be filled.
enum TemplateCheck {
    /// Notes placeholders that cannot be filled; does not check against an unknown account.
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
            // Including invalid options.
            options: object["options"]?.node.members?.map(\.name) ?? []
        )
        if let request {
            // An invalid path has been noted already.
            let accesses = request.path.byAccess.isEmpty ? [] : account?.access ?? []
            for access in accesses where request.path[access.name] == nil {
                declared.note(
                    "has no path for the access \(access.name)",
                    hint: "Write path: {\(access.name): \"/…\"}."
                )
            }
            check(templates(request), names, at: declared, lookup: false)
        }
        // Secrets and settings are checked at the account's declaration.
        let ofAccess = Names(secrets: nil, settings: nil, options: names.options)
        let ofAccount = (account?.access ?? []).flatMap { ($0.headers + $0.parameters).flatMap(\.templates) }
        check(ofAccount, ofAccess, at: declared, lookup: false)
        if let lookup, let declared = object["lookup"] {
            let asking = templates(lookup.request)
            check(asking, names, at: declared, lookup: true)
            if asking.allSatisfy(\.variables.isEmpty) {
                declared.note("does not use {key}", hint: "Put {key} into the path or a parameter.")
            }
        }
    }

    /// The names that templates may use; nil if unknown.
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
            case .key: if !lookup { declared.note("uses {key}", hint: "{key} is for lookup only.") }
            case .query, .language, .sort, .page, .start, .size:
                if lookup { declared.note("uses a placeholder of a search", hint: "A lookup knows {key} only.") }
            }
        }
    }

    private static func check(_ name: String, among names: [String]?, _ what: String, at declared: Declared) {
        guard let names, !names.contains(name) else { return }
        declared.note("uses {\(what).\(name)}, which is not declared", hint: NearestName.hint(for: name, among: names))
    }
}
