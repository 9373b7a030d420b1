import HTTP
import JSON

/// The rows of Kakao's error table.
enum KakaoError: String, ErrorRow {
    case missingQuery, pageTooLarge, pageTooSmall, sizeTooLarge, sizeTooSmall, badSort, badNumber, badTarget
    case noAuthorization, malformedKey, unknownKey, ipMismatch, productOff
    case throttled, quota, maintenance, internalError, internalFault, internalTimeout, badMethod, unknownPath
    /// Of the platform's own table, with its numbers.
    case badArgument, refusedKey, appBlocked

    func response(to call: Call) -> HTTPResponse {
        switch self {
        case .missingQuery: typed(400, "MissingParameter", "query parameter required")
        case .pageTooLarge: typed(400, "InvalidArgument", "page is more than max")
        case .pageTooSmall: typed(400, "InvalidArgument", "page is less than min")
        case .sizeTooLarge: typed(400, "InvalidArgument", "size is more than max")
        case .sizeTooSmall: typed(400, "InvalidArgument", "size is less than min")
        case .badSort:
            typed(400, "InvalidArgument", "sort parameter one of accuracy and \(kind(of: call)?.dateSort ?? "recency")")
        case .badNumber: typed(400, "InvalidArgument", "parameter is not a number")
        case .badTarget: typed(400, "InvalidArgument", "target parameter one of title, isbn, publisher and person")
        case .noAuthorization: typed(401, "AccessDeniedError", "cannot find Authorization : KakaoAK header")
        case .malformedKey: typed(401, "AccessDeniedError", "wrong appKey(\(key(of: call))) format")
        case .unknownKey: typed(401, "AccessDeniedError", "appKey(\(key(of: call))) does not exist")
        case .ipMismatch:
            typed(401, "AccessDeniedError", "ip mismatched! callerIp=203.0.113.7. check out registered ips.")
        case .productOff: typed(403, "NotAuthorizedError", "App disabled OPEN_MAP_AND_LOCAL service.")
        case .throttled: typed(429, "RequestThrottled", "API limit has been exceeded.")
        case .quota: numbered(400, -10, "API limit has been exceeded.")
        case .maintenance: numbered(503, -9798, "service is under maintenance")
        case .internalError: numbered(400, -1, "internal error")
        case .internalFault: numbered(500, -1, "internal error")
        case .internalTimeout: numbered(400, -603, "internal timeout")
        case .badArgument: numbered(400, -2, "invalid argument")
        case .refusedKey: numbered(401, -401, "this appKey is not allowed: \(key(of: call))")
        case .appBlocked: numbered(403, -12, "this app is blocked")
        case .badMethod: typed(405, "MethodNotAllowed", "\(call.request.method) is not supported")
        case .unknownPath: typed(404, "NotFound", "no such api")
        }
    }

    private func typed(_ status: Int, _ type: String, _ message: String) -> HTTPResponse {
        let body = Body.object(["errorType": .string(type), "message": .string(message)])
        return .of(status, Self.contentType, Body.kakao.bytes(body))
    }

    private func numbered(_ status: Int, _ code: Int, _ message: String) -> HTTPResponse {
        let body = Body.object(["code": .integer(code), "msg": .string(message)])
        return .of(status, Self.contentType, Body.kakao.bytes(body))
    }

    private func kind(of call: Call) -> KakaoKind? {
        KakaoKind.allCases.first { $0.path == call.path }
    }

    /// The key is repeated to the caller as it came; that is how the real one does it.
    private func key(of call: Call) -> String {
        KakaoSearch.key(of: call) ?? ""
    }

    static let contentType = "application/json;charset=UTF-8"
}
