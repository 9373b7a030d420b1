import EventLoop
import JSON
import RPC
import SearchModel
import Upstream

/// Corrects what is used of a quota, for example after its ledger was damaged.
struct QuotaSetMethod: Method {
    let limiter: RateLimiter

    let permission = MethodPermission.administrators
    let description = MethodDescription.quotaSet

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        var parameters = try Parameters(call.params)
        let name = try parameters.requiredString(.name)
        let used = try parameters.integer(.used, in: 0...WireBounds.quotaUsedMax)
        try parameters.finish()
        guard let used else {
            throw Parameters.invalid("params.used", "\"used\" is missing", hint: "Give the number of calls.")
        }
        // The limiter lives on this loop, and a method begins on it.
        guard limiter.onLoop({ $0.quotaNames }).contains(where: { $0.hasSameBytes(as: name) }) else {
            let nearest = NearestName.of(name, among: limiter.onLoop { $0.quotaNames })
            let hint = nearest.map(NearestName.question) ?? "“searchctl status” lists the quotas."
            throw Parameters.invalid("params.name", "is not the name of a quota", hint: hint)
        }
        return .running(channel: nil) { [limiter] _ throws(SearchError) in
            do throws(QuotaStoreError) {
                let figures = try await limiter.setQuota(name, used: used) ?? []
                return .writing { writer in
                    writer.object { writer in
                        writer.array(.quota) { writer in for quota in figures { quota.write(to: &writer) } }
                    }
                }
            } catch {
                throw SearchError(.unavailable, error.message, retryable: true, hint: error.hint)
            }
        }
    }
}
