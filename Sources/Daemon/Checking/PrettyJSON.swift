import JSON

/// Formats JSON for a terminal, one member per line, with long texts and arrays shortened.
enum PrettyJSON {
    static let textCharactersMax = 300
    static let elementsMax = 20

    static func lines(_ value: JSONCursor, margin: String, name: String = "") -> [String] {
        let inner = margin + "  "
        switch value.kind {
        case .object where value.count > 0:
            let members = value.members.map { lines($0.value, margin: inner, name: "\(quoted($0.name)): ") }
            return [margin + name + "{"] + separated(members) + [margin + "}"]
        case .array where value.count > 0:
            var elements = value.elements.prefix(elementsMax).map { lines($0, margin: inner) }
            if value.count > elementsMax { elements.append(["\(inner)… \(value.count - elementsMax) more"]) }
            return [margin + name + "["] + separated(elements) + [margin + "]"]
        case .string: return [margin + name + quoted(value.string ?? "")]
        default: return [margin + name + String(decoding: value.text, as: UTF8.self)]
        }
    }

    private static func separated(_ values: [[String]]) -> [String] {
        values.dropLast().flatMap { $0.dropLast() + [($0.last ?? "") + ","] } + (values.last ?? [])
    }

    private static func quoted(_ text: String) -> String {
        let shown = text.count <= textCharactersMax ? text : text.prefix(textCharactersMax) + "…"
        return SafeText.line(String(decoding: JSONValue.string(shown).bytes, as: UTF8.self))
    }
}
