import HTTPMessage

/// One request of an exchange, checked: the first, or what a redirect made of it.
struct Hop: Equatable, Sendable {
    enum Next: Equatable {
        /// The response is the answer.
        case answer
        case hop(Hop)
        case refused(FetchError)
    }

    /// Fields that say nothing secret and so follow to another origin; everything else stays behind, keys above all.
    private static let harmlessFields: Set<String> = ["accept", "accept-language", "user-agent"]

    let url: FetchURL
    let method: String
    let fields: HTTPFields
    let body: [UInt8]
    /// How many redirects led here.
    var number = 0

    /// What follows on a response with this status, where `location` is the redirect's absolute URL, if it names one.
    func next(status: Int, location: String?, policy: RedirectPolicy) -> Next {
        guard [301, 302, 303, 307, 308].contains(status) else { return .answer }
        let host = url.origin.host
        guard policy.hopsMax > 0 else {
            return .refused(.redirect("to another address, which this source does not allow", host: host))
        }
        guard number < policy.hopsMax else {
            return .refused(.redirect("more than \(policy.hopsMax) times", host: host))
        }
        guard let location, let target = try? FetchURL(escaping: location) else {
            return .refused(.redirect("to nothing that can be fetched", host: host))
        }
        guard target.origin.isSecure || !url.origin.isSecure else {
            return .refused(.redirect("from https to http", host: host))
        }
        guard policy.allows(target.origin) else {
            return .refused(.redirect("to \(target.origin.host), which this source does not allow", host: host))
        }
        return .hop(led(to: target, keepsMethod: status == 307 || status == 308))
    }

    private func led(to target: FetchURL, keepsMethod: Bool) -> Hop {
        let keepsBody = keepsMethod || method == "GET" || method == "HEAD"
        let staysHome = target.origin == url.origin
        var kept = HTTPFields()
        for field in fields.fields where staysHome || Self.harmlessFields.contains(field.name.lowercased()) {
            if !keepsBody && field.name.lowercased().hasPrefix("content-") { continue }
            kept.append(field.name, field.value)
        }
        return Hop(
            url: target,
            method: keepsBody ? method : "GET",
            fields: kept,
            body: keepsBody ? body : [],
            number: number + 1
        )
    }
}
