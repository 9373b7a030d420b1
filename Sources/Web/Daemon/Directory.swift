import JSON
import RPC
import SearchModel

/// The sources and profiles that the daemon's method `source/list` returns.
struct Directory: Sendable {
    struct Source: Sendable {
        let name: String
        let kind: String
        let account: String
        let isEnabled: Bool
        let isPersonal: Bool
        /// Must be shown with the hits of the source.
        let attribution: String?
    }

    struct Profile: Sendable {
        let name: String
        let sources: [String]
    }

    let sources: [Source]
    let profiles: [Profile]

    init(_ answer: JSONCursor) {
        sources = (answer[.sources]?.elements ?? []).map { entry in
            Source(
                name: entry[.source]?.string ?? "",
                kind: entry["kind"]?.string ?? "web",
                account: entry[.account]?.string ?? "",
                isEnabled: entry[.enabled]?.bool ?? false,
                isPersonal: entry[.local]?.bool ?? false,
                attribution: entry[.attribution]?.string
            )
        }
        profiles = (answer[.profiles]?.elements ?? []).map { entry in
            Profile(
                name: entry[.name]?.string ?? "",
                sources: (entry[.sources]?.elements ?? []).compactMap(\.string)
            )
        }
    }

    func sources(for caller: Caller) -> [Source] {
        caller == .user ? sources : sources.filter { !$0.isPersonal }
    }

    var kinds: [String] {
        Set(sources.filter { $0.isEnabled && !$0.isPersonal }.map(\.kind)).sorted()
    }

    var credits: [String] { Set(sources.filter(\.isEnabled).compactMap(\.attribution)).sorted() }

    struct Selection: Hashable, Sendable {
        var sources: [String] = []
        var kinds: [String] = []
    }

    /// Converts categories and engines of SearXNG to sources and kinds, and ignores unknown names.
    func selection(categories: [String], engines: [String], for caller: Caller) -> Selection {
        let known = sources(for: caller)
        var named = engines.filter { engine in known.contains { $0.name == engine || $0.account == engine } }
        let meant = categories.compactMap(category)
        named += meant.compactMap(\.profile)
        let kinds = meant.compactMap(\.kind)
        if named.isEmpty, !kinds.isEmpty { return Selection(kinds: kinds) }
        // A search applies kinds to all its sources, also to those of profiles. So each kind is replaced by its sources.
        named += known.filter { $0.isEnabled && kinds.contains($0.kind) }.map(\.name)
        guard caller == .anyone else { return Selection(sources: Array(named.prefix(WireBounds.sourcesMax))) }
        let personal = Set(sources.filter(\.isPersonal).map(\.name))
        if named.isEmpty { named = ["@default"] }
        let safe = named.flatMap { name in
            let members = profiles.first { $0.name == name }?.sources ?? []
            return members.contains(where: personal.contains) ? members.filter { !personal.contains($0) } : [name]
        }
        return Selection(sources: Array(safe.prefix(WireBounds.sourcesMax)))
    }

    private func category(_ name: String) -> (profile: String?, kind: String?)? {
        let at = name.hasPrefix("@") ? name : "@\(name)"
        if let profile = profiles.first(where: { $0.name == at }) { return (profile.name, nil) }
        let kinds = kinds
        if kinds.contains(name) { return (nil, name) }
        let singular = String(name.dropLast())
        return name.hasSuffix("s") && kinds.contains(singular) ? (nil, singular) : nil
    }
}
