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
        /// The ways to use its account with keys; empty for one that needs none.
        let ways: [String]
    }

    /// A named group of sources.
    package struct Profile: Equatable, Sendable {
        let name: String
        let about: String
        let sources: [String]
    }

    /// What a source takes beyond the common parameters.
    package struct Option: Equatable, Sendable {
        let key: String
        let about: String
        /// Those that can be listed.
        let values: [String]
    }

    package var sources: [Source] = []
    package var profiles: [Profile] = []
    package var methods: [Candidate] = []
    package var hits: [Candidate] = []
    package var saved: [Candidate] = []
    package var tags: [Candidate] = []
    /// What was searched, the latest first.
    package var queries: [String] = []
    /// What may be typed next, the best first.
    package var suggested: [String] = []

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
                    options: (entry[.options]?.members ?? []).map(Self.option),
                    ways: (entry[.keys]?.elements ?? []).compactMap { $0[.way]?.string }
                )
            )
        }
        result[.profiles]?.forEachElement { entry in
            guard let name = entry[.name]?.string else { return }
            profiles.append(
                Profile(
                    name: name,
                    about: entry[.about]?.string ?? "",
                    sources: (entry[.sources]?.elements ?? []).compactMap(\.string)
                )
            )
        }
        result[.items]?.forEachElement { item in
            guard let id = item[.id]?.string else { return }
            saved.append(Candidate(id, item[.title]?.string ?? ""))
        }
        result[.groups]?.forEachElement { group in
            guard let name = group[.name]?.string, !name.isEmpty else { return }
            tags.append(Candidate(name, FigureText.count(group[.count]?.int ?? 0, "item")))
        }
        queries += (result[.entries]?.elements ?? []).compactMap { $0[.query]?.string }
        suggested += (result[.suggestions]?.elements ?? []).compactMap { $0[.text]?.string }
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
