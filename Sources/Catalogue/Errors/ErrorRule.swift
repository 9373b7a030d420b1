import JSON
import SearchModel

/// The meaning of one kind of response.
///
/// The first rule whose conditions all hold decides.
struct ErrorRule: Sendable {
    enum Meaning: String, CaseIterable, Equatable, Sendable {
        /// This page does not exist: an empty last page.
        case end
        case rateLimited
        case quotaExhausted
        case unauthorized
        case notConfigured
        case forbidden
        case invalidParams
        case notFound
        case badResponse
        case unavailable
    }

    let statuses: [ClosedRange<Int>]
    let headers: [(name: String, prefix: String)]
    let body: [Condition]
    /// Text to find anywhere in the first bytes of the body.
    let text: String?
    let emptyBody: Bool?
    let meaning: Meaning
    let hint: String?
    let retryAfter: Duration?
    let retryable: Bool?
    /// The name of the exhausted quota.
    let quota: String?

    /// Whether the rule can apply to a response with this status.
    func covers(status: Int) -> Bool {
        statuses.isEmpty || statuses.contains { $0.contains(status) }
    }
}
