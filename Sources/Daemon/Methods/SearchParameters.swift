import Catalogue
import Engine
import JSON
import RPC
import SearchModel
import Upstream

/// The parameters of `search`, checked against the configured sources.
struct SearchParameters {
    var request: SearchRequest
    let isStreamed: Bool
    let requestsProgress: Bool
    let channel: ChannelClaim?
    let isRecorded: Bool

    init(
        _ parameters: inout Parameters,
        _ registry: SourceRegistry,
        _ client: ClientIdentity,
        hasOwnData: Bool
    ) throws(SearchError) {
        let query = try parameters.requiredQuery(.query)
        let (choice, patterns, isDefault) = try Self.choice(&parameters, query, registry)
        let sources = choice.sources
        var request = SearchRequest(query: query, sources: choice.profiles)
        (request.named, request.patterns) = (choice.named, patterns)
        request.sort = try parameters.choice(.sort) ?? .relevance
        try Self.readWindow(&parameters, &request)
        request.filter = try parameters.filter()
        request.raw = try parameters.bool(.raw) ?? false
        guard !request.raw || request.limit <= WireBounds.rawLimitMax else {
            throw parameters.mismatch(.limit, "at most \(WireBounds.rawLimitMax) with \"raw\"")
        }
        request.maxAge = try parameters.integer(.maxAge, in: WireBounds.maxAgeSeconds).map { .seconds($0) }
        request.offline = try parameters.bool(.offline) ?? false
        if request.offline, isDefault, hasOwnData { request.addOwnData() }
        request.isPrivate = try parameters.bool(.private) ?? false
        request.callBudget = try parameters.integer(.maxCalls, in: WireBounds.maxCalls).map(CallBudget.init)
        let history = try parameters.bool(.history)
        request.explain = try parameters.bool(.explain) ?? false
        request.timeout =
            try parameters.integer(.timeout, in: WireBounds.timeoutMilliseconds).map { .milliseconds($0) }
            ?? .milliseconds(WireBounds.timeoutMillisecondsDefault)
        request.wait = try parameters.choice(.wait) ?? .all
        request.options = try Self.options(&parameters, sources, registry)
        request.priority = try parameters.choice(.priority) ?? .interactive
        request.client = client
        isStreamed = try parameters.bool(.stream) ?? false
        requestsProgress = try parameters.bool(.progress) ?? false
        var channel = try Self.channel(&parameters)
        try parameters.finish()
        request.isTyping = channel != nil
        request.isUnfinished = query.isUnfinished(whileTyping: channel != nil)
        // On a channel, the client sends the final query again with `history`. Only that request is recorded.
        isRecorded = (history ?? (channel == nil)) && !request.isPrivate && !request.isUnfinished
        channel?.mayCallSources = !request.isLocal
        self.channel = channel
        self.request = request
    }

    private static func choice(
        _ parameters: inout Parameters,
        _ query: SearchQuery,
        _ registry: SourceRegistry
    ) throws(SearchError) -> (choice: SourceRegistry.Choice, patterns: [String], isDefault: Bool) {
        let patterns = try parameters.strings(.sources, countMax: WireBounds.sourcesMax)
        if let patterns, patterns.isEmpty { throw parameters.mismatch(.sources, "a list of at least one source") }
        let kinds = try parameters.kinds()
        if kinds?.isEmpty == true { throw parameters.mismatch(.kinds, "a list of at least one kind") }
        let choice = try registry.choose(patterns, kinds: kinds, for: query)
        return (choice, patterns ?? [], patterns == nil && kinds == nil)
    }

    private static func readWindow(
        _ parameters: inout Parameters,
        _ request: inout SearchRequest
    ) throws(SearchError) {
        let offset = try parameters.integer(.offset, in: WireBounds.offset)
        request.limit = try parameters.integer(.limit, in: WireBounds.limit) ?? WireBounds.limitDefault
        request.offset = offset ?? 0
        guard let text = try parameters.string(.cursor) else { return }
        guard offset == nil else {
            throw Parameters.invalid(
                "params.offset",
                "\"offset\" and \"cursor\" can't be combined",
                hint: "Give the cursor alone."
            )
        }
        guard let cursor = Cursor(text) else {
            throw parameters.mismatch(.cursor, "a cursor that an earlier answer gave as \"next\"")
        }
        request.cursor = cursor
    }

    private static func channel(_ parameters: inout Parameters) throws(SearchError) -> ChannelClaim? {
        let debounce = try parameters.integer(.debounce, in: WireBounds.debounceMilliseconds).map {
            Duration.milliseconds($0)
        }
        guard let name = try parameters.string(.channel) else {
            guard (debounce ?? .zero) == .zero else {
                throw Parameters.invalid(
                    "params.debounce",
                    "\"debounce\" needs a channel",
                    hint: "Give the channel on which newer requests end older requests."
                )
            }
            return nil
        }
        guard (1...ChannelClaim.nameBytesMax).contains(name.utf8.count) else {
            throw parameters.mismatch(.channel, "a name of 1 to \(ChannelClaim.nameBytesMax) bytes")
        }
        return ChannelClaim(name: name, debounce: debounce)
    }

    /// Throws if the search does not use the source of an option.
    private static func options(
        _ parameters: inout Parameters,
        _ sources: [ConfiguredSource],
        _ registry: SourceRegistry
    ) throws(SearchError) -> [SourceName: [Option]] {
        guard let object = try parameters.object(.options) else { return [:] }
        var options: [SourceName: [Option]] = [:]
        for (name, value) in try Parameters.members(of: object, path: "params.options") {
            guard let source = sources.first(where: { $0.source.name.text.hasSameBytes(as: name) }) else {
                let nearest = NearestName.of(name, among: sources.map(\.source.name.text))
                throw Parameters.invalid(
                    "params.options.\(name)",
                    "this search does not use this source",
                    hint: nearest.map(NearestName.question) ?? "Give options only for sources of this search."
                )
            }
            let path = "params.options.\(name)"
            guard value.kind == .object else {
                throw Parameters.invalid(path, "not an object", hint: "Give names and values.")
            }
            let members = try Parameters.members(of: value, path: path).map { member throws(SearchError) in
                JSONMember(member.name, try Parameters.value(of: member.value, path: "\(path).\(member.name)"))
            }
            options[source.source.name] = try source.source.options(from: members)
        }
        return options
    }
}
