import JSON
import Testing

@testable import Daemon

/// Sends requests with long texts of Unicode characters or escapes that are slow to process.
///
/// A slow step of the event loop fails the test, because debug builds check the duration of each step.
@Suite struct SlowTextTests {
    private static let kinds: [(name: String, unit: String)] = [
        ("combining marks", "\u{0301}\u{0316}"), ("conjoining jamo", "\u{1100}\u{1161}\u{11A8}"),
        ("escapes", "\\u0301\\u0316"),
    ]

    private static let lines: [(before: String, after: String, kind: String)] = [
        ("\"method\":\"", "\"}", "methodNotFound"),
        ("\"method\":\"search\",\"params\":{\"query\":\"", "\"}}", "invalidParams"),
        ("\"method\":\"search\",\"params\":{\"query\":\"a\",\"sort\":\"", "\"}}", "invalidParams"),
        ("\"method\":\"search\",\"params\":{\"query\":\"a\",\"cursor\":\"", "\"}}", "invalidParams"),
        ("\"method\":\"search\",\"params\":{\"query\":\"a\",\"channel\":\"", "\"}}", "invalidParams"),
        ("\"method\":\"search\",\"params\":{\"query\":\"a\",\"priority\":\"", "\"}}", "invalidParams"),
        ("\"method\":\"search\",\"params\":{\"query\":\"a\",\"sources\":[\"", "\"]}}", "invalidParams"),
        ("\"method\":\"search\",\"params\":{\"query\":\"a\",\"sources\":[\"*", "\"]}}", "invalidParams"),
        ("\"method\":\"search\",\"params\":{\"query\":\"a\",\"kinds\":[\"", "\"]}}", "invalidParams"),
        ("\"method\":\"search\",\"params\":{\"query\":\"a\",\"options\":{\"", "\":{}}}}", "invalidParams"),
        (
            "\"method\":\"search\",\"params\":{\"query\":\"a\",\"options\":{\"kakao.blog\":{\"", "\":1}}}}",
            "invalidParams"
        ),
        ("\"method\":\"search\",\"params\":{\"query\":\"a\",\"", "\":1}}", "invalidParams"),
        ("\"method\":\"server/hello\",\"params\":{\"client\":\"", "\"}}", "invalidParams"),
        ("\"method\":\"server/ping\",\"params\":{\"", "\":1}}", "invalidParams"),
        ("\"method\":\"cache/clear\",\"params\":{\"source\":\"", "\"}}", "invalidParams"),
        ("\"method\":\"cache/clear\",\"params\":{\"query\":\"", "\"}}", "invalidParams"),
        ("\"method\":\"no/such\",\"meta\":\"", "\"}", "methodNotFound"),
        ("\"method\":\"no/such\",\"", "\":1}", "methodNotFound"),
    ]

    @Test(arguments: kinds.indices)
    func `a request with 1 MiB of text that is slow to process is refused quickly`(kind: Int) async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            for (number, line) in Self.lines.enumerated() {
                let head = "{\"jsonrpc\":\"2.0\",\"id\":\(number),"
                try client.send(head + line.before + Self.text(kind, head.utf8.count + 100) + line.after + "\n")
                let answer = try client.message()
                #expect(answer.errorKind == line.kind, "\(Self.kinds[kind].name) in \(line.before)")
                #expect(answer["id"]?.int == number)
                try daemon.bystander.check()
            }
        }
    }

    private static func text(_ kind: Int, _ others: Int) -> String {
        let unit = kinds[kind].unit
        return String(repeating: unit, count: ((1 << 20) - others - 100) / unit.utf8.count)
    }
}
