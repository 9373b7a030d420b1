import Catalogue
import Engine
import EventLoop
import Fetching
import JSON
import RPC
import SearchModel
import Upstream

/// The methods that fetch one item, one picture or one web page.
struct ItemMethods {
    let loop: EventLoop
    let finder: ItemFinder
    let pictures: PictureLoader
    let webPages: WebPageLoader
    let registry: CurrentSources
    let data: PersonalData

    var all: [Method] {
        [lookup, image, page]
    }

    private var lookup: Method {
        Method(.lookup, capabilities: ["lookup"]) { [self] call, parameters throws(SearchError) in
            var lookup = try LookupParameters(&parameters, registry.current, call.client)
            let user = data.searcher(of: call)
            if let user { lookup.request.ownHit = data.hitFinder(of: lookup.request.id, for: user) }
            return .running(channel: nil) { [lookup, receivedAt = call.receivedAt] _ throws(SearchError) in
                let found = try await finder.find(lookup.request, of: lookup.profile)
                await user?.load()
                assert(loop.isCurrent, "a request's task must run on the event loop")
                return reply(found, lookup, receivedAt, isSaved: user?.isSaved(lookup.request.id) == true)
            }
        }
    }

    private var image: Method {
        Method(.image, capabilities: ["image"]) { [registry, pictures] call, parameters throws(SearchError) in
            let address = try parameters.requiredString(.url)
            try parameters.finish()
            guard (1...WireBounds.pictureAddressBytesMax).contains(address.utf8.count) else {
                throw parameters.mismatch(.url, "an address of 1 to \(WireBounds.pictureAddressBytesMax) bytes")
            }
            let key = try PictureKey(address, registry.current)
            if let picture = pictures.files.cached(key) { return .answered(.picture(picture, .hit)) }
            return .running(channel: nil) { [client = call.client] _ throws(SearchError) in
                let (picture, use) = try await pictures.picture(key, for: client)
                return .picture(picture, use)
            }
        }
    }

    private var page: Method {
        Method(.page, capabilities: ["page"]) { [self] call, parameters throws(SearchError) in
            let address = try parameters.requiredString(.url)
            let maxAge = try parameters.integer(.maxAge, in: WireBounds.maxAgeSeconds) ?? WireBounds.pageAgeDefault
            let timeout = try parameters.integer(.timeout, in: WireBounds.timeoutMilliseconds)
            let isPrivate = try parameters.bool(.private) ?? false
            let priority: Priority = try parameters.choice(.priority) ?? .interactive
            let isForAgent = try parameters.bool(.agent) ?? false
            try parameters.finish()
            guard (1...WireBounds.pageAddressBytesMax).contains(address.utf8.count) else {
                throw parameters.mismatch(.url, "an address of 1 to \(WireBounds.pageAddressBytesMax) bytes")
            }
            let key = try WebPageKey(address, isForAgent: isForAgent)
            let age = Duration.seconds(maxAge)
            if let page = webPages.files.cached(key, maxAge: age) {
                return .answered(reply(page, .hit))
            }
            let caller = CallDemand.Caller(client: call.client, priority: priority, isPrivate: isPrivate)
            let wait = Duration.milliseconds(timeout ?? WireBounds.timeoutMillisecondsDefault)
            return .running(channel: nil) { _ throws(SearchError) in
                let (page, use) = try await webPages.page(key, maxAge: age, for: caller, timeout: wait)
                return reply(page, use)
            }
        }
    }

    private func reply(_ page: FetchedFile, _ use: CacheUse) -> Reply {
        .object { writer in
            writer.member(.url, page.url)
            writer.member(.type, page.type)
            writer.member(.charset, page.charset)
            writer.member(.bytes, page.byteCount)
            writer.member(.cache, use.rawValue)
            writer.member(.age, Self.tenths(page.fetchedAt.duration(to: loop.now).milliseconds / 1000))
            writer.member(.data, raw: Array("\"".utf8) + page.text + Array("\"".utf8))
        }
    }

    private func reply(
        _ found: FoundItem,
        _ parameters: LookupParameters,
        _ receivedAt: Instant,
        isSaved: Bool
    ) -> Reply {
        let now = loop.now
        return .object { writer in
            writer.member(.hit, raw: found.hit.text(withRaw: parameters.raw))
            writer.member(.full, found.isFull)
            writer.member(.cache, found.use.rawValue)
            writer.member(.age, Self.tenths(found.hit.fetchedAt.duration(to: now).milliseconds / 1000))
            writer.member(.saved, isSaved)
            if let failure = found.failure {
                writer.name(.error)
                MessageWriter.error(failure, to: &writer)
            }
            writer.member(.elapsed, Self.tenths(receivedAt.duration(to: now).milliseconds))
        }
    }

    private static func tenths(_ number: Double) -> Double { (max(0, number) * 10).rounded(.down) / 10 }
}

struct LookupParameters {
    var request: ItemRequest
    let profile: SourceProfile?
    let raw: Bool

    init(
        _ parameters: inout Parameters,
        _ registry: SourceRegistry,
        _ client: ClientIdentity
    ) throws(SearchError) {
        let id = try parameters.string(.id)
        let source = try parameters.string(.source)
        let key = try parameters.string(.key)
        let maxAge = try parameters.integer(.maxAge, in: WireBounds.maxAgeSeconds)
        let offline = try parameters.bool(.offline) ?? false
        let timeout = try parameters.integer(.timeout, in: WireBounds.timeoutMilliseconds)
        raw = try parameters.bool(.raw) ?? false
        let isPrivate = try parameters.bool(.private) ?? false
        let priority: Priority? = try parameters.choice(.priority)
        try parameters.finish()
        switch (id, source, key) {
        case (let id?, nil, nil): (request, profile) = try Self.item(id, registry)
        case (nil, let source?, let key?): (request, profile) = try Self.item(key, of: source, registry, parameters)
        case (_?, _, _):
            throw Parameters.invalid(
                "params.id",
                "\"id\" can't be combined with \"source\" or \"key\"",
                hint: "Give the id alone."
            )
        default:
            let missing: Member = source == nil ? key == nil ? .id : .source : .key
            throw Parameters.invalid(
                "params.\(missing)",
                "\"\(missing)\" is missing",
                hint: "Give \"id\", or \"source\" and \"key\"."
            )
        }
        request.terms.maxAge = maxAge.map { .seconds($0) }
        request.terms.offline = offline
        if let timeout { request.terms.timeout = .milliseconds(timeout) }
        request.terms.isPrivate = isPrivate
        request.terms.priority = priority ?? .interactive
        request.terms.client = client
    }

    private static func item(
        _ id: String,
        _ registry: SourceRegistry
    ) throws(SearchError) -> (ItemRequest, SourceProfile?) {
        guard var request = ItemRequest(id: id) else {
            throw SearchError(
                .notFound,
                "no hit has this id",
                retryable: false,
                hint: "Give the id of a hit, such as google.books:zyTCAlFPjgYC."
            )
        }
        let configured = registry[request.source]
        request.keyInDocument = { configured?.source.key(ofItem: id, in: $0) }
        return (request, configured?.profile)
    }

    private static func item(
        _ text: String,
        of source: String,
        _ registry: SourceRegistry,
        _ parameters: Parameters
    ) throws(SearchError) -> (ItemRequest, SourceProfile?) {
        guard let name = SourceName(source) else { throw parameters.mismatch(.source, "the name of a source") }
        let known = try registry.catalogue.source(named: name)
        guard let key = ItemKey(text) else {
            throw parameters.mismatch(.key, "a key of 1 to \(ItemKey.bytesMax) bytes")
        }
        guard let profile = registry[name]?.profile else { throw .noLookup(name) }
        return (ItemRequest(source: name, id: known.id(of: key), key: key), profile)
    }
}

extension KnownHit {
    fileprivate func text(withRaw: Bool) -> [UInt8] {
        guard withRaw, !raw.isEmpty else { return bytes }
        return bytes.dropLast() + ",\"raw\":".utf8 + raw + "}".utf8
    }
}
