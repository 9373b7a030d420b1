import JSON
import SearchModel

/// What one kind of answer means: the first rule whose conditions all hold decides.
struct ErrorRule: Sendable {
    enum Meaning: String, CaseIterable, Equatable, Sendable {
        /// There is no page here: an empty last page.
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
    /// Stands anywhere in the body's first bytes.
    let text: String?
    let emptyBody: Bool?
    let meaning: Meaning
    let hint: String?
    let retryAfter: Duration?
    let retryable: Bool?
    /// The quota that is used up.
    let quota: String?

    /// Whether the rule can apply to an answer of this status.
    func covers(status: Int) -> Bool {
        statuses.isEmpty || statuses.contains { $0.contains(status) }
    }
}
