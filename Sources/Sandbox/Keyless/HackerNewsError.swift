import HTTPMessage
import JSON

/// The rows of the Hacker News search's error table.
enum HackerNewsError: String, ErrorRow {
    case badFilter, badNumber, throttled, notFound, unavailable

    func response(to call: Call) -> HTTPResponse {
        switch self {
        case .badFilter: message(400, "Invalid syntax for numericFilters parameter")
        case .badNumber: message(400, "Invalid value for \"page\" or \"hitsPerPage\", expected an integer")
        case .throttled: message(429, "Too many requests")
        case .notFound: message(404, "Not Found")
        case .unavailable: message(503, "Unreachable hosts")
        }
    }

    private func message(_ status: Int, _ text: String) -> HTTPResponse {
        let body: JSONValue = ["message": .string(text), "status": .integer(status)]
        return .of(status, HackerNewsSearch.contentType, Body.plain.bytes(body))
    }
}
