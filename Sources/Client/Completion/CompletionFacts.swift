import JSON
import RPC
import SearchModel

/// What completion needs to know beyond the command line; all of it may be missing.
package struct CompletionFacts: Equatable, Sendable {
    /// A source of `source/list`.
    package struct Source: Equatable, Sendable {
        let name: String
        let kind: String
        let account: String
        let title: String
        let isEnabled: Bool
        let options: [Option]
    }

    /// What a source takes beyond the common parameters.
    package struct Option: Equatable, Sendable {
        let key: String
        let about: String
        /// Those that can be listed.
        let values: [String]
    }

    package var sources: [Source] = []
    package var methods: [Candidate] = []
    package var hits: [Candidate] = []

    package init() {}

    /// Takes the answer of a method that a suggestion names.
    mutating func take(_ result: JSONCursor) {
        result[.sources]?.forEachElement { entry in
            guard let name = entry[.source]?.string else { return }
            sources.append(
                Source(
                    name: name,
                    kind: entry[.kind]?.string ?? "",
                    account: entry[.account]?.string ?? "",
                    title: entry[.title]?.string ?? "",
                    isEnabled: entry[.enabled]?.bool ?? false,
                    options: (entry[.options]?.members ?? []).map(Self.option)
                )
            )
        }
        result[.methods]?.forEachElement { method in
            guard let name = method[.name]?.string else { return }
            methods.append(Candidate(name, method[.summary]?.string ?? ""))
        }
    }

    /// Takes the hits of the terminal's last search.
    mutating func take(_ search: LastSearch) {
        hits = search.hits.enumerated().map { index, hit in
            Candidate(String(search.firstNumber + index), FoundHit(hit).title)
        }
    }

    private static func option(_ name: String, _ option: JSONCursor) -> Option {
        let values: [String] =
            switch option[.type]?.word(OptionType.self) {
            case .choice: (option[.values]?.elements ?? []).compactMap(\.string)
            case .boolean: ["true", "false"]
            default: []
            }
        return Option(key: name, about: option[.about]?.string ?? "", values: values)
    }
}
