import HTTP
import JSON

/// Answers that contain the values of the request, including its keys.
enum Echo {
    static func response(to request: HTTPRequest, status: Int, isEncoded: Bool) -> HTTPResponse {
        let fields = request.fields.fields.filter { !usual.contains($0.name.lowercased()) }.flatMap {
            $0.value.split(separator: " ").map(String.init)
        }
        let parameters = (request.url.split(separator: "?").last ?? "").split(separator: "&").compactMap(value)
        let values = fields + parameters
        let text = (isEncoded ? values.flatMap(encoded) : values).joined(separator: " ; ")
        let body = status == 200 ? documents(text) : error(text, status)
        return .of(status, "application/json", body.bytes)
    }

    private static let usual = ["host", "user-agent", "accept", "accept-encoding", "connection"]
    private static let queries = ["query", "q", "term", "srsearch"]

    private static func value(_ parameter: Substring) -> String? {
        let sides = parameter.split(separator: "=", maxSplits: 1)
        guard sides.count == 2, !queries.contains(String(sides[0])) else { return nil }
        return PercentEncoding.decode(sides[1])
    }

    /// Returns encoded forms of the value, which a search for the plain value does not find.
    private static func encoded(_ value: String) -> [String] {
        let bytes = Array(value.utf8)
        let full = bytes.map { ($0 < 0x10 ? "%0" : "%") + String($0, radix: 16) }.joined()
        return [full, full.uppercased(), PercentEncoding.encode(value)]
            + (0..<3).map { lead in
                let shifted = [UInt8](repeating: UInt8(ascii: ":"), count: lead) + bytes
                return String(decoding: Base64.text(of: shifted), as: UTF8.self)
            }
    }

    private static func error(_ text: String, _ status: Int) -> JSONValue {
        let words = JSONValue.string(text)
        return [
            "errorType": "Echo", "errorCode": "SE01", "message": words, "msg": words, "errorMessage": words,
            "detail": words, "error": ["code": .integer(status), "message": words, "info": words],
        ]
    }

    private static func documents(_ text: String) -> JSONValue {
        let words = JSONValue.string(text)
        let address = JSONValue.string("https://echo.example/\(PercentEncoding.encode(text))")
        let document: JSONValue = [
            "title": words, "contents": words, "description": words, "url": address, "link": address,
            "blogname": words, "id": "echo", "objectID": "1", "trackId": 1, "trackName": words,
            "volumeInfo": ["title": words, "description": words],
        ]
        return [
            "kind": "books#volumes", "documents": [document], "items": [document], "hits": [document],
            "results": [document], "meta": ["is_end": true, "total_count": 1, "pageable_count": 1],
        ]
    }
}
