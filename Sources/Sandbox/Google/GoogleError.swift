import HTTP
import JSON

/// The rows of Google Books' error table.
enum GoogleError: String, ErrorRow {
    case missingQuery, tooManyResults, badParameter, badKey, badKeyOld, keyNotAllowed, unknownLocation
    case dailyQuota, minuteQuota, anonymousQuota, oldDailyQuota, oldUserQuota, backendFailed, notFound, unavailable

    func response(to call: Call) -> HTTPResponse {
        switch self {
        case .missingQuery: Self.plain(400, "Missing query.", "queryRequired", location: "q")
        case .tooManyResults:
            Self.plain(
                400,
                "Invalid value '\(call.parameters["maxResults"] ?? "41")'. Values must be within the range: [0, 40]",
                "invalidParameter",
                location: "maxResults"
            )
        case .badParameter: Self.plain(400, "Invalid value", "invalidParameter", location: "startIndex")
        case .badKey:
            Self.modern(
                400,
                "API key not valid. Please pass a valid API key.",
                "badRequest",
                "INVALID_ARGUMENT",
                details: ("API_KEY_INVALID", ["service": "books.googleapis.com"])
            )
        case .badKeyOld: Self.plain(400, "Bad Request", "badRequest")
        case .keyNotAllowed:
            Self.modern(
                403,
                "Requests from this caller are blocked.",
                "forbidden",
                "PERMISSION_DENIED",
                details: ("API_KEY_SERVICE_BLOCKED", ["service": "books.googleapis.com"])
            )
        case .unknownLocation:
            Self.plain(
                403,
                "Cannot determine user location for geographically restricted operation.",
                "unknownLocation"
            )
        case .dailyQuota: Self.quota("Queries per day", "defaultPerDayPerProject", "1/d/{project}", "1000")
        case .anonymousQuota: Self.quota("Queries per day", "defaultPerDayPerProject", "1/d/{project}", "0")
        case .minuteQuota:
            Self.quota("Queries per minute per user", "defaultPerMinutePerUser", "1/min/{project}/{user}", "100")
        case .oldDailyQuota: Self.plain(403, "Daily Limit Exceeded", "dailyLimitExceeded", domain: "usageLimits")
        case .oldUserQuota: Self.plain(403, "User Rate Limit Exceeded", "userRateLimitExceeded", domain: "usageLimits")
        case .backendFailed, .unavailable:
            Self.plain(503, "Service temporarily unavailable.", "backendFailed", status: "UNAVAILABLE")
        case .notFound: Self.plain(404, "The volume ID could not be found.", "notFound", status: "NOT_FOUND")
        }
    }

    private static func quota(_ limit: String, _ name: String, _ unit: String, _ value: String) -> HTTPResponse {
        let message =
            "Quota exceeded for quota metric 'Queries' and limit '\(limit)' of service "
            + "'books.googleapis.com' for consumer 'project_number:100000000001'."
        return modern(
            429,
            message,
            "rateLimitExceeded",
            "RESOURCE_EXHAUSTED",
            details: (
                "RATE_LIMIT_EXCEEDED",
                [
                    "service": "books.googleapis.com", "quota_metric": "books.googleapis.com/default",
                    "quota_limit": .string(name), "quota_unit": .string(unit), "quota_limit_value": .string(value),
                    "consumer": "projects/100000000001",
                ]
            )
        )
    }

    private static func plain(
        _ code: Int,
        _ message: String,
        _ reason: String,
        location: String? = nil,
        domain: String = "global",
        status: String? = nil
    ) -> HTTPResponse {
        let error = Body.object([
            "message": .string(message), "domain": .string(domain), "reason": .string(reason),
            "location": location.map { .string($0) }, "locationType": when(location != nil, "parameter"),
        ])
        return response(
            code,
            Body.object([
                "code": .integer(code), "message": .string(message), "errors": [error],
                "status": status.map { .string($0) },
            ])
        )
    }

    private static func modern(
        _ code: Int,
        _ message: String,
        _ reason: String,
        _ status: String,
        details: (reason: String, metadata: JSONValue)
    ) -> HTTPResponse {
        let error: JSONValue = ["message": .string(message), "domain": "global", "reason": .string(reason)]
        let detail: JSONValue = [
            "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": .string(details.reason),
            "domain": "googleapis.com", "metadata": details.metadata,
        ]
        return response(
            code,
            [
                "code": .integer(code), "message": .string(message), "errors": [error], "status": .string(status),
                "details": [detail],
            ]
        )
    }

    private static func response(_ code: Int, _ error: JSONValue) -> HTTPResponse {
        .of(code, GoogleSearch.contentType, Body.google.bytes(["error": error]))
    }
}
