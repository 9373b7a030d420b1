import JSON

/// Lines as clients send them, and what the answers hold.
enum Wire {
    static let ping = request(1, "server/ping")
    private static let result = Array(#","result":"#.utf8)

    /// One line; the texts are JSON already.
    static func request(_ id: Int, _ method: String, _ params: String = "{}") -> [UInt8] {
        Array(object(id, method, params).utf8) + [UInt8(ascii: "\n")]
    }

    static func batch(_ count: Int, _ request: (Int) -> String) -> [UInt8] {
        Array("[\((1...count).map(request).joined(separator: ","))]\n".utf8)
    }

    static func object(_ id: Int, _ method: String, _ params: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    }

    static func cancel(_ id: Int) -> [UInt8] {
        Array("{\"jsonrpc\":\"2.0\",\"method\":\"$/cancelRequest\",\"params\":{\"id\":\(id)}}\n".utf8)
    }

    /// The parameters of a search; `more` begins with a comma.
    static func search(_ query: String, _ source: String, _ more: String = "") -> String {
        #"{"query":"\#(query)","sources":["\#(source)"]\#(more)}"#
    }

    static func isResult(_ line: [UInt8]?) -> Bool {
        guard let line else { return false }
        let span = line.span
        return span.contains(result)
    }

    /// Whether the peer answers a ping with a result.
    static func isServed(_ talk: Dialogue) -> Bool {
        isResult(talk.answer(to: ping, within: 2_000_000_000))
    }

    static func isHello(_ line: [UInt8]) -> Bool {
        let span = line.span
        return span.contains(Array(#""server":"searchd""#.utf8))
    }

    /// The `result` of an answer.
    static func result(_ line: [UInt8]?) -> JSONCursor? {
        line.flatMap { try? JSONDocument($0) }?.root["result"]
    }

    /// The `kind` of an answer's error.
    static func errorKind(_ line: [UInt8]?) -> String? {
        line.flatMap { try? JSONDocument($0) }?.root["error"]?["data"]?["kind"]?.string
    }
}
