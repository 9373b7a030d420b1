import Catalogue
import Engine
import EventLoop
import HTTP
import JSON
import Sandbox
import SearchModel
import TestSupport
import Testing
import Upstream

let builtInCatalogue = Catalogue.builtIn()

let builtInSources = builtInCatalogue.sources.values.sorted { $0.name < $1.name }

/// The built-in sources with a mock server, but without a daemon.
struct SourcesOverHTTP {
    /// 2026-11-21T03:00:00Z.
    ///
    /// The reset times of quotas are computed from this time. The mock server has its own clock.
    static let now: Int64 = 1_795_230_000

    let sandbox: SandboxServer
    /// Returns the mock server's documents without a request.
    let truths: SandboxResponder
    let fetcher: HTTPPageFetcher
    let registry: SourceRegistry
    let loop: EventLoop

    func source(_ name: String) throws -> Source {
        try registry.catalogue.source(named: #require(SourceName(name)))
    }

    func page(
        _ name: String,
        _ query: String,
        _ sort: Sort = .relevance,
        page: Int = 0,
        _ options: [Option] = []
    ) async throws -> Page {
        let request = PageRequest(query: try #require(SearchQuery(query)), sort: sort, page: page, options: options)
        let key = PageKey(source: try #require(SourceName(name)), request: request)
        return try await fetcher.fetch(key, for: CallDemand()) { _ in }
    }

    func failure(_ name: String, _ query: String = "바이올린 연습", page: Int = 0) async throws -> SearchError? {
        do {
            _ = try await self.page(name, query, page: page)
            return nil
        } catch let error as SearchError {
            return error
        }
    }

    func truth(_ source: Source, _ query: String, _ sort: Sort = .relevance) throws -> SandboxTruth {
        let word = source.sortWord(sort)
        return try #require(
            truths.truth(of: source.name.text, query: query, sort: word),
            "the mock server has no documents of \(source.name) sorted by \(word ?? "-")"
        )
    }

    func fault(_ rule: FaultRule) async {
        await sandbox.change { $0.faults = [rule] }
    }
}

/// Runs `body` with the built-in sources and a mock server without quotas.
///
/// If `isHub` is true, the Naver keys are for API HUB.
func withSources(
    isHub: Bool = false,
    _ body: (SourcesOverHTTP) async throws -> Void
) async throws {
    var options = SandboxOptions()
    options.limits = .none
    try await Gate.heavy.pass {
        try await withLoop("sources") { [options] loop in
            let sandbox = try await SandboxServer.start(on: loop, options: options)
            let served = await sandbox.options
            let client = HTTPClient(loop: loop, configuration: HTTPClientConfiguration(userAgent: "searchd-tests"))
            let configured = builtInSources.map { source in
                ConfiguredSource(
                    source: source,
                    access: sandboxAccess(source.account, options.keys, sandbox.base, isHub: isHub)
                )
            }
            let registry = SourceRegistry(catalogue: builtInCatalogue, sources: configured)
            let box = CurrentSources(registry)
            let fetcher = HTTPPageFetcher(
                client: client,
                source: { box.source(of: $0)?.upstream },
                wallClock: { SourcesOverHTTP.now }
            )
            let outcome: Result<Void, any Error>
            do {
                try await body(
                    SourcesOverHTTP(
                        sandbox: sandbox,
                        truths: SandboxResponder(options: served),
                        fetcher: fetcher,
                        registry: registry,
                        loop: loop
                    )
                )
                outcome = .success(())
            } catch {
                outcome = .failure(error)
            }
            await client.shutdown()
            await sandbox.stop()
            try outcome.get()
        }
    }
}

func sandboxAccess(_ account: String, _ keys: SandboxKeys, _ base: String, isHub: Bool = false) -> AccountAccess {
    var secrets: [String: Secret] = [:]
    var address = "\(base)/\(account)"
    switch account {
    case "kakao": secrets["key"] = keys.kakao.first.map(Secret.init)
    case "google": secrets["key"] = keys.google.first.map(Secret.init)
    case "aladin", "brave", "exa", "kagi", "nationallibrary", "tavily", "youtube":
        secrets["key"] = keys.paid.first.map(Secret.init)
    case "naver" where isHub:
        secrets["hubId"] = keys.naverHub.first.map { Secret($0.id) }
        secrets["hubSecret"] = keys.naverHub.first.map { Secret($0.secret) }
        address = "\(base)/naverhub"
    case "naver":
        secrets["id"] = keys.naver.first.map { Secret($0.id) }
        secrets["secret"] = keys.naver.first.map { Secret($0.secret) }
    case "wikipedia": address += "/{lang}"
    default: break
    }
    return AccountAccess(secrets: secrets, baseURL: address)
}

/// Reads the member that identifies a document of a source.
enum DocumentKey {
    private static let names = [
        "kakao.image": "image_url", "naver.local": "roadAddress", "kakao": "url", "naver": "link", "google": "id",
        "itunes.album": "collectionId", "itunes": "trackId", "wikipedia": "pageid", "openlibrary": "key",
        "hackernews": "objectID", "mwmbl": "url", "marginalia": "url", "github": "id", "stackexchange": "question_id",
        "crossref": "DOI", "openalex": "id", "musicbrainz": "id", "wikidata": "id", "openstreetmap": "osm_id",
        "mdn": "mdn_url", "arxiv": "id", "brave": "url", "kagi": "url", "tavily": "url", "exa": "url", "searxng": "url",
        "youtube": "etag",
        "aladin": "itemId", "nationallibrary": "id",
    ]

    static func of(_ raw: some Collection<UInt8>, _ source: SourceName) throws -> String {
        let name = try #require(names[source.text] ?? names[source.account])
        let member = try #require(try JSONDocument(Array(raw)).root[name])
        let value = member[0] ?? member
        return value.string ?? String(decoding: value.text, as: UTF8.self)
    }
}
