import JSON

/// A complete HTTP request.
struct WebRequest: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
    }

    enum Field: String, Sendable {
        case acceptLanguage = "accept-language"
        case authorization, connection, cookie, host, origin, referer
        case contentLength = "content-length"
        case contentType = "content-type"
        case apiKey = "x-api-key"
        case requestedWith = "x-requested-with"
        case fetchSite = "sec-fetch-site"
        case transferEncoding = "transfer-encoding"
    }

    var method: Method
    /// The host and port, from an absolute target or else from the Host field.
    var authority: String?
    var path: String
    var query: String
    var fields: [(field: Field, value: String)] = []
    var body: [UInt8] = []
    /// False for HTTP/1.0.
    var isCurrent = true
    var keepsAlive = true

    subscript(field: Field) -> String? { fields.first { $0.field == field }?.value }
}

/// The decoded parameters of a request, from its query and from a form in its body.
struct WebParameters: Sendable {
    static let countMax = 64

    private var values: [(name: String, value: String)] = []

    init(_ request: WebRequest) {
        append(request.query[...])
        let type = request[.contentType]?.lowercased() ?? ""
        if !request.body.isEmpty, type.hasPrefix("application/x-www-form-urlencoded") {
            append(String(decoding: request.body, as: UTF8.self)[...])
        }
    }

    private mutating func append(_ text: Substring) {
        for part in text.utf8.split(separator: UInt8(ascii: "&")).prefix(Self.countMax) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.decode(Substring(pair[0]), plusIsBlank: true)
            let value = pair.count == 2 ? PercentEncoding.decode(Substring(pair[1]), plusIsBlank: true) : ""
            if let name, let value { values.append((name, value)) }
        }
    }

    subscript(name: String) -> String? {
        values.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    func words(_ name: String) -> [String] {
        values.filter { $0.name == name }.flatMap { value in
            value.value.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
        }
    }
}

extension Substring {
    var trimmed: String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let rest = utf8.drop(while: isBlank)
        let end = rest.lastIndex { !isBlank($0) }.map { rest.index(after: $0) } ?? rest.startIndex
        return String(self[rest.startIndex..<end])
    }
}
