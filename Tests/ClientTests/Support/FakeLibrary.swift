import JSON
import RPC
import SearchModel
import Synchronization

@testable import Client

/// A fake daemon that keeps what is saved, as far as clients can tell: in the order of saving, the latest listed first.
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
    /// The oldest first.
    var items: [JSONValue] { shared.state.withLock { $0.items } }
    /// How many items each request to save had that was not refused.
    var saves: [Int] { shared.state.withLock { $0.saves } }
    /// How long the longest line was.
    var lineBytesMax: Int { shared.state.withLock { $0.bytesMax } }

    /// Listens at `path` with `items` in it; no list that it answers is longer than `pageItemsMax`.
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

    /// An item as `library/list` has it.
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
            let page = items.dropFirst(params["offset"]?.int ?? 0).prefix(limit)
            return result(["items": .array(Array(page)), "total": .number(JSONNumber(items.count)), "next": .null])
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
            return failure("invalidParams", "A hit has a title.", -32602)
        }
        let known = Set(state.items.compactMap { $0["id"]?.string })
        let new = items.filter { !known.contains($0["id"]?.string ?? "") }
        state.items += new
        state.saves.append(items.count)
        return result(["items": .array(items), "added": .number(JSONNumber(new.count)), "revision": 1])
    }

    private static func result(_ value: JSONValue) -> String {
        #""result":"# + String(decoding: value.bytes, as: UTF8.self)
    }

    private static func failure(_ kind: String, _ message: String, _ code: Int) -> String {
        #""error":{"code":\#(code),"message":"\#(message)","data":{"kind":"\#(kind)"}}"#
    }
}
