package import Catalogue
package import SearchModel

/// All sources of this daemon, from which a search chooses.
package struct SourceRegistry: Sendable {
    package let catalogue: Catalogue
    /// Sources with invalid files, sorted by name.
    package let refused: [RefusedSource]
    package var all: [ConfiguredSource] { sources.all }
    private var sources: SourceList
    private let language: String
    private var table: ProfileTable

    package init(
        catalogue: Catalogue,
        sources: [ConfiguredSource],
        refused: [RefusedSource] = [],
        profiles: [Profile] = Profile.builtIn(),
        defaults: [Profile.Entry]? = nil,
        language: String = "en"
    ) {
        self.catalogue = catalogue
        let names = refused.filter { catalogue[$0.identity.name] == nil }.map { ($0.identity.name, $0) }
        self.refused = Dictionary(names, uniquingKeysWith: { first, _ in first }).values
            .sorted { $0.identity.name < $1.identity.name }
        self.sources = SourceList(sources)
        let entries = defaults ?? [Profile.Entry([.profile(Profile.standard)])]
        let all = profiles + [Profile(name: ProfileTable.standard, entries: entries)]
        let byProfile = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        self.language = language
        table = ProfileTable(sources: self.sources, profiles: byProfile, language: language)
    }

    package subscript(name: SourceName) -> ConfiguredSource? { sources[name] }

    func withEdition(_ edition: (ConfiguredSource) -> UInt32) -> SourceRegistry {
        var registry = self
        registry.sources = SourceList(all.map { $0.withEdition(edition($0)) })
        registry.table = ProfileTable(sources: registry.sources, profiles: table.profiles, language: language)
        return registry
    }

    package var profiles: [Profile] {
        table.profiles.values.filter { $0.name != ProfileTable.standard }.sorted { $0.name < $1.name }
    }

    package func members(of profile: Profile) -> [SourceName] {
        table.members(of: profile.name, .unknown).sources.map(\.source.name).sorted()
    }

    /// Returns the sources of those entries of the profile that have no available source.
    package func membersOff(of profile: Profile) -> [SourceName] {
        let resolver = table.resolver(.unknown)
        let silent = profile.entries.filter { resolver.members(of: [$0], askable: true).isEmpty }
        let off = resolver.members(of: silent, askable: false).sources.filter { $0.unavailable != nil }
        return off.map(\.source.name).sorted()
    }

    package struct Choice: Sendable {
        package fileprivate(set) var profiles: [SourceProfile] = []
        /// All sources in `profiles` except the user's own data.
        package fileprivate(set) var sources: [ConfiguredSource] = []
        /// The sources that the caller chose by name, glob or account, but not by profile.
        package fileprivate(set) var named: [SourceName] = []

        fileprivate init(_ sources: [ConfiguredSource] = [], _ own: [OwnSource] = []) {
            (self.sources, profiles) = (sources, sources.map(\.profile) + own.map(\.profile))
        }

        fileprivate mutating func add(_ source: OwnSource, isNamed: Bool) {
            if !profiles.contains(where: { $0.name == source.name }) { profiles.append(source.profile) }
            if isNamed, !named.contains(source.name) { named.append(source.name) }
        }

        fileprivate mutating func add(_ source: ConfiguredSource, isNamed: Bool) {
            let name = source.source.name
            if !sources.contains(where: { $0.source.name == name }) {
                sources.append(source)
                profiles.append(source.profile)
            }
            if isNamed, !named.contains(name) { named.append(name) }
        }
    }

    /// If `patterns` is nil, chooses the default sources or all sources of `kinds`; throws if no source matches.
    ///
    /// A pattern with the full name of a source also chooses a source that cannot be called.
    package func choose(
        _ patterns: [String]?,
        kinds: [Kind]?,
        for query: SearchQuery? = nil
    ) throws(SearchError) -> Choice {
        let traits = query.map { QueryTraits($0) } ?? .unknown
        guard let patterns else { return try chooseUnnamed(kinds, traits) }
        var choice = Choice()
        var passedOver: [ConfiguredSource] = []
        var chosen: [ConfiguredSource] = []
        for pattern in patterns {
            if let own = OwnSource(named: pattern, kinds: kinds) {
                choice.add(own, isNamed: true)
                continue
            }
            guard let selector = SourceSelector(pattern) else { throw unknown(pattern) }
            let matching = try matching(selector, pattern, traits)
            chosen += matching
            for source in matching where kinds?.contains(source.source.kind) ?? true {
                if source.unavailable != nil, !selector.isSource {
                    passedOver.append(source)
                } else {
                    choice.add(source, isNamed: !selector.isProfile)
                }
            }
            for own in own(in: selector, kinds, traits) { choice.add(own, isNamed: false) }
        }
        guard choice.profiles.isEmpty else { return choice }
        var error = passedOver.first?.unavailable ?? nothingToAsk(kinds, of: chosen)
        let others = Set(passedOver.map(\.source.account)).subtracting(passedOver.prefix(1).map(\.source.account))
        if !others.isEmpty { error.message += "; also unavailable: \(others.sorted().joined(separator: ", "))" }
        throw error
    }

    private func chooseUnnamed(_ kinds: [Kind]?, _ traits: QueryTraits) throws(SearchError) -> Choice {
        guard let kinds else {
            let standard = table.members(of: ProfileTable.standard, traits)
            guard standard.isEmpty else { return Choice(standard.sources, standard.own.map { OwnSource($0) }) }
            let all = table.resolver(traits).members(of: .profile(ProfileTable.standard), askable: false).sources
            throw all.first?.unavailable ?? Self.nothingByDefault
        }
        let ofKind = all.filter { kinds.contains($0.source.kind) }
        let askable = ofKind.filter { $0.unavailable == nil }
        guard askable.isEmpty else { return Choice(askable) }
        throw ofKind.first?.unavailable ?? nothingToAsk(kinds, of: all)
    }

    private func matching(
        _ selector: SourceSelector,
        _ pattern: String,
        _ traits: QueryTraits
    ) throws(SearchError) -> [ConfiguredSource] {
        if case .source(let name) = selector { return [try named(name)] }
        if case .profile(let profile) = selector {
            let members = table.members(of: profile, traits)
            guard members.isEmpty else { return members.sources }
        }
        let matching = table.resolver(traits).members(of: selector, askable: false).sources
        guard matching.isEmpty else { return matching }
        if case .account(let account) = selector,
            let refused = refused.first(where: { $0.identity.name.account == account })
        {
            throw Self.located(refused.error)
        }
        if case .profile(let profile) = selector, table.profiles[profile] != nil { return [] }
        throw unknown(pattern)
    }

    private func own(in selector: SourceSelector, _ kinds: [Kind]?, _ traits: QueryTraits) -> [OwnSource] {
        guard case .profile(let name) = selector else { return [] }
        return table.members(of: name, traits).own.map { OwnSource($0, kinds: kinds) }
    }

    private func named(_ name: SourceName) throws(SearchError) -> ConfiguredSource {
        if let known = self[name] { return known }
        do throws(SearchError) {
            if let refused = refused.first(where: { $0.identity.name == name }) { throw refused.error }
            return ConfiguredSource(source: try catalogue.source(named: name), access: AccountAccess())
        } catch {
            throw Self.located(error)
        }
    }

    private static func located(_ error: SearchError) -> SearchError {
        var located = error
        located.path = "params.sources"
        return located
    }

    package static func selectable(_ sources: some Sequence<SourceName>, _ profiles: [String]) -> [String] {
        let names = sources.map(\.text).sorted()
        return names + Set(sources.map(\.account)).sorted() + profiles.sorted()
    }

    private func unknown(_ pattern: String) -> SearchError {
        let names = all.map(\.source.name)
        let known = Self.selectable(names, profiles.map(\.name))
        // The names of many profiles are plurals, so “@bok” can mean “@books”.
        let plural = pattern.utf8.first == UInt8(ascii: "@") ? NearestName.of(pattern + "s", among: known) : nil
        let nearest = NearestName.of(pattern, among: known) ?? plural
        return SearchError(
            .unknownSource,
            "no source, account or profile is called “\(String(decoding: pattern.utf8.prefix(SourceName.bytesMax), as: UTF8.self))”",
            retryable: false,
            hint: nearest.map(NearestName.question) ?? "source/list lists all names.",
            path: "params.sources"
        )
    }

    private static let nothingByDefault = SearchError(
        .notConfigured,
        "no source is searched by default",
        retryable: false,
        hint: "Name sources, or set defaultSources in the configuration."
    )

    private func nothingToAsk(_ kinds: [Kind]?, of chosen: [ConfiguredSource]) -> SearchError {
        guard let kinds, !chosen.isEmpty else {
            return SearchError(.notConfigured, "the profile is empty", retryable: false, hint: "Name other sources.")
        }
        let known = Set(chosen.map(\.source.kind.text)).sorted()
        let strange = kinds.first { kind in !all.contains { $0.source.kind == kind } }
        return SearchError(
            .unknownSource,
            "no chosen source has hits of the kind \(kinds.map(\.text).joined(separator: ", "))",
            retryable: false,
            hint: strange.flatMap { NearestName.of($0.text, among: known) }.map(NearestName.question)
                ?? "Kinds of the chosen sources: \(known.joined(separator: ", ")).",
            path: "params.kinds"
        )
    }
}

extension SourceSelector {
    fileprivate var isSource: Bool { if case .source = self { true } else { false } }
    fileprivate var isProfile: Bool { if case .profile = self { true } else { false } }
}

/// A source that cannot be searched, because its file is invalid.
package struct RefusedSource: Sendable {
    package let identity: SourceHeader
    package let problems: [CatalogueError]

    package init(identity: SourceHeader, problems: [CatalogueError]) {
        self.identity = identity
        self.problems = problems
    }

    package var error: SearchError {
        let first = problems.first.map { ": \($0)" } ?? ""
        let others = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
        return SearchError(
            .unknownSource,
            "the file of \(identity.name) is not valid\(first)\(others)",
            source: identity.name,
            retryable: false,
            hint: "“searchctl sources check \(problems.first?.file ?? "FILE")” lists its problems."
        )
    }
}
