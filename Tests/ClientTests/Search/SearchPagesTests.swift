import TestSupport
import Testing

@testable import Client

/// Searches that take page after page, and what a page that fails makes of them.
struct SearchPagesTests {
    private let directory = TemporaryDirectory()

    private static let hit = #"{"id":"a.b:1","source":"a.b","title":"하나","published":"2024-03-09T00:00:00Z"}"#

    private static func error(_ kind: String, code: Int = -32005, source: String? = "a.b") -> String {
        let source = source.map { #","source":"\#($0)""# } ?? ""
        return #"{"code":\#(code),"message":"it is out","data":{"kind":"\#(kind)"\#(source)}}"#
    }

    /// A daemon with these hits on its first page, and an error or nothing at all for the second.
    private func run(_ words: [String] = ["--all"], hits: [String] = [hit], error: String?) throws -> Run {
        let daemon = try FakeDaemon(at: directory.file("socket")) { connection in
            _ = try connection.line()
            try connection.send(
                #"{"jsonrpc":"2.0","id":1,"result":{"hits":[\#(hits.joined(separator: ","))],"#
                    + #""sources":[{"source":"a.b","status":"ok"}],"next":"more","complete":true,"elapsed":1}}"#
            )
            _ = try connection.line()
            if let error { try connection.send(#"{"jsonrpc":"2.0","id":2,"error":\#(error)}"#) }
        }
        return Run(["search", "x", "-s", "a.b"] + words, in: directory, socket: daemon.path)
    }

    @Test(arguments: [
        "rateLimited", "quotaExhausted", "unavailable", "badResponse", "timeout", "unauthorized", "notConfigured",
        "overloaded",
    ])
    func `sources that fail on a later page are a warning behind what was found`(kind: String) throws {
        let run = try run(error: Self.error(kind))
        #expect(run.status == .found)
        #expect(run.lines == [Self.hit])
        #expect(run.errors == "searchctl: a.b: it is out.\n")
    }

    @Test func `with strict they are the status`() throws {
        let run = try run(["--all", "--strict"], error: Self.error("unavailable"))
        #expect(run.status == .sourceFailed)
        #expect(run.lines == [Self.hit])
    }

    @Test func `a search by date that takes pages ends the same way, and what failed may have no name`() throws {
        let run = try run(["--since", "2024", "--plain"], error: Self.error("unavailable", source: nil))
        #expect(run.status == .found)
        #expect(run.output.contains("하나"))
        #expect(run.errors == "searchctl: it is out.\n1 hit · 1.0 ms\n")
    }

    @Test(arguments: [("unavailable", 75), ("unauthorized", 77)])
    func `with nothing found before, the error has its own status`(kind: String, status: Int) throws {
        let run = try run(["--since", "2025"], error: Self.error(kind))
        #expect(Int(run.status.number) == status)
        #expect(run.errors == "searchctl: a.b: it is out.\n")
    }

    @Test(arguments: [
        ("invalidParams", -32602, 2), ("internal", -32603, 70), ("shuttingDown", -32009, 75),
        ("cancelled", -32800, 130),
    ])
    func `what is no failure of sources stays an error`(kind: String, code: Int, status: Int) throws {
        let run = try run(error: Self.error(kind, code: code))
        #expect(Int(run.status.number) == status)
        #expect(run.lines == [Self.hit])
    }

    @Test func `a daemon that goes away between pages stays an error`() throws {
        let run = try run(error: nil)
        #expect(run.status == .noDaemon)
        #expect(run.lines == [Self.hit])
    }
}
