import HTTP

/// One request to an upstream, taken apart.
struct Call: Sendable {
    let request: HTTPRequest
    let endpoint: Endpoint
    let parameters: Parameters
    /// Nanoseconds since 1970.
    let instant: Int64

    var path: String { endpoint.path }
    var moment: Timestamp { Timestamp(seconds: Int(instant / 1_000_000_000)) }

    func header(_ name: String) -> String? {
        request.fields[name]
    }

    /// The value of an optional whole number: the default when absent, nil when it is not a number.
    func number(_ name: String, default absent: Int) -> Int? {
        guard let text = parameters[name] else { return absent }
        return Int(text)
    }
}

/// The rows of an upstream's error table: the answers that its checks give, and that a fault calls for by name.
protocol ErrorRow: Error, RawRepresentable<String>, CaseIterable {
    func response(to call: Call) -> HTTPResponse
}

extension ErrorRow {
    static var names: [String] { allCases.map(\.rawValue) }
}

extension HTTPResponse {
    /// An answer with a body of some type.
    static func of(_ status: Int, _ type: String, _ body: [UInt8], _ more: [(String, String)] = []) -> HTTPResponse {
        HTTPResponse(status: status, fields: HTTPFields([("Content-Type", type)] + more), body: body)
    }
}
