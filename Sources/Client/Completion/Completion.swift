import Hangul
import JSON

/// The candidates at a position of the command line; pure.
package struct Completion {
    /// What would fit, in the order in which it is to be offered.
    package let candidates: [Candidate]
    /// Whether a file would fit too.
    package let takesFiles: Bool

    /// What says in a line of its own that files would fit: no candidate has an empty word.
    static let filesLine = "\tfiles"

    /// The completion of `position`, which was read against the same table of commands, with `facts`.
    package init(_ position: CompletionPosition, commands: [Command], facts: CompletionFacts) {
        takesFiles = position.suggestions.contains(.files)
        let all = position.suggestions.flatMap { Self.candidates($0, prefix: position.prefix, commands, facts) }
        let plain = all.filter(\.isPlain)
        let extending = plain.filter { $0.word.hasPrefix(position.prefix) }
        // What was typed in another way than letter by letter is replaced, where nothing goes on from it.
        let isDone = extending.allSatisfy { $0.word.hasSameBytes(as: position.prefix) }
        let others = isDone ? plain.filter { Self.isTyped(position.prefix, on: $0, position.suggestions) } : []
        // What differs only in signs is the same.
        var known = [FoldedText(position.prefix).scalars] as Set
        let goingOn = others.filter { known.insert(FoldedText($0.word).scalars).inserted }
        candidates = (goingOn.isEmpty ? extending : goingOn).map { Candidate(position.kept + $0.word, $0.about) }
    }

    /// A line for each candidate.
    package var lines: [String] {
        candidates.map(\.line) + (takesFiles ? [Self.filesLine] : [])
    }

    private static func candidates(
        _ suggestion: Suggestion,
        prefix: String,
        _ commands: [Command],
        _ facts: CompletionFacts
    ) -> [Candidate] {
        switch suggestion {
        case .words(let words): words
        case .commands: commands.filter { !$0.isHidden }.map { Candidate($0.name, $0.summary) }
        case .hits: facts.hits
        case .saved: facts.saved
        case .tags: facts.tags
        case .queries(let words): queries(facts.queries, after: words)
        case .suggestions(let words): queries(facts.suggested, after: words)
        case .methods: facts.methods
        case .files: []
        case .sourceNames: sources(facts.sources, facts)
        case .sources: sources(facts.sources.filter(\.isEnabled), facts)
        case .sourceGlobs: globs(facts.sources.filter(\.isEnabled))
        case .kinds: kinds(facts)
        case .keyAccounts: accounts(facts.sources.filter { !$0.ways.isEmpty })
        case .keyWays(let account): ways(of: account, facts)
        case .sourceOptions: sourceOptions(prefix, facts)
        }
    }

    /// Whether what was typed is on the way to a word that was suggested for it.
    private static func isTyped(_ prefix: String, on candidate: Candidate, _ suggestions: [Suggestion]) -> Bool {
        let isSuggested = suggestions.contains { if case .suggestions = $0 { true } else { false } }
        guard isSuggested, let typed = TypedPattern(prefix) else { return false }
        let word = FoldedText(candidate.word)
        let match = typed.match(in: word, atWords: true) ?? typed.matchWithTypo(in: word)
        return match.map { $0.position < .word } ?? false
    }

    /// Each next word once, with the latest query that has it.
    private static func queries(_ queries: [String], after words: [String]) -> [Candidate] {
        var seen: Set<ExactText> = []
        return queries.compactMap { query in
            let all = query.utf8.split(separator: UInt8(ascii: " ")).map { ExactText(String(Substring($0))) }
            guard all.count > words.count, all.prefix(words.count).elementsEqual(words.map { ExactText($0) }),
                seen.insert(all[words.count]).inserted
            else { return nil }
            return Candidate(all[words.count].text, all.count > 1 ? query : "")
        }
    }

    /// The sources, then the accounts that have several of them, then the profiles.
    private static func sources(_ sources: [CompletionFacts.Source], _ facts: CompletionFacts) -> [Candidate] {
        sources.map { Candidate($0.name, $0.title) }
            + shared(sources).map { Candidate($0.account, "all \($0.count) sources of \($0.account)") }
            + facts.profiles.map { profile in
                Candidate(profile.name, profile.about.isEmpty ? profile.sources.joined(separator: ", ") : profile.about)
            }
    }

    /// The sources, then a glob for each account that has several of them.
    private static func globs(_ sources: [CompletionFacts.Source]) -> [Candidate] {
        sources.map { Candidate($0.name, $0.title) }
            + shared(sources).map { Candidate("\($0.account).*", "all \($0.count) of them") }
    }

    /// The accounts that have several of the sources.
    private static func shared(_ sources: [CompletionFacts.Source]) -> [(account: String, count: Int)] {
        let counts = Dictionary(sources.map { ($0.account, 1) }, uniquingKeysWith: +)
        return counts.filter { $0.value > 1 && !$0.key.isEmpty }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The ways to use an account, where there is a choice.
    private static func ways(of account: String, _ facts: CompletionFacts) -> [Candidate] {
        let ways = facts.sources.first { $0.account == account }?.ways ?? []
        return ways.count > 1 ? ways.map { Candidate($0, "") } : []
    }

    private static func kinds(_ facts: CompletionFacts) -> [Candidate] {
        let enabled = facts.sources.filter { $0.isEnabled && !$0.kind.isEmpty }
        let byKind = Dictionary(grouping: enabled, by: \.kind)
        return byKind.sorted { $0.key < $1.key }.map { kind, sources in
            Candidate(kind, sources.map(\.name).joined(separator: ", "))
        }
    }

    /// Each with its sources, whether they can be asked or not yet.
    private static func accounts(_ sources: [CompletionFacts.Source]) -> [Candidate] {
        let byAccount = Dictionary(grouping: sources, by: \.account)
        return byAccount.sorted { $0.key < $1.key }.map { account, sources in
            Candidate(account, sources.map(\.name).joined(separator: ", "))
        }
    }

    /// Up to the `=` first, so that a menu is short; behind it the values.
    private static func sourceOptions(_ prefix: String, _ facts: CompletionFacts) -> [Candidate] {
        facts.sources.filter(\.isEnabled).flatMap { source in
            source.options.flatMap { option in
                let name = "\(source.name).\(option.key)="
                guard prefix.hasPrefix(name) else {
                    let values = option.values.joined(separator: ", ")
                    return [Candidate(name, option.about.isEmpty ? values : option.about)]
                }
                return option.values.map { Candidate(name + $0, "") }
            }
        }
    }
}
