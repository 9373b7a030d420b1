import EventLoop
import JSON

/// The mock server of the sources, which is a `searchd-sandbox` on a free port.
final class Sandbox {
    /// The accounts of the sources that a search asks if it names none.
    static let accounts = ["google", "hackernews", "itunes", "kakao", "naver", "openlibrary", "wikipedia"]
    /// The accounts of sources that cost money.
    static let paidAccounts = ["exa", "brave"]

    private static let answerMax: Int64 = 10_000_000_000
    private let process: ChildProcess
    private let port: UInt16
    /// What it printed: its keys and base URLs.
    private let ready: JSONCursor

    init(_ program: String, log: String) throws {
        process = try ChildProcess(
            Command(program: program, arguments: ["--port", "0", "--print-port", "--unlimited"]),
            log: log
        )
        var line: ArraySlice<UInt8> = []
        while process.isRunning, line.isEmpty {
            SystemCall.pause(.milliseconds(1))
            let text = SystemCall.contents(of: log) ?? []
            line = text[..<(text.firstIndex(of: UInt8(ascii: "\n")) ?? 0)]
        }
        guard let ready = try? JSONDocument(Array(line)).root, let port = ready["port"]?.int else {
            throw process.failure("did not print its port and keys")
        }
        (self.ready, self.port) = (ready, UInt16(truncatingIfNeeded: port))
    }

    /// The configuration of an account: its key, and its address unless `members` give another one.
    func configuration(of account: String, members: String) -> String {
        var parts = members.isEmpty ? [] : [members]
        let keys = ready["keys"]?[Self.paidAccounts.contains(account) ? "paid" : account]?[0]
        if let key = keys?.string { parts.append(#"key:{value:"\#(key)"}"#) }
        for (name, secret) in keys?.members ?? [] { parts.append(#"\#(name):{value:"\#(secret.string ?? "")"}"#) }
        if !members.contains("baseURL:"), let base = ready["bases"]?[account]?.string {
            // Wikipedia has a host per language; the mock server has a path per language.
            parts.append(#"baseURL:"\#(base)\#(account == "wikipedia" ? "/{lang}" : "")""#)
        }
        return "\(account):{\(parts.joined(separator: ","))}"
    }

    /// The number of calls of a source so far.
    func calls(of source: String = "kakao.blog") throws -> Int {
        guard let sources = try? JSONDocument(exchange("GET /_sandbox/counts")).root["sources"] else {
            throw process.failure("did not report its counts")
        }
        return sources[source]?.members.reduce(0) { $0 + ($1.value.int ?? 0) } ?? 0
    }

    /// What good answers have cost so far at an account, in millionths of a dollar.
    func spent(at account: String) throws -> Int {
        (try? JSONDocument(exchange("GET /_sandbox/spent")))?.root[account]?.int ?? 0
    }

    /// Changes options of the mock server.
    func change(_ options: String) throws { _ = try exchange("POST /_sandbox/options", body: options) }

    /// Sends a request on a new connection and returns the body of the response.
    private func exchange(_ request: String, body: String = "") throws -> [UInt8] {
        let talk = try ServerConnection(port: port)
        let deadline = SystemCall.now + Self.answerMax
        let fields = "Host: 127.0.0.1\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n"
        talk.send(Array("\(request) HTTP/1.1\r\n\(fields)\r\n\(body)".utf8), until: deadline)
        let answer = talk.rest(until: deadline)
        let end = Array("\r\n\r\n".utf8)
        guard answer.starts(with: Array("HTTP/1.1 200".utf8)),
            let start = answer.indices.first(where: { answer[$0...].starts(with: end) })
        else { throw process.failure("did not answer \(request): \(String(decoding: answer, as: UTF8.self))") }
        return Array(answer[(start + end.count)...])
    }
}
