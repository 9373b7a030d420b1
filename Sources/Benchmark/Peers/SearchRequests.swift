/// The searches that all peers are asked for, in rotation.
enum SearchRequests {
    /// So many different queries, and as many different keys.
    static let count = 256

    /// The text of one of them.
    static func query(_ index: Int) -> String {
        "고양이 \(index)"
    }

    /// What stands before the id.
    static let head = Array(#"{"jsonrpc":"2.0","id":"#.utf8)

    /// What follows the id in a search for `query`.
    static func tail(query: String, maxAge: Int = 86_400) -> [UInt8] {
        let parameters = #""query":"\#(query)","sources":["kakao.blog"],"limit":10,"maxAge":\#(maxAge)"#
        return Array(#","method":"search","params":{\#(parameters)}}"#.utf8) + [UInt8(ascii: "\n")]
    }
}
