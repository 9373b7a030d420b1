import Client
import EventLoop
import Glibc
import JSON
import TestSupport

@testable import Web

let testToken = "0123456789abcdef0123456789abcdef"

func withWeb(
    limits: WebLimits = WebLimits(),
    token: String? = testToken,
    hosts: Set<String> = [],
    daemon answer: @escaping FakeDaemon.Answer = { $0.answerBasics() },
    _ body: (WebFixture) async throws -> Void
) async throws {
    try await onOwnThread {
        try await withLoop("web") { loop in try await serve(loop, limits, token, hosts, answer, body) }
    }
}

private func serve(
    _ loop: EventLoop,
    _ limits: WebLimits,
    _ token: String?,
    _ hosts: Set<String>,
    _ answer: @escaping FakeDaemon.Answer,
    _ body: (WebFixture) async throws -> Void
) async throws {
    let directory = TemporaryDirectory()
    let path = directory.file("searchd.sock")
    let daemon = try FakeDaemon(at: path, answer)
    let listener = try LoopbackListener()
    let port = listener.port
    // The server owns and closes the copy of the descriptor.
    let raw = dup(listener.descriptor.raw)
    _ = consume listener
    let connector = try Connector(Context(Console(), Environment([:])), socket: path, starting: .nothing)
    let access = AccessCheck(port: port, allowedHosts: hosts, token: token.flatMap { Token($0) })
    let server = WebServer(on: loop, limits: limits, handler: Site(on: loop, access: access, connector: connector))
    try await server.listen(on: raw)
    let fixture = WebFixture(port: port, socket: path, daemon: daemon)
    let outcome: Result<Void, any Error>
    do {
        outcome = .success(try await body(fixture))
    } catch {
        outcome = .failure(error)
    }
    await server.stop()
    daemon.stop()
    try outcome.get()
}

/// A running web server, and functions that send requests to it.
struct WebFixture {
    let port: UInt16
    let socket: String
    let daemon: FakeDaemon

    struct Answer {
        let status: Int
        let head: String
        let body: String

        var json: JSONValue { (try? JSONDocument(Array(body.utf8)).root.value) ?? .null }

        func field(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
    }

    func send(_ method: String, _ target: String, _ fields: [String] = [], body: String = "") throws -> Answer {
        let client = try RawClient(port: port)
        let own = fields.contains { $0.lowercased().hasPrefix("host:") } ? [] : ["Host: 127.0.0.1:\(port)"]
        var lines = own + fields + ["Connection: close"]
        if !body.isEmpty {
            lines += ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(body.utf8.count)"]
        }
        client.send("\(method) \(target) HTTP/1.1\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n\(body)")
        return Self.parsed(try client.receive() ?? { throw TestFailure("no response to \(target)") }())
    }

    func get(_ target: String, _ fields: String...) throws -> Answer { try send("GET", target, fields) }

    static func parsed(_ text: String) -> Answer {
        let end = text.firstRange(of: "\r\n\r\n")
        let head = end.map { String(text[..<$0.lowerBound]) } ?? text
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Answer(status: status, head: head, body: end.map { String(text[$0.upperBound...]) } ?? "")
    }
}

let asUser = "Authorization: Bearer \(testToken)"
