import Catalogue
import Engine
import EventLoop
import JSON
import RPC
import SearchModel
import Upstream

/// The methods for sources, quotas and the cache.
struct SourceMethods {
    let registry: CurrentSources
    let data: PersonalData
    let figures: UpstreamFigures
    let limiter: RateLimiter
    let cache: ResultCache
    let disk: DiskTier?
    let clearFiles: @Sendable () -> Void
    let wallClock: @Sendable () -> Int64

    var all: [Method] {
        [sourceList, quotaSet, cacheStats, cacheClear]
    }

    private var sourceList: Method {
        Method(.sourceList, capabilities: ["sources"]) { [self] call, parameters throws(SearchError) in
            try parameters.finish()
            let listing = SourceListing(
                registry: registry.current,
                upstream: figures.bySource,
                standings: limiter.onLoop { $0.standings() },
                own: data.isKept ? data.searcher(of: call) != nil : nil,
                now: wallClock()
            )
            return .answered(.object(listing.write))
        }
    }

    private var quotaSet: Method {
        Method(.quotaSet, for: .administrators) { [limiter] _, parameters throws(SearchError) in
            let name = try parameters.requiredString(.name)
            let used = try parameters.number(.used).map { Money.read($0) }
            try parameters.finish()
            guard let used = used ?? nil else {
                let hint = "Give the number of calls, or the amount of money, from 0 to \(Money.unitsMax)."
                throw Parameters.invalid("params.used", "\"used\" is missing or out of range", hint: hint)
            }
            let names = limiter.onLoop { $0.quotaNames }
            guard names.contains(where: { $0.hasSameBytes(as: name) }) else {
                let nearest = NearestName.of(name, among: names)
                let hint = nearest.map(NearestName.question) ?? "“searchctl quota” lists the quotas."
                throw Parameters.invalid("params.name", "is not the name of a quota", hint: hint)
            }
            let quotas = limiter.onLoop { $0.quotas(named: name) }
            if let quota = quotas.max(by: { $0.limit < $1.limit }),
                quota.amount(ofMillionths: used.millionths) > quota.limit
            {
                let message = "the limit of \(name) is \(quota.text(quota.limit))"
                throw Parameters.invalid("params.used", message, hint: "To mark the quota as used up, give its limit.")
            }
            return .running(channel: nil) { _ throws(SearchError) in
                let figures = try await limiter.setQuota(name, used: used.millionths)
                return .object { writer in
                    writer.array(.quota) { writer in for quota in figures { quota.write(to: &writer) } }
                }
            }
        }
    }

    private var cacheStats: Method {
        Method(.cacheStats) { [cache, disk] _, parameters throws(SearchError) in
            try parameters.finish()
            let figures = cache.onLoop { $0.figures }
            return .answered(.object { $0.cache(figures, disk?.figures) })
        }
    }

    /// Only for administrators, because fetching pages again uses the quotas of all users.
    private var cacheClear: Method {
        Method(.cacheClear, for: .administrators) {
            [cache, disk, registry, clearFiles] _, parameters throws(SearchError) in
            var selection = PageSelection(source: try parameters.string(.source))
            selection.query = try parameters.query(.query)
            try parameters.finish()
            if let source = selection.source { selection.source = try Self.pattern(source, registry.current) }
            let removed = cache.onLoop { $0.clear(selection) }
            // Pictures and web pages cannot be selected by source or query.
            if selection == PageSelection() { clearFiles() }
            guard let disk else { return .answered(.object { $0.member(.removed, removed) }) }
            return .running(channel: nil) { [selection] _ in
                let onDisk = await disk.remove(selection)
                return .object { $0.member(.removed, max(removed, onDisk)) }
            }
        }
    }

    private static func pattern(_ source: String, _ registry: SourceRegistry) throws(SearchError) -> String {
        do throws(SearchError) {
            _ = try registry.choose([source], kinds: nil)
        } catch  where error.kind == .unknownSource {
            var located = error
            located.path = "params.source"
            throw located
        } catch {
            // A source that cannot be called may still have cached pages.
        }
        if let pattern = SourceSelector(source)?.pattern { return pattern }
        throw Parameters.invalid("params.source", "is a profile", hint: "Give a source, a pattern or an account.")
    }
}

extension SourceSelector {
    var pattern: String? {
        switch self {
        case .account(let account): "\(account).*"
        case .source, .glob: text
        case .profile, .edition: nil
        }
    }
}
