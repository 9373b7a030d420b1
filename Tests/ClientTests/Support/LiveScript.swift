import JSON
import RPC
import SearchModel
import Terminal

@testable import Client
@testable import FullScreen

/// Runs the model of `live` with scripted events and returns its screen as text.
struct LiveScript {
    private(set) var model: LiveModel
    private(set) var effects: [LiveEffect] = []
    /// All requests except those that record a search.
    private(set) var sent: [(id: Int, method: MethodName, params: String)] = []
    private(set) var recorded: [String] = []

    static let now: Int64 = 1_709_942_400

    init(columns: Int = 80, rows: Int = 24, query: String = "", search: LiveSearch = LiveSearch()) {
        model = LiveModel(
            columns: columns,
            rows: rows,
            query: query,
            search: search,
            now: { Self.now },
            zone: .fixed(hours: 9),
            keys: KeyCommandLine()
        )
        receive(.connected(isAgain: false))
    }

    var screen: Screen { LiveScreen(model).screen }
    var lines: [String] { screen.lines }

    mutating func receive(_ event: LiveEvent) {
        effects = model.handle(event)
        for case .send(let id, let method, let params) in effects {
            let params = String(decoding: params, as: UTF8.self)
            if params.contains(#""history":true"#) {
                recorded.append(params)
            } else {
                sent.append((id, method, params))
            }
        }
    }

    mutating func type(_ text: String) {
        for scalar in text.unicodeScalars { receive(.input(.text(String(scalar)))) }
    }

    mutating func press(_ keys: Key.Name...) {
        for key in keys { receive(.input(.key(Key(key)))) }
    }

    func params(of method: MethodName) -> [String] { sent.filter { $0.method == method }.map(\.params) }

    private func id(of method: MethodName) -> Int { sent.last { $0.method == method }?.id ?? -1 }

    mutating func answer(_ method: MethodName, number: Int, _ result: String) throws {
        let id = sent.filter { $0.method == method }[number].id
        try receive(line: #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#)
    }

    mutating func answer(_ method: MethodName, _ result: String) throws {
        try receive(line: #"{"jsonrpc":"2.0","id":\#(id(of: method)),"result":\#(result)}"#)
    }

    mutating func fail(_ method: MethodName, _ kind: String, _ message: String) throws {
        let error = #"{"code":-32000,"message":"\#(message)","data":{"kind":"\#(kind)"}}"#
        try receive(line: #"{"jsonrpc":"2.0","id":\#(id(of: method)),"error":\#(error)}"#)
    }

    mutating func hits(_ keys: String...) throws { try hits(keys.map(Self.hit)) }

    mutating func hits(_ hits: [String]) throws {
        try arrive(hits)
        if model.web.list.hasNextHits { receive(.rested) }
    }

    mutating func arrive(_ hits: [String]) throws {
        let hits = hits.joined(separator: ",")
        try notify("search/hits", #"{"request":\#(id(of: .search)),"source":"a.b","hits":[\#(hits)]}"#)
    }

    mutating func notify(_ method: String, _ params: String) throws {
        try receive(line: #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
    }

    private mutating func receive(line: String) throws {
        receive(.message(try Message.read(Array(line.utf8))))
    }

    static func pictured(_ key: String, kind: String = "image") -> String {
        #"{"id":"a.b:\#(key)","source":"a.b","kind":"\#(kind)","title":"그림 \#(key)","url":"https://a.example/\#(key)","#
            + #""thumbnail":"https://pictures.example/\#(key).jpg"}"#
    }

    static func hit(_ key: String) -> String {
        #"{"id":"a.b:\#(key)","source":"a.b","kind":"web","title":"제목 \#(key)","url":"https://a.example/\#(key)"}"#
    }

    static func end(_ keys: String..., next: String? = nil, saved: String = "") -> String {
        let order = keys.map { #""a.b:\#($0)""# }.joined(separator: ",")
        let next = next.map { #""\#($0)""# } ?? "null"
        return
            #"{"query":"q","sort":"relevance","order":[\#(order)],"next":\#(next),"complete":true,"saved":[\#(saved)],"#
            + #""sources":[{"source":"a.b","status":"ok","cache":"miss","total":1234,"reachable":800}],"elapsed":1}"#
    }
}
