import JSON
import RPC
import SearchModel
import Synchronization

@testable import Client

/// A fake daemon whose answers are scripted by method, and can change meanwhile.
final class ScriptedDaemon: Sendable {
    private struct State {
        var answers: [MethodName: String]
        var requests: [(method: MethodName?, params: String)] = []
    }

    /// What stands for an error in place of a result.
    static func failure(_ kind: String, _ message: String, code: Int = -32002, path: String? = nil) -> String {
        let path = path.map { #","path":"\#($0)""# } ?? ""
        return #"!{"code":\#(code),"message":"\#(message)","data":{"kind":"\#(kind)"\#(path)}}"#
    }

    private let daemon: FakeDaemon
    private let state: Shared

    /// Told of each request after it was answered, and may change what comes next.
    typealias Answered = @Sendable (_ method: MethodName, _ answers: inout [MethodName: String]) -> Void

    private final class Shared: Sendable {
        let state: Mutex<State>

        init(_ state: consuming sending State) {
            self.state = Mutex(state)
        }
    }

    var path: String { daemon.path }
    /// What was asked, in its order.
    var methods: [MethodName] { state.state.withLock { $0.requests.compactMap(\.method) } }
    func params(of method: MethodName) -> [String] {
        state.state.withLock { $0.requests.filter { $0.method == method }.map(\.params) }
    }

    /// Listens at `path`, and answers by method; `searches` are the answers to searches of one source, by its name.
    init(
        at path: String,
        _ answers: [MethodName: String],
        searches: [String: String] = [:],
        answered: @escaping Answered = { _, _ in }
    ) throws {
        let state = Shared(State(answers: answers))
        self.state = state
        daemon = try FakeDaemon(at: path) { connection in
            while let line = try connection.line() {
                let request = try JSONDocument(Array(line.utf8)).root
                let id = request[.id]?.int ?? 0
                let method = request[.method]?.word(MethodName.self)
                let params = request[.params].map { String(decoding: $0.text, as: UTF8.self) } ?? ""
                let source = request[.params]?[.sources]?[0]?.string
                let answer = state.state.withLock { state in
                    state.requests.append((method, params))
                    guard let method else { return Self.failure("methodNotFound", "there is no such method") }
                    let answer = source.flatMap { searches[$0] } ?? state.answers[method]
                    answered(method, &state.answers)
                    return answer ?? Self.failure("methodNotFound", "there is no such method", code: -32601)
                }
                let member = answer.hasPrefix("!") ? #""error":\#(answer.dropFirst())"# : #""result":\#(answer)"#
                try connection.send(#"{"jsonrpc":"2.0","id":\#(id),\#(member)}"#)
            }
        }
    }
}

/// Documents of a daemon, as far as tests need them.
enum Documents {
    static func hello(version: String = "9.8.7", user: UInt32, protocol wire: Int = 1) -> String {
        #"{"server":"searchd","version":"\#(version)","protocol":\#(wire),"capabilities":[],"pid":42,"uid":\#(user)}"#
    }

    /// A source of `source/list`.
    static func source(
        _ name: String,
        enabled: Bool = true,
        health: String = "ok",
        quota: String = "[]",
        keys: String? = nil
    ) -> String {
        let account = name.prefix { $0 != "." }
        let reason = enabled ? "" : #""reason":"notConfigured","#
        let keys = keys.map { #""keys":\#($0),"# } ?? ""
        return #"{"source":"\#(name)","kind":"web","account":"\#(account)","enabled":\#(enabled),\#(reason)\#(keys)"#
            + #""limits":{},"quota":\#(quota),"health":"\#(health)","options":{}}"#
    }

    static func list(_ sources: String...) -> String { #"{"sources":[\#(sources.joined(separator: ","))]}"# }

    static let found = #"{"hits":[],"sources":[{"source":"x","status":"ok"}],"complete":true,"next":null}"#
}
