import HTTP
import JSON

/// The rows of the store's error table.
enum ITunesError: String, ErrorRow {
    case badCountry, badEntity, badAttribute, badMedia, rateLimited, rateLimited429, produced, unknownPath

    func response(to call: Call) -> HTTPResponse {
        switch self {
        case .badCountry: invalid("country", explains: false)
        case .badEntity: invalid("resultEntity", explains: true)
        case .badAttribute: invalid("attributeType", explains: true)
        case .badMedia: invalid("mediaType", explains: true)
        case .rateLimited:
            HTTPResponse(
                status: 403,
                fields: HTTPFields([
                    ("Cache-Control", "private, max-age=0, no-cache, no-store, no-transform, must-revalidate"),
                    ("Pragma", "no-cache"),
                ])
            )
        case .rateLimited429: HTTPResponse(status: 429)
        case .produced:
            .of(
                500,
                "text/html",
                Array("<html><body>Your request produced an error. [newNullResponse]</body></html>".utf8)
            )
        case .unknownPath: .of(404, "text/html", Array("<html><body>Not found</body></html>".utf8))
        }
    }

    /// The same sentence with the store's own name for the key, for some keys with an explanation of all of them.
    private func invalid(_ key: String, explains: Bool) -> HTTPResponse {
        let parameters: JSONValue = [
            "output": "json", "callback": "the function that takes the result", "country": "two letters",
            "limit": "how many results", "term": "what to search for", "lang": "the language of the result",
        ]
        let body = Body.object([
            "errorMessage": .string("Invalid value(s) for key(s): [\(key)]"),
            "queryParameters": when(explains, parameters),
        ])
        return .of(400, ITunesSearch.contentType, Body.itunes.bytes(body))
    }
}
