/// One HTTP request, complete, with nothing said about how it is carried.
package struct HTTPRequest: Equatable, Sendable {
    package var method: String
    /// The absolute URL on the client's side; the target (`/path?query`) on the server's.
    package var url: String
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(method: String = "GET", url: String, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}

/// One HTTP response with its whole body, content encodings already undone.
package struct HTTPResponse: Equatable, Sendable {
    package var status: Int
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}
