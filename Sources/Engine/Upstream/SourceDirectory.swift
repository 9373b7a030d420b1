package import Catalogue
package import SearchModel

/// Every source of this daemon; a value, so that a search keeps the one it began with.
package struct SourceDirectory: Sendable {
    /// A longer glob stands for no source.
    package static let globBytesMax = 2 * SourceName.bytesMax

    package let catalogue: Catalogue
    /// Sources whose files are wrong, in the order of their names; none of them has the name of one that is right.
    package let refused: [RefusedSource]
    /// In the order of their names; each search by a glob, also one that names no source, looks through them.
    package private(set) var all: [ConfiguredSource]
    private var indices: [SourceName: Int]
    /// Globs that stand for the sources of a search that names none; nil for every source that can be asked.
    private let defaults: [String]?

    package init(
        catalogue: Catalogue,
        sources: [ConfiguredSource],
        refused: [RefusedSource] = [],
        defaults: [String]?
    ) {
        self.catalogue = catalogue
        let names = refused.filter { catalogue[$0.identity.name] == nil }.map { ($0.identity.name, $0) }
        self.refused = Dictionary(names, uniquingKeysWith: { first, _ in first }).values
            .sorted { $0.identity.name < $1.identity.name }
        let byName = Dictionary(sources.map { ($0.source.name, $0) }, uniquingKeysWith: { _, last in last })
        all = byName.sorted { $0.key < $1.key }.map(\.value)
        indices = Dictionary(uniqueKeysWithValues: byName.keys.sorted().enumerated().map { ($1, $0) })
        self.defaults = defaults
    }

    package subscript(name: SourceName) -> ConfiguredSource? { indices[name].map { all[$0] } }

    /// The same sources, each with its edition.
    func editioned(_ edition: (ConfiguredSource) -> UInt32) -> SourceDirectory {
        var directory = self
        directory.all = all.map { $0.editioned(edition($0)) }
        return directory
    }

    /// The sources of a search, in the order they were named.
    ///
    /// - Parameters:
    ///   - patterns: Names or globs; nil for the default set.
    ///   - kinds: Of those, the ones of these kinds; nil for all.
    /// - Returns: At least one source. One that was named is there even when it can't be asked; globs give only those
    ///   that can.
    /// - Throws: `unknownSource` for a name or glob that stands for nothing, `notConfigured` when none can be asked.
    package func choose(_ patterns: [String]?, kinds: [Kind]?) throws(SearchError) -> [ConfiguredSource] {
        var chosen: [ConfiguredSource] = []
        var passedOver: [ConfiguredSource] = []
        for pattern in patterns ?? defaults ?? ["*"] {
            for source in try matching(pattern) where kinds?.contains(source.source.kind) ?? true {
                if Self.isGlob(pattern), source.unavailable != nil {
                    passedOver.append(source)
                } else if !chosen.contains(where: { $0.source.name == source.source.name }) {
                    chosen.append(source)
                }
            }
        }
        guard !chosen.isEmpty else { throw passedOver.first?.unavailable ?? nothingToAsk(kinds) }
        return chosen
    }

    private func matching(_ pattern: String) throws(SearchError) -> [ConfiguredSource] {
        guard Self.isGlob(pattern) else {
            guard let name = SourceName(pattern) else { throw unknown(pattern) }
            if let known = self[name] { return [known] }
            do throws(SearchError) {
                if let refused = refused.first(where: { $0.identity.name == name }) { throw refused.error }
                return [ConfiguredSource(source: try catalogue.source(named: name), access: AccountAccess())]
            } catch {
                var located = error
                located.path = "params.sources"
                throw located
            }
        }
        guard pattern.utf8.count <= Self.globBytesMax else { throw unknown(pattern) }
        let matching = all.filter { Glob.matches($0.source.name.text, pattern) }
        guard !matching.isEmpty else { throw unknown(pattern) }
        return matching
    }

    private static func isGlob(_ pattern: String) -> Bool {
        pattern.utf8.contains(UInt8(ascii: "*"))
    }

    private func unknown(_ pattern: String) -> SearchError {
        let names = all.map(\.source.name.text)
        let nearest = NearestName.of(pattern, among: names)
        return SearchError(
            .unknownSource,
            "no source goes by that name",
            retryable: false,
            hint: nearest.map { "Did you mean \($0)?" } ?? "The sources are \(names.joined(separator: ", ")).",
            path: "params.sources"
        )
    }

    private func nothingToAsk(_ kinds: [Kind]?) -> SearchError {
        guard let kinds else {
            return SearchError(
                .notConfigured,
                "no source is asked by default",
                retryable: false,
                hint: "Name sources, or set defaultSources in the configuration."
            )
        }
        let known = Set(all.map(\.source.kind.text)).sorted()
        let strange = kinds.first { !known.contains($0.text) }
        return SearchError(
            .unknownSource,
            "none of these sources has that kind",
            retryable: false,
            hint: strange.flatMap { NearestName.of($0.text, among: known) }.map { "Did you mean \($0)?" }
                ?? "The kinds are \(known.joined(separator: ", ")).",
            path: "params.kinds"
        )
    }
}
