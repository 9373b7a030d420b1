import Dispatch
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel
import Synchronization
import TestSupport
import Testing

@testable import Client

/// A fake daemon.
///
/// Either a closure serves each connection, or each method has one fixed answer.
final class FakeDaemon: Sendable {
    private struct State {
        var answers: [MethodName: String] = [:]
        var requests: [(method: MethodName?, params: String)] = []
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    /// Called for each request, and may change the answers to later requests.
    typealias Answered = @Sendable (_ method: MethodName, _ answers: inout [MethodName: String]) -> Void

    let path: String
    private let listener: FileDescriptor
    private let thread: WorkerThread
    private let shared: Shared

    convenience init(at path: String, serve: @escaping @Sendable (FakeConnection) throws -> Void) throws {
        try self.init(at: path, Shared(), serve: serve)
    }

    private init(at path: String, _ shared: Shared, serve: @escaping @Sendable (FakeConnection) throws -> Void) throws {
        (self.path, self.shared) = (path, shared)
        listener = try UnixSocket.listen(at: path, backlog: 16)
        let raw = listener.raw
        // The thread blocks in accept, so the listening descriptor must be in blocking mode.
        _ = fcntl(raw, F_SETFL, 0)
        thread = try WorkerThread {
            while case let connection = accept(raw, nil, nil), connection >= 0 {
                try? serve(FakeConnection(owning: connection))
            }
        }
    }

    deinit {
        // The thread must end first. When the descriptor is closed, another file can get its number.
        shutdown(listener.raw, Int32(SHUT_RDWR))
        thread.join()
    }

    /// `searches` maps the name of a source to the answer to searches in this source.
    convenience init(
        at path: String,
        _ answers: [MethodName: String],
        searches: [String: String] = [:],
        answered: @escaping Answered = { _, _ in }
    ) throws {
        let shared = Shared()
        shared.state.withLock { $0.answers = answers }
        try self.init(at: path, shared) { connection in
            while let line = try connection.line() {
                let request = try JSONDocument(Array(line.utf8)).root
                let method = request[.method]?.word(MethodName.self)
                let params = request[.params].map { String(decoding: $0.text, as: UTF8.self) } ?? ""
                let source = request[.params]?[.sources]?[0]?.string
                let answer = shared.state.withLock { state in
                    state.requests.append((method, params))
                    guard let method else { return Self.failure("methodNotFound", "there is no such method") }
                    let answer = source.flatMap { searches[$0] } ?? state.answers[method]
                    answered(method, &state.answers)
                    return answer ?? Self.failure("methodNotFound", "there is no such method", code: -32601)
                }
                let member = answer.hasPrefix("!") ? #""error":\#(answer.dropFirst())"# : #""result":\#(answer)"#
                try connection.send(#"{"jsonrpc":"2.0","id":\#(request[.id]?.int ?? 0),\#(member)}"#)
            }
        }
    }

    static func failure(_ kind: String, _ message: String, code: Int = -32002, path: String? = nil) -> String {
        let path = path.map { #","path":"\#($0)""# } ?? ""
        return #"!{"code":\#(code),"message":"\#(message)","data":{"kind":"\#(kind)"\#(path)}}"#
    }

    var methods: [MethodName] { shared.state.withLock { $0.requests.compactMap(\.method) } }

    func params(of method: MethodName) -> [String] {
        shared.state.withLock { $0.requests.filter { $0.method == method }.map(\.params) }
    }
}

/// The daemon's end of a client's connection.
final class FakeConnection {
    private let socket: FileDescriptor
    private var buffer = LineBuffer(bytesMax: 1 << 20)

    init(owning descriptor: Int32) {
        socket = FileDescriptor(owning: descriptor)
    }

    func line() throws -> String? {
        while true {
            if let line = try buffer.next() { return String(decoding: line, as: UTF8.self) }
            guard let bytes = try DescriptorIO.read(socket.raw, bytesMax: 4096), !bytes.isEmpty else { return nil }
            buffer.append(bytes)
        }
    }

    func send(_ lines: String...) throws {
        for line in lines {
            var rest = Array("\(line)\n".utf8)[...]
            while !rest.isEmpty, case .bytes(let count) = try DescriptorIO.send(rest, to: socket.raw) {
                rest = rest.dropFirst(count)
            }
        }
    }

    func rest() throws -> [String] {
        var lines: [String] = []
        while let line = try line() { lines.append(line) }
        return lines
    }
}

/// Answers of a daemon in JSON.
enum Documents {
    static func hello(version: String = "9.8.7", user: UInt32, protocol wire: Int = 1) -> String {
        #"{"server":"searchd","version":"\#(version)","protocol":\#(wire),"capabilities":[],"pid":42,"uid":\#(user)}"#
    }

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

/// A fake daemon with a library that lists the latest item first.
final class FakeLibrary: Sendable {
    private struct State {
        var items: [JSONValue] = []
        var saves: [Int] = []
        var bytesMax = 0
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    private let daemon: FakeDaemon
    private let shared = Shared()

    var path: String { daemon.path }
    var items: [JSONValue] { shared.state.withLock { $0.items } }
    var saves: [Int] { shared.state.withLock { $0.saves } }
    var lineBytesMax: Int { shared.state.withLock { $0.bytesMax } }

    init(at path: String, _ items: [JSONValue] = [], pageItemsMax: Int = 1000) throws {
        let shared = shared
        shared.state.withLock { $0.items = items }
        daemon = try FakeDaemon(at: path) { connection in
            while let line = try connection.line() {
                let request = try JSONDocument(Array(line.utf8)).root
                let params = request[.params]?.value ?? .object([])
                let answer = shared.state.withLock { state in
                    state.bytesMax = max(state.bytesMax, line.utf8.count)
                    return Self.answer(request[.method]?.string ?? "", params, &state, pageItemsMax)
                }
                try connection.send(#"{"jsonrpc":"2.0","id":\#(request[.id]?.int ?? 0),\#(answer)}"#)
            }
        }
    }

    static func item(_ key: String, title: String? = nil, more: [JSONMember] = []) -> JSONValue {
        .object(
            [
                JSONMember("id", .string("a.b:\(key)")), JSONMember("source", "a.b"), JSONMember("kind", "book"),
                JSONMember("title", .string(title ?? "책 \(key)")),
                JSONMember("url", .string("https://a.example/\(key)")),
                JSONMember("savedAt", "2026-11-01T10:00:00Z"), JSONMember("updatedAt", "2026-11-01T10:00:00Z"),
            ] + more
        )
    }

    private static func answer(
        _ method: String,
        _ params: JSONValue,
        _ state: inout State,
        _ pageItemsMax: Int
    ) -> String {
        switch MethodName(exactly: method) {
        case .librarySave: return save(params["items"]?.array ?? [], &state)
        case .libraryList:
            let pattern = params["sources"]?[0]?.string
            let items = state.items.reversed().filter { item in
                pattern.map { Glob.matches(item["source"]?.string ?? "", $0) } ?? true
            }
            let limit = min(params["limit"]?.int ?? 100, pageItemsMax)
            let start = params["cursor"]?.string.flatMap { Int($0) } ?? 0
            let page = items.dropFirst(start).prefix(limit)
            let next = start + page.count
            return result([
                "items": .array(Array(page)), "total": .number(JSONNumber(items.count)),
                "next": next < items.count ? .string(String(next)) : .null,
            ])
        case .libraryGet:
            guard let item = state.items.first(where: { $0["id"] == params["id"] }) else {
                return failure("notFound", "No saved item has this id.", -32010)
            }
            return result(["item": item])
        default: return failure("methodNotFound", "there is no such method", -32601)
        }
    }

    private static func save(_ items: [JSONValue], _ state: inout State) -> String {
        guard items.allSatisfy({ $0["title"]?.string?.isEmpty == false }) else {
            return failure("invalidParams", "A hit must have a title.", -32602)
        }
        let known = Set(state.items.compactMap { $0["id"]?.string })
        let new = items.filter { !known.contains($0["id"]?.string ?? "") }
        state.items += new
        state.saves.append(items.count)
        let updated = items.count { known.contains($0["id"]?.string ?? "") && $0["tags"] != nil }
        return result([
            "items": .array(items), "added": .number(JSONNumber(new.count)), "updated": .number(JSONNumber(updated)),
            "revision": 1,
        ])
    }

    private static func result(_ value: JSONValue) -> String {
        #""result":"# + String(decoding: value.bytes, as: UTF8.self)
    }

    private static func failure(_ kind: String, _ message: String, _ code: Int) -> String {
        #""error":{"code":\#(code),"message":"\#(message)","data":{"kind":"\#(kind)"}}"#
    }
}

/// The lines that a fake daemon has received.
final class Seen: Sendable {
    private let kept = Mutex<[String]>([])
    private let added = DispatchSemaphore(value: 0)

    var lines: [String] { kept.withLock { $0 } }

    func add(_ line: String?) {
        guard let line else { return }
        kept.withLock { $0.append(line) }
    }

    func add(contentsOf lines: [String]) {
        kept.withLock { $0.append(contentsOf: lines) }
        added.signal()
    }

    func wait(for connections: Int) -> [String] {
        for _ in 0..<connections { added.wait() }
        return lines
    }
}
