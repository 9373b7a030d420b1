import HTTPMessage

/// Just enough of HTTP/1.1 to ask the sandbox something: one exchange on a connection that closes after it.
enum HTTPText {
    /// The request for a server whose address `origin` is; nil when it leads elsewhere.
    static func bytes(of request: HTTPRequest, origin: String) -> [UInt8]? {
        guard request.url.hasPrefix(origin) else { return nil }
        var lines = [
            "\(request.method) \(request.url.dropFirst(origin.count)) HTTP/1.1", "Host: localhost", "Connection: close",
        ]
        if !request.body.isEmpty { lines.append("Content-Length: \(request.body.count)") }
        lines += request.fields.fields.map { "\($0.name): \($0.value)" }
        return Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + request.body
    }

    /// A response that ended with its connection; nil when its head or its length is wrong.
    static func response(_ bytes: [UInt8]) -> HTTPResponse? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first, first.hasPrefix("HTTP/1.1 "), let status = Int(first.dropFirst(9).prefix(3))
        else {
            return nil
        }
        var response = HTTPResponse(status: status, body: Array(bytes[end.upperBound...]))
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            response.fields.append(
                String(line[..<colon]),
                String(line[line.index(after: colon)...].drop { $0 == " " })
            )
        }
        let length = response.fields["Content-Length"].flatMap { Int($0) }
        return length == nil || length == response.body.count ? response : nil
    }
}
