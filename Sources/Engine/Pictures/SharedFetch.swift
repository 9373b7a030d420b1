import EventLoop
import HTTP
import JSON
import RPC
import SearchModel
import Upstream

extension InFlight {
    /// Gets a value that belongs to no source, with the fetch of a caller with an equal key if there is one.
    ///
    /// - Throws: The error of the fetch, the same for all its callers; it does not name the queue.
    nonisolated func fetch(
        _ key: Key,
        refresh: Bool,
        for caller: CallDemand.Caller,
        until deadline: Instant,
        late: SearchError,
        _ fetch: @escaping @Sendable (CallDemand, @escaping CallReport) async throws(SearchError) -> Value
    ) async throws(SearchError) -> (value: Value, use: CacheUse) {
        let shared = await value(for: key, refresh: refresh, caller: caller, until: deadline, late: late) {
            demand,
            report in
            do throws(SearchError) {
                return .success(try await fetch(demand, report))
            } catch {
                var plain = error
                plain.source = nil
                return .failure(plain)
            }
        }
        return (try shared.outcome.get(), shared.joined ? .joined : .miss)
    }
}

extension FetchedResponse {
    /// The largest body that can be encoded within a few hundred microseconds.
    private static let bytesOnLoopMax = 64 << 10

    /// The body as base64.
    var base64: [UInt8] {
        get async {
            let body = response.body
            guard body.count > Self.bytesOnLoopMax else { return Base64.text(of: body) }
            // A detached task is needed: this task prefers the loop, and a large body would block it for milliseconds.
            // Until it is encoded, the body counts in the limit of bodies.
            defer { withExtendedLifetime(self) {} }
            return await Task.detached { Base64.text(of: body) }.value
        }
    }
}
