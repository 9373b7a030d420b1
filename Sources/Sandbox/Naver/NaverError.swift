import HTTP
import JSON

/// The rows of Naver's error table, of the old host and of API HUB.
enum NaverError: String, ErrorRow {
    case badQuery, badDisplay, badStart, badSort, badEncoding, retired, systemError
    case unknownClient, notEnabled, plainHTTP, badMethod, dailyQuota, rate
    /// An error body under status 200, which one client's author reports.
    case errorInside200

    func response(to call: Call) -> HTTPResponse {
        switch self {
        case .badQuery: pair(400, "SE01", "Incorrect query request (잘못된 쿼리요청입니다.)", call)
        case .badDisplay: pair(400, "SE02", "Invalid display value (부적절한 display 값입니다.)", call)
        case .badStart: pair(400, "SE03", "Invalid start value (부적절한 start 값입니다.)", call)
        case .badSort: pair(400, "SE04", "Invalid sort value (부적절한 sort 값입니다.)", call)
        case .badEncoding: pair(400, "SE06", "Malformed encoding (잘못된 형식의 인코딩입니다.)", call)
        case .systemError: pair(500, "SE99", "System Error (시스템 에러)", call)
        case .errorInside200: pair(200, "SE99", "System Error (시스템 에러)", call)
        case .plainHTTP: HTTPResponse(status: 403)
        case .badMethod: HTTPResponse(status: 405)
        case .retired:
            hub(404, .string("300"), "Not Found", call)
                ?? pair(404, "SE05", "Invalid search api (존재하지 않는 검색 api 입니다.)", call)
        case .unknownClient:
            hub(401, .string("200"), "Authentication Failed", call)
                ?? pair(401, "024", "Not Exist Client ID : Authentication failed. (인증에 실패했습니다.)", call)
        case .notEnabled:
            hub(401, .integer(401), "Unauthorized", call)
                ?? pair(401, "024", "Scope Status Invalid : Authentication failed. (인증에 실패했습니다.)", call)
        case .dailyQuota: Self.dailyQuota(used: 25_039, limit: 25_000, call)
        case .rate:
            hub(429, .string("420"), "Rate Limited", call)
                ?? pair(429, "012", "Rate limit exceeded. (속도 제한을 초과했습니다.)", call)
        }
    }

    static func dailyQuota(used: Int, limit: Int, _ call: Call) -> HTTPResponse {
        let message = "{count/quota=\(used)/\(limit)} : Query limit exceeded. (쿼리 한도를 초과했습니다.)"
        return NaverError.dailyQuota.hub(429, .string("400"), "Quota Exceeded", call)
            ?? NaverError.dailyQuota.pair(429, "010", message, call)
    }

    /// The shape of the service's own errors, on both hosts.
    private func pair(_ status: Int, _ code: String, _ message: String, _ call: Call) -> HTTPResponse {
        let body = Body.object(["errorMessage": .string(message), "errorCode": .string(code)])
        return .of(status, NaverSearch.contentType(call), Body.plain.bytes(body), NaverSearch.trace(call))
    }

    /// The shape of the gateway's errors; nil on the old host, which has no gateway.
    private func hub(_ status: Int, _ code: JSONValue, _ message: String, _ call: Call) -> HTTPResponse? {
        guard call.endpoint.upstream == .naverhub else { return nil }
        let error = Body.object([
            "errorCode": code, "message": .string(message), "details": .string("\(message): the gateway says no."),
        ])
        let type = "application/json;charset=UTF-8"
        return .of(status, type, Body.plain.bytes(Body.object(["error": error])), NaverSearch.trace(call))
    }
}
