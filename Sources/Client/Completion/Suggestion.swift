import Hangul
package import JSON
import RPC
import SearchModel

/// What can complete a word of the command line.
package enum Suggestion: Equatable, Sendable {
    case words([Candidate])
    case sources
    case sourceNames
    case sourceGlobs
    case kinds
    case keyAccounts
    case quotas
    case sourceOptions
    case hits
    case saved
    case tags
    case suggestions(after: [String])
    case methods
    case commands
    case files

    package static func words(_ words: String...) -> Suggestion { .words(words.map { Candidate($0, "") }) }

    private static let savedMax = 200
    private static let suggestionsMax = 50

    var method: MethodName? {
        switch self {
        case .sources, .sourceNames, .sourceGlobs, .kinds, .keyAccounts, .quotas, .sourceOptions: .sourceList
        case .saved, .tags: .libraryList
        case .suggestions: .suggest
        case .methods: .discover
        case .words, .hits, .commands, .files: nil
        }
    }

    func params(_ prefix: String) -> [UInt8]? {
        switch self {
        case .suggestions(let words):
            SuggestCommand.params((words + [prefix]).joined(separator: " "), limit: Self.suggestionsMax)
        case .saved: JSONWriter.bytes { $0.member(.limit, Self.savedMax) }
        case .tags:
            JSONWriter.bytes { writer in
                writer.member(.groupBy, "tag")
                writer.member(.limit, 1)
            }
        default: nil
        }
    }

    package func candidates(in result: JSONCursor, prefix: String) -> [Candidate] {
        let sources = (result[.sources]?.elements ?? []).map { SourceEntry($0) }
            .filter { $0.json[.source]?.string?.hasSameBytes(as: $0.name) == true }
        let enabled = sources.filter(\.isEnabled)
        let profiles = (result[.profiles]?.elements ?? []).map { profile in
            let members = (profile[.sources]?.elements ?? []).compactMap(\.string).joined(separator: ", ")
            return Candidate(profile[.name]?.string ?? "", profile[.about]?.string ?? members)
        }
        switch self {
        case .sources: return Self.titles(enabled) + Self.accounts(enabled) { $0 } + profiles
        case .sourceNames: return Self.titles(sources) + Self.accounts(sources) { $0 } + profiles
        case .sourceGlobs: return Self.titles(enabled) + Self.accounts(enabled) { "\($0).*" }
        case .kinds:
            let kinds = Self.groups(enabled.filter { !$0.isOwn }, by: \.kind)
            return kinds.map { Candidate($0.name, Self.names($0.sources)) }
        case .keyAccounts:
            let keyed = sources.filter { $0.json[.keys]?.elements.isEmpty == false }
            return Self.groups(keyed, by: \.account).map { Candidate($0.name, Self.names($0.sources)) }
        case .quotas: return DaemonSnapshot(list: result).quotas.map { Candidate($0.name, $0.text) }
        case .sourceOptions: return enabled.flatMap { Self.options($0, prefix) }
        case .saved:
            return (result[.items]?.elements ?? []).map { Candidate($0[.id]?.string ?? "", $0[.title]?.string ?? "") }
        case .tags:
            return (result[.groups]?.elements ?? []).map { group in
                Candidate(group[.name]?.string ?? "", NumberText.count(group[.count]?.int ?? 0, "item"))
            }
        case .methods:
            return (result[.methods]?.elements ?? []).map { method in
                Candidate(method[.name]?.string ?? "", method[.summary]?.string ?? "")
            }
        case .suggestions(let words):
            let texts = (result[.suggestions]?.elements ?? []).compactMap { $0[.text]?.string }
            return Self.nextWords(of: texts, after: words, prefix)
        case .words, .hits, .commands, .files: return []
        }
    }

    private static func titles(_ sources: [SourceEntry]) -> [Candidate] {
        sources.map { Candidate($0.name, $0.title) }
    }

    private static func accounts(_ sources: [SourceEntry], as written: (String) -> String) -> [Candidate] {
        groups(sources, by: \.account).filter { $0.sources.count > 1 }.map { account in
            Candidate(written(account.name), "all \(account.sources.count) sources of \(account.name)")
        }
    }

    private static func groups(
        _ sources: [SourceEntry],
        by key: (SourceEntry) -> String
    ) -> [(name: String, sources: [SourceEntry])] {
        Dictionary(grouping: sources, by: key).filter { !$0.key.isEmpty }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    private static func names(_ sources: [SourceEntry]) -> String { sources.map(\.name).joined(separator: ", ") }

    private static func options(_ source: SourceEntry, _ prefix: String) -> [Candidate] {
        (source.json[.options]?.members ?? []).flatMap { option -> [Candidate] in
            let name = "\(source.name).\(option.name)="
            let isFlag = option.value[.type]?.word(OptionType.self) == .boolean
            let values = isFlag ? ["true", "false"] : (option.value[.values]?.elements ?? []).compactMap(\.string)
            if prefix.hasPrefix(name) { return values.map { Candidate(name + $0, "") } }
            return [Candidate(name, option.value[.about]?.string ?? values.joined(separator: ", "))]
        }
    }

    private static func isSign(_ byte: UInt8) -> Bool { ",.;:!?".utf8.contains(byte) }

    private static func nextWords(of texts: [String], after words: [String], _ prefix: String) -> [Candidate] {
        var seen: Set<ExactText> = []
        let candidates = texts.compactMap { text -> Candidate? in
            let all = text.utf8.split(separator: UInt8(ascii: " ")).map { word in
                ExactText(String(Substring(word.prefix(word.count - word.reversed().prefix(while: isSign).count))))
            }
            guard all.count > words.count, all.prefix(words.count).elementsEqual(words.map { ExactText($0) }),
                seen.insert(all[words.count]).inserted
            else { return nil }
            return Candidate(all[words.count].text, all.count > 1 ? text : "")
        }
        let extending = candidates.filter { $0.word.hasPrefix(prefix) }
        guard extending.allSatisfy({ $0.word.hasSameBytes(as: prefix) }), let typed = TypedPattern(prefix) else {
            return extending
        }
        var known = [FoldedText(prefix).scalars] as Set
        let others = candidates.filter { candidate in
            let word = FoldedText(candidate.word)
            let match = typed.match(in: word, atWords: true) ?? typed.matchWithTypo(in: word)
            return match.map { $0.position < .word } == true && known.insert(word.scalars).inserted
        }
        return others.isEmpty ? extending : others
    }
}

package struct Candidate: Equatable, Sendable {
    package let word: String
    package let about: String

    private static let aboutColumnsMax = 60

    package init(_ word: String, _ about: String) {
        self.word = word
        self.about = about
    }

    var line: String {
        let about = about.cut(columns: Self.aboutColumnsMax)
        return VisibleText.visible(word) + (about.isEmpty ? "" : "\t" + about)
    }

    /// False if `line` has escapes instead of some characters.
    ///
    /// A shell would insert the escapes.
    var isPlain: Bool { !word.isEmpty && VisibleText.visible(word) == word }
}
