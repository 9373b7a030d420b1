package import JSON
package import SearchModel

extension Source {
    /// Returns the options sorted; throws `invalidParams` if one is not valid.
    package func options(from members: [JSONMember]) throws(SearchError) -> [Option] {
        var checked: [String: Option] = [:]
        for member in members {
            let path = "params.options.\(name).\(member.name)"
            func error(_ message: String, hint: String) -> SearchError {
                SearchError(.invalidParams, message, source: name, retryable: false, hint: hint, path: path)
            }
            guard let spec = options.first(where: { $0.name.hasSameBytes(as: member.name) }) else {
                let nearest = NearestName.of(member.name, among: options.map(\.name)).map(NearestName.question)
                let names = options.map(\.name).joined(separator: ", ")
                let all = names.isEmpty ? "It has no options." : "Its options are: \(names)."
                throw error("\(name) does not have this option", hint: nearest ?? all)
            }
            guard let text = spec.text(of: member.value) else {
                throw error("this value is not allowed", hint: "It must be \(spec.expectation).")
            }
            checked[spec.name] = Option(name: spec.name, value: text)
        }
        return checked.values.sorted()
    }

    package var optionsJSON: JSONValue {
        .object(options.map { JSONMember($0.name, $0.json) })
    }
}
