import JSON
import RPC
import SearchModel

/// One source of `source/list` in full; pure.
struct SourceDetails {
    private static let nameColumns = 13

    private let source: JSONCursor
    private let style: Style

    init(_ source: JSONCursor, style: Style) {
        self.source = source
        self.style = style
    }

    var lines: [String] {
        let entry = SourceEntry(source)
        var head = style.bold(entry.name)
        if let title = source[.title]?.string { head += "  " + VisibleText.visible(title) }
        var lines = [head]
        add("kind", entry.kind, to: &lines)
        add("account", VisibleText.visible(account), to: &lines)
        add("state", entry.state, to: &lines)
        if let remedy { add("", VisibleText.visible(remedy), to: &lines) }
        add("limits", entry.limits, to: &lines)
        for (text, quota) in zip(entry.quotas, source[.quota]?.elements ?? []) {
            let name = quota[.name]?.string.map { "\($0): " } ?? ""
            add("quota", VisibleText.visible(name) + text, to: &lines)
        }
        add("attribution", entry.attribution, to: &lines)
        for (index, option) in (source[.options]?.members ?? []).enumerated() {
            add(index == 0 ? "options" : "", VisibleText.visible(Self.text(option.name, option.value)), to: &lines)
        }
        if let example { add("", VisibleText.visible(example), to: &lines) }
        return lines
    }

    private func add(_ name: String, _ text: String, to lines: inout [String]) {
        guard !text.isEmpty else { return }
        lines.append("  " + DisplayWidth.padded(name, Self.nameColumns) + text)
    }

    private var account: String {
        let name = source[.account]?.string ?? ""
        return switch source[.keyNeeded]?.bool {
        case true: "\(name), needs a key"
        case false: "\(name), needs no key"
        case nil: name
        }
    }

    /// What to do about a source that is off.
    private var remedy: String? {
        switch source[.reason]?.word(DisabledReason.self) {
        case .notConfigured: keyRemedy(source[.account]?.string ?? "")
        case .disabled: "set sources.\"\(source[.source]?.string ?? "")\".enabled to true in the configuration"
        case .invalid: "“searchctl sources check FILE” or “searchd --check” tells what is wrong with its file"
        case nil: nil
        }
    }

    private func keyRemedy(_ account: String) -> String {
        // An account whose secrets the daemon does not tell may have none that could be stored.
        let isStorable = source[.keys].map { !$0.elements.isEmpty } ?? false
        let stored = isStorable ? "say “searchctl keys set \(account)”, or " : ""
        return "\(stored)put its key under accounts.\(account) in the configuration"
    }

    private static func text(_ name: String, _ option: JSONCursor) -> String {
        var text = "\(name): "
        switch option[.type]?.word(OptionType.self) {
        case .choice: text += (option[.values]?.elements ?? []).compactMap(\.string).joined(separator: ", ")
        case .integer: text += "\(option[.min]?.int ?? .min) to \(option[.max]?.int ?? .max)"
        case .boolean: text += "true or false"
        case .string: text += "a text" + (option[.maxBytes]?.int.map { " of up to \($0) bytes" } ?? "")
        case nil: text += option[.type]?.string ?? "?"
        }
        if let standard = option[.default]?.string { text += "; else \(standard)" }
        if let about = option[.about]?.string { text += " — \(about)" }
        return text
    }

    /// How the first option is written on the command line.
    private var example: String? {
        guard let name = source[.source]?.string, let (option, spec) = source[.options]?.members.first else {
            return nil
        }
        let value = spec[.values]?[0]?.string ?? spec[.min]?.int.map(String.init) ?? "VALUE"
        return "as in: searchctl search -s \(name) -o \(name).\(option)=\(value) QUERY"
    }
}
