import Catalogue
import Engine
import EventLoop
import JSON
import Personal
import SearchModel
import Upstream

/// Looks up single items again, with background priority; used only on the loop.
struct ItemRefresher: Sendable {
    let finder: ItemFinder
    let registry: CurrentSources
    let limiter: RateLimiter

    enum Found: Sendable {
        case record(SavedHit)
        /// Another lookup would not help: the item is missing, or the answer is not a hit.
        case nothing
        case refused(retryAfter: Duration?)
    }

    var sources: Set<SourceName> {
        Set(registry.current.all.map(\.profile).filter { $0.hasLookup && $0.unavailable == nil }.map(\.name))
    }

    func spareWait(_ source: SourceName, for userID: UInt32) -> Duration? {
        guard let profile = registry.current[source]?.profile, profile.hasLookup, profile.unavailable == nil else {
            return LibraryRefresh.waitMax
        }
        return limiter.onLoop { $0.spareWait(source, for: userID) }
    }

    func lookUp(_ id: String, for userID: UInt32) async -> Found {
        guard var request = ItemRequest(id: id), let configured = registry.current[request.source] else {
            return .nothing
        }
        request.keyInDocument = { configured.source.key(ofItem: id, in: $0) }
        request.terms.maxAge = .zero
        request.terms.priority = .background
        request.terms.client = ClientIdentity(userID: userID, program: "library/refresh")
        do throws(SearchError) {
            let found = try await finder.find(request, of: configured.profile)
            if let failure = found.failure { return Self.found(after: failure) }
            guard found.isFull, let document = try? JSONDocument(found.hit.bytes),
                let hit = try? SavedHit(document.root.value, path: "hit"), hit.id.hasSameBytes(as: id)
            else { return .nothing }
            return .record(hit)
        } catch {
            return Self.found(after: error)
        }
    }

    private static func found(after error: SearchError) -> Found {
        switch error.kind {
        case .notFound, .badResponse, .invalidParams: .nothing
        default: .refused(retryAfter: error.retryAfter)
        }
    }
}
