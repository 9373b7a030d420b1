import JSON
import SearchModel

/// A text of a request with placeholders, such as `KakaoAK {secret.key}`.
struct Template: Equatable, Sendable {
    enum Variable: Equatable, Sendable {
        case query
        /// `ko`, `ja` or `zh` for a query in Hangul, kana or Han, or else `en`.
        case language
        case sort
        case page
        case start
        case size
        case key
        case secret(String)
        case setting(String)
        case option(String)
    }

    private enum Part: Equatable, Sendable {
        case text(String)
        case variable(Variable)
    }

    private let parts: [Part]

    init(_ declared: Declared) throws(CatalogueError) {
        var parts: [Part] = []
        var rest = try declared.anyString()[...]
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            guard let close = rest.utf8[open...].firstIndex(of: UInt8(ascii: "}")) else {
                throw declared.error("has a { without its }", hint: "A placeholder looks like {query}.")
            }
            let name = String(rest[rest.utf8.index(after: open)..<close])
            guard let variable = Self.variable(name) else {
                let hint =
                    "Placeholders are {query}, {language}, {sort}, {page}, {start}, {size}, {key}, "
                    + "{secret.NAME}, {setting.NAME} and {option.NAME}"
                throw declared.error("{\(name)} is not known", hint: hint)
            }
            parts.append(.variable(variable))
            declared.mistakes.placeholders.append((variable, declared))
            rest = rest[rest.utf8.index(after: close)...]
        }
        if !rest.isEmpty || parts.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    var onlyVariable: Variable? {
        if parts.count == 1, case .variable(let variable) = parts[0] { variable } else { nil }
    }

    func filled(encodingValues: Bool = false, _ value: (Variable) -> String?) -> String? {
        var filled = ""
        for part in parts {
            switch part {
            case .text(let text): filled += text
            case .variable(let variable):
                guard let text = value(variable) else { return nil }
                filled += encodingValues ? PercentEncoding.encode(text) : text
            }
        }
        return filled
    }

    private static let variables: [String: Variable] = [
        "query": .query, "language": .language, "sort": .sort, "page": .page, "start": .start, "size": .size,
        "key": .key,
    ]
    private static let namedVariables: [String: @Sendable (String) -> Variable] = [
        "secret": { .secret($0) }, "setting": { .setting($0) }, "option": { .option($0) },
    ]

    static func variable(_ name: String) -> Variable? {
        guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")) else { return variables[name] }
        let rest = String(name[name.utf8.index(after: dot)...])
        return rest.isEmpty ? nil : namedVariables[String(name[..<dot])]?(rest)
    }
}

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
