package import JSON
package import SearchModel

extension Source {
    /// Returns the options sorted; throws `invalidParams` if one is not valid.
    package func options(from members: [JSONMember]) throws(SearchError) -> [Option] {
        var checked: [String: Option] = [:]
        for member in members {
            let path = "params.options.\(name).\(member.name)"
            guard let spec = options.first(where: { $0.name.hasSameBytes(as: member.name) }) else {
                let nearest = NearestName.of(member.name, among: options.map(\.name)).map(NearestName.question)
                let names = options.map(\.name).joined(separator: ", ")
                let all = names.isEmpty ? "It has no options." : "Its options are: \(names)."
                let message = "\(name) does not have this option"
                throw SearchError(.invalidParams, message, of: name, hint: nearest ?? all, path: path)
            }
            guard let text = spec.text(of: member.value) else {
                let hint = "It must be \(spec.expectation)."
                throw SearchError(.invalidParams, "this value is not allowed", of: name, hint: hint, path: path)
            }
            checked[spec.name] = Option(name: spec.name, value: text)
        }
        return checked.values.sorted()
    }

    package var optionsJSON: JSONValue {
        .object(options.map { JSONMember($0.name, $0.json) })
    }
}
