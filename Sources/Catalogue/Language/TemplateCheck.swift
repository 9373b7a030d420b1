import JSON
import SearchModel

extension Declared {
    /// Records a mistake for each placeholder that can never have a value.
    func checkTemplates(of account: AccountDeclaration?, options: [String]?) {
        for (variable, template) in mistakes.placeholders {
            let isOfLookup = template.key.hasPrefix("lookup.")
            switch variable {
            case .secret(let name): template.check(name, among: account?.secrets.map(\.name), "secret")
            case .setting(let name): template.check(name, among: account?.settings.map(\.name), "setting")
            case .option(let name): template.check(name, among: options, "option")
            case .key: if !isOfLookup { template.note("uses {key}", hint: "{key} can be used only in lookup.") }
            case .query, .language, .sort, .page, .start, .size:
                if isOfLookup { template.note("uses a placeholder of a search", hint: "Use {key} in a lookup.") }
            }
        }
        if let lookup = member("lookup"), lookup.node.members != nil,
            !mistakes.placeholders.contains(where: { $0.template.key.hasPrefix("lookup.") })
        {
            lookup.note("does not use {key}", hint: "Write {key} in the path or in a parameter.")
        }
    }

    private func check(_ name: String, among names: [String]?, _ what: String) {
        guard let names, !names.contains(name) else { return }
        note("uses {\(what).\(name)}, which is not declared", hint: NearestName.hint(for: name, among: names))
    }
}
