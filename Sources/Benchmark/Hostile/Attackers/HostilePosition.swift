/// The position of a hostile text in a line.
struct HostilePosition {
    /// The longest line that is served.
    static let lineBytesMax = 1 << 20
    /// Stands for the text in a template.
    private static let mark = UInt8(ascii: "%")

    let name: String
    private let pieces: [ArraySlice<UInt8>]

    private init(_ name: String, _ template: String) {
        self.name = name
        pieces = Array(template.utf8).split(separator: Self.mark, omittingEmptySubsequences: false)
    }

    /// A line of the maximum length, without its line feed.
    func line(_ text: HostileText, bytesMax: Int = lineBytesMax) -> [UInt8] {
        let room = bytesMax - pieces.reduce(0) { $0 + $1.count }
        return Array(pieces.joined(separator: text.bytes(room / (pieces.count - 1))))
    }

    static let all: [HostilePosition] =
        [
            HostilePosition("the method", #"{"jsonrpc":"2.0","id":7,"method":"%"}"#),
            HostilePosition("the id", #"{"jsonrpc":"2.0","id":"%","method":"server/ping"}"#),
            HostilePosition("jsonrpc", #"{"jsonrpc":"%","id":7,"method":"server/ping"}"#),
            HostilePosition("a member of the envelope", #"{"jsonrpc":"2.0","id":7,"method":"server/ping","%":1}"#),
            HostilePosition(
                "a cancellation's id",
                #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"%"}}"#
            ),
            HostilePosition("instead of an object", #"["%"]"#),
            HostilePosition("a search's params", #"{"jsonrpc":"2.0","id":7,"method":"search","params":"%"}"#),
            HostilePosition("raw bytes", "%"),
            call("hello's client", "server/hello", #"{"client":"%"}"#),
            call("cache/clear's source", "cache/clear", #"{"source":"%"}"#),
            call("cache/clear's query", "cache/clear", #"{"source":"kakao.blog","query":"%"}"#),
        ] + parameters.map { call("a search's \($0.name)", "search", $0.params) }
        + parameters.map { batch("a batch's search's \($0.name)", "search", $0.params) }
        + [batch("a batch's hello's client", "server/hello", #"{"client":"%"}"#)]

    private static let parameters: [(name: String, params: String)] = [
        ("query", #"{"query":"%"}"#),
        ("sort", #"{"query":"a","sort":"%"}"#),
        ("sources", #"{"query":"a","sources":["%","kakao.blog","%"]}"#),
        ("globs", #"{"query":"a","sources":["*%*"]}"#),
        ("kinds", #"{"query":"a","kinds":["%","blog","%"]}"#),
        ("cursor", #"{"query":"a","cursor":"%"}"#),
        ("channel", #"{"query":"a","channel":"%","debounce":150}"#),
        ("priority", #"{"query":"a","priority":"%"}"#),
        ("wait", #"{"query":"a","wait":"%"}"#),
        ("options' source", #"{"query":"a","options":{"%":{"a":1}}}"#),
        ("options' sources twice", #"{"query":"a","options":{"%":{"a":1},"%":{"a":1}}}"#),
        ("options' name", #"{"query":"a","sources":["naver.image"],"options":{"naver.image":{"%":1}}}"#),
        ("options' value", #"{"query":"a","sources":["naver.image"],"options":{"naver.image":{"filter":"%"}}}"#),
        ("unknown parameter", #"{"query":"a","%":1}"#),
        ("parameter twice", #"{"query":"a","%":1,"%":2}"#),
        ("filter", #"{"query":"a","filter":{"site":"%","since":"%"}}"#),
    ]

    private static func call(_ name: String, _ method: String, _ params: String) -> HostilePosition {
        HostilePosition(name, Wire.object(7, method, params))
    }

    /// Ten of them in a line.
    private static func batch(_ name: String, _ method: String, _ params: String) -> HostilePosition {
        HostilePosition(name, "[" + (7...16).map { Wire.object($0, method, params) }.joined(separator: ",") + "]")
    }
}
