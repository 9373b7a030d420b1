import HTTP
import JSON

/// The rows of MediaWiki's error table: its own errors come with status 200.
enum WikipediaError: String, ErrorRow {
    case missingSearch, outOfRange, badInteger, badValue, unknownAction, tooLong, searchFailed, readOnly
    case badPageID, noAgent, throttled, unknownPath

    func response(to call: Call) -> HTTPResponse {
        switch self {
        case .missingSearch: inside("missingparam", "The \"srsearch\" parameter must be set.")
        case .outOfRange: inside("outofrange", "The value for parameter \"srlimit\" must be between 1 and 500.")
        case .badInteger: inside("badinteger", "Invalid value for integer parameter \"sroffset\".")
        case .badPageID: inside("badinteger", "Invalid value for integer parameter \"pageids\".")
        case .badValue: inside("badvalue", "Unrecognized value for parameter \"srsort\".")
        case .unknownAction: inside("badvalue", "Unrecognized value for parameter \"action\".")
        case .tooLong:
            inside("cirrussearch-query-too-long", "Search request is longer than the maximum allowed length.")
        case .searchFailed: inside("internal_api_error_Search", "The search backend did not answer.")
        case .readOnly: inside("maxlag", "Waiting for a database server: 6 seconds lagged.", [("Retry-After", "5")])
        case .noAgent: plain(403, "Please set a user-agent that says how to reach you.\n")
        case .throttled: plain(429, "You are making too many requests.\n", [("Retry-After", "1")])
        case .unknownPath: plain(404, "Not Found\n")
        }
    }

    private func inside(_ code: String, _ info: String, _ more: [(String, String)] = []) -> HTTPResponse {
        let body: JSONValue = [
            "error": [
                "code": .string(code), "info": .string(info),
                "*": "See /w/api.php for how this interface is used.",
            ],
            "servedby": "sandbox-api-1",
        ]
        let fields = [("MediaWiki-API-Error", code)] + more
        return .of(200, WikipediaSearch.contentType, Body.plain.bytes(body), fields)
    }

    private func plain(_ status: Int, _ text: String, _ more: [(String, String)] = []) -> HTTPResponse {
        .of(status, "text/plain", Array(text.utf8), more)
    }
}
