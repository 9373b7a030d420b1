package import JSON
package import SearchModel

extension Source {
    /// Checks the options that a caller sent under this source's name.
    ///
    /// Throws `invalidParams` with the path of the first invalid option.
    package func options(from members: [JSONMember]) throws(SearchError) -> [Option] {
        var checked: [String: Option] = [:]
        for member in members {
            let path = "params.options.\(name).\(member.name)"
            guard let spec = options.first(where: { $0.name.hasSameBytes(as: member.name) }) else {
                let nearest = NearestName.of(member.name, among: options.map(\.name))
                throw SearchError(
                    .invalidParams,
                    "\(name) has no such option",
                    source: name,
                    retryable: false,
                    hint: nearest.map(NearestName.question) ?? "Its options are: \(optionNames).",
                    path: path
                )
            }
            guard let text = spec.text(of: member.value) else {
                throw SearchError(
                    .invalidParams,
                    "this value is not allowed",
                    source: name,
                    retryable: false,
                    hint: "It must be \(spec.expectation).",
                    path: path
                )
            }
            checked[spec.name] = Option(name: spec.name, value: text)
        }
        return checked.values.sorted()
    }

    /// The options as `source/list` shows them.
    package var optionsJSON: JSONValue {
        .object(options.map { JSONMember($0.name, $0.json) })
    }

    private var optionNames: String {
        options.isEmpty ? "none" : options.map(\.name).joined(separator: ", ")
    }
}
