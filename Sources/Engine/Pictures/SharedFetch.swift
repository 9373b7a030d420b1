import EventLoop
import HTTP
import JSON
import RPC
import SearchModel
import Upstream

extension InFlight {
    /// Fetches a picture or web page, or joins a fetch with an equal key; the errors name no source.
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
    /// The maximum size of a body that is encoded on the loop, which takes a few hundred microseconds.
    private static let bytesOnLoopMax = 64 << 10

    var base64: [UInt8] {
        get async {
            let body = response.body
            guard body.count > Self.bytesOnLoopMax else { return Base64.text(of: body) }
            // This takes milliseconds, so it must not run on the loop. While `self` is alive, the body counts towards
            // the limit of response bodies.
            defer { withExtendedLifetime(self) {} }
            return await Task.detached { Base64.text(of: body) }.value
        }
    }
}
