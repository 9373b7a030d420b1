package import HTTPMessage

/// What to fetch, and on which terms.
package struct FetchRequest: Sendable {
    package static let bodyBytesMax = 1024 * 1024
    package static let fieldsMax = 64
    package static let fieldBytesMax = 8 * 1024

    /// Its URL is absolute; fields that frame the message (Content-Length, Connection and the like) are refused.
    package var request: HTTPRequest
    package var timeouts = FetchTimeouts()
    /// The most bytes that the body of the response may have, on the wire and decoded.
    package var responseBytesMax = 4 * 1024 * 1024
    package var redirects = RedirectPolicy.none
    package var addresses = AddressPolicy.any
    /// HTTP/2 is used where the server offers it over TLS.
    package var allowsHTTP2 = true
    /// Called once, on the loop's thread, when a connection stands and the request is about to be written to it.
    ///
    /// Until then a cancellation has no effect on the other end: nothing was sent and no quota is spent. It is not
    /// called again for redirects or when libcurl tries a second connection. It must be quick and must not wait.
    package var willSend: (@Sendable () -> Void)?

    package init(_ request: HTTPRequest) {
        self.request = request
    }
}

extension FetchRequest {
    private static let framingFields: Set<String> = [
        "connection", "content-length", "expect", "host", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// The first hop, when nothing in the request could be read by the other end as something else than meant.
    func firstHop() throws(FetchError) -> Hop {
        let url = try FetchURL(request.url)
        guard Self.isToken(request.method) else { throw .invalidRequest("its method is no method") }
        guard request.body.count <= Self.bodyBytesMax else {
            throw .invalidRequest("its body has more than \(Self.bodyBytesMax) bytes")
        }
        guard request.body.isEmpty || !["GET", "HEAD"].contains(request.method) else {
            throw .invalidRequest("\(request.method) carries no body")
        }
        guard request.fields.fields.count <= Self.fieldsMax else {
            throw .invalidRequest("it has more than \(Self.fieldsMax) fields")
        }
        for field in request.fields.fields { try Self.check(field) }
        return Hop(url: url, method: request.method, fields: request.fields, body: request.body)
    }

    private static func check(_ field: HTTPFields.Field) throws(FetchError) {
        guard isToken(field.name) else { throw .invalidRequest("a field has no proper name") }
        guard !framingFields.contains(field.name.lowercased()) else {
            throw .invalidRequest("the field \(field.name) is the client's own business")
        }
        guard field.name.utf8.count + field.value.utf8.count <= fieldBytesMax else {
            throw .invalidRequest("the field \(field.name) has more than \(fieldBytesMax) bytes")
        }
        guard field.value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == UInt8(ascii: "\t") }) else {
            throw .invalidRequest("the field \(field.name) has a control character")
        }
    }

    /// RFC 9110, 5.6.2; short, because methods and names are.
    private static func isToken(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}

/// How long the parts of one exchange may take.
package struct FetchTimeouts: Hashable, Sendable {
    /// Name resolution: name servers that take longer are as good as none.
    package var resolve: Duration = .milliseconds(1500)
    /// Name resolution, connection and TLS, for each hop; also the wait for a shared HTTP/2 connection.
    package var connect: Duration = .seconds(3)
    /// From the moment the request may leave until the first byte of the response, for each hop.
    package var firstByte: Duration = .seconds(10)
    /// Everything, from the call on: waiting to be started, redirects, the last byte of the body.
    package var whole: Duration = .seconds(15)
}
