import HTTP
import JSON

/// The rows of Open Library's error table.
enum OpenLibraryError: String, ErrorRow {
    case tooShort, blocked, badPage, badOffset, badLimit, badSort, throttled, unavailable, notFound

    func response(to call: Call) -> HTTPResponse {
        switch self {
        case .tooShort:
            detail(call, "q", "string_too_short", "String should have at least 3 characters", ["min_length": 3])
        case .blocked: detail(call, "q", "value_error", "Value error, this query is too common to be searched for", nil)
        case .badPage:
            detail(call, "page", "greater_than_equal", "Input should be greater than or equal to 1", ["ge": 1])
        case .badOffset:
            detail(call, "offset", "greater_than_equal", "Input should be greater than or equal to 0", ["ge": 0])
        case .badLimit:
            detail(call, "limit", "greater_than_equal", "Input should be greater than or equal to 0", ["ge": 0])
        case .badSort: detail(call, "sort", "literal_error", "Input should be a known sort", nil)
        case .throttled: text(429, "Too Many Requests")
        case .unavailable: text(503, "Service Unavailable")
        case .notFound:
            .of(404, "application/json", Body.plain.bytes(["error": "notfound", "key": .string(call.path)]))
        }
    }

    private func detail(
        _ call: Call,
        _ name: String,
        _ type: String,
        _ message: String,
        _ context: JSONValue?
    ) -> HTTPResponse {
        let problem = Body.object([
            "type": .string(type), "loc": ["query", .string(name)], "msg": .string(message),
            "input": .string(call.parameters[name] ?? ""), "ctx": context,
        ])
        return .of(422, OpenLibrarySearch.contentType, Body.plain.bytes(["detail": [problem]]))
    }

    private func text(_ status: Int, _ message: String) -> HTTPResponse {
        .of(status, "text/html", Array("<html><body><h1>\(status) \(message)</h1></body></html>".utf8))
    }
}
