/// The servers that are compared.
package enum PeerName: String, CaseIterable, Sendable {
    case searchd
    case redis
    case echo

    /// The cheapest request of each, and how its answer is framed.
    var ping: (request: [UInt8], framing: AnswerFraming) {
        switch self {
        case .searchd: (Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/ping\"}\n".utf8), .jsonRPC)
        case .redis: (RedisWire.command(["PING"]), .line)
        case .echo: ([UInt8(ascii: "\n")], .line)
        }
    }
}
