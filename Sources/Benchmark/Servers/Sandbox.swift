import Catalogue
import EventLoop
import JSON

/// A running `searchd-sandbox`, the mock server for the sources.
final class Sandbox {
    static let accounts = ["google", "hackernews", "itunes", "kakao", "naver", "openlibrary", "wikipedia"]
    private static let answerMax: Int64 = 10_000_000_000
    private let process: ChildProcess
    private let port: UInt16
    private let keys: [String: String]
    private let bases: [String: String]

    init(_ program: String, log: String) throws {
        let command = Command(program: program, arguments: ["--port", "0", "--print-port", "--unlimited"])
        process = try ChildProcess(command, log: log, capturesOutput: true)
        guard let line = try process.line(), let ready = try? JSONDocument(line).root,
            let port = ready["port"]?.int.flatMap({ UInt16(exactly: $0) }), let keys = ready["keys"],
            let kakao = keys["kakao"]?[0]?.string, let google = keys["google"]?[0]?.string,
            let paid = keys["paid"]?[0]?.string, let naver = keys["naver"]?[0], let id = naver["id"]?.string,
            let secret = naver["secret"]?.string
        else { throw process.failure("did not print its port and keys") }
        self.port = port
        let paidKeys = PriceGate.accounts.map { ($0, #"key:{value:"\#(paid)"},"#) }
        self.keys = [
            "kakao": #"key:{value:"\#(kakao)"},"#, "google": #"key:{value:"\#(google)"},"#,
            "naver": #"id:{value:"\#(id)"},secret:{value:"\#(secret)"},"#,
        ].merging(paidKeys) { first, _ in first }
        // Wikipedia has one host per language, but the mock server has one path per language.
        bases = (Self.accounts + PriceGate.accounts).reduce(into: [:]) { bases, name in
            bases[name] = ready["bases"]?[name]?.string.map { $0 + (name == "wikipedia" ? "/{lang}" : "") }
        }
    }

    func accounts(_ names: [String], _ others: [String: String], _ members: [String: String]) -> String {
        names.map { name in
            let base = others[name] ?? bases[name] ?? ""
            return #"\#(name):{\#(keys[name] ?? "")\#(members[name] ?? "")baseURL:"\#(base)"}"#
        }.joined(separator: ",")
    }

    func requests() throws -> Int {
        let body = try exchange("GET /_sandbox/counts", body: "")
        guard let count = try? JSONDocument(body).root["requests"]?.int else {
            throw process.failure("did not report its counts")
        }
        return count
    }

    /// Returns the amount that each account has spent, in millionths of a dollar.
    func spent() throws -> [String: Int] {
        let members = (try? JSONDocument(try exchange("GET /_sandbox/spent", body: "")))?.root.value.members ?? []
        return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value.int ?? 0) })
    }

    func change(_ options: String) throws { _ = try exchange("POST /_sandbox/options", body: options) }

    private func exchange(_ request: String, body: String) throws -> [UInt8] {
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

/// Configures accounts with an address where no server listens.
package enum ClosedAccounts {
    package static func members(except names: [String] = []) -> String {
        Set(Catalogue.builtIn().sources.values.map(\.account)).subtracting(names).sorted()
            .map { #""\#($0)":{baseURL:"http://127.0.0.1:9"}"# }.joined(separator: ",")
    }
}
