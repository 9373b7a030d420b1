import EventLoop
import JSON
import TestSupport
import Testing

@testable import Web

@Suite struct WebServerTests {
    private static func head(_ web: WebFixture, _ target: String = "/healthz") -> String {
        "GET \(target) HTTP/1.1\r\nHost: localhost:\(web.port)\r\n"
    }

    @Test func `a request may arrive in pieces, and several requests may arrive at once`() async throws {
        try await withWeb { web throws in
            let client = try RawClient(port: web.port)
            let text = Self.head(web) + "\r\n"
            for piece in [text.prefix(3), text.dropFirst(3)] { client.send(String(piece)) }
            #expect(client.receive(until: "OK\n")?.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
            client.send(text + text + Self.head(web) + "Connection: close\r\n\r\n")
            #expect(client.receive()?.components(of: "HTTP/1.1 200 OK") == 3)
        }
    }

    @Test(arguments: [
        ("GET / HTTP/2.0\r\n\r\n", 505), ("PUT / HTTP/1.1\r\n\r\n", 405), ("GET /\r\n\r\n", 400),
        ("GET  / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\nHost: a\n\n", 400), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n folded\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: \u{1}\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 421),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n", 413), ("\u{16}\u{3}\u{1}\r\n\r\n", 400),
    ])
    func `a request that is not valid is refused`(_ text: String, _ status: Int) async throws {
        try await withWeb { web throws in
            let client = try RawClient(port: web.port)
            client.send(text)
            client.finish()
            #expect(WebFixture.parsed(client.receive() ?? "").status == status)
        }
    }

    @Test func `a query may have letters without percent encoding`() async throws {
        let queries = Locked<[String?]>([])
        try await withWeb(daemon: { call in
            guard call.method == "search" else { return call.answerBasics() }
            queries.withLock { $0.append(call.params["query"]?.string) }
            call.result(FakeCall.found)
        }) { web throws in
            #expect(try web.get("/search?q=고양이&format=json").status == 200)
            #expect(try web.get("/고양이?q=cat").status == 400)
        }
        #expect(queries.withLock { $0 } == ["고양이"])
        var parser = RequestParser()
        let bytes = Array("GET /?q=".utf8) + [0xFF] + Array(" HTTP/1.1\r\n\r\n".utf8)
        // The array is valid during the call.
        unsafe bytes.withUnsafeBytes { unsafe parser.append($0) }
        #expect(throws: RequestParser.Refusal(400, "the query is not UTF-8")) { try parser.next() }
    }

    @Test func `a header with too many bytes or fields is refused`() async throws {
        try await withWeb { web throws in
            for fields in [String(repeating: "A: b\r\n", count: 70), "A: \(String(repeating: "b", count: 17_000))\r\n"]
            {
                let client = try RawClient(port: web.port)
                client.send(Self.head(web) + fields + "\r\n")
                #expect(WebFixture.parsed(client.receive() ?? "").status == 431)
            }
        }
    }

    @Test func `a body of the maximum length is read`() async throws {
        try await withWeb { web throws in
            let form = "q=" + String(repeating: "a", count: RequestParser.bodyBytesMax - 2)
            #expect(try web.send("POST", "/healthz", body: form).body == "OK\n")
        }
    }

    @Test func `HEAD gets a header without a body, and an HTTP/1.0 connection is closed afterwards`() async throws {
        try await withWeb { web throws in
            let head = try web.send("HEAD", "/healthz")
            #expect(head.field("Content-Length") == "3")
            #expect(head.body.isEmpty)
            let client = try RawClient(port: web.port)
            client.send("GET /healthz HTTP/1.0\r\nHost: localhost:\(web.port)\r\n\r\n")
            #expect(client.receive()?.hasSuffix("OK\n") == true)
        }
    }

    @Test func `a client that sends too slowly gets 408`() async throws {
        var limits = WebLimits()
        limits.request = .milliseconds(50)
        try await withWeb(limits: limits) { web throws in
            let client = try RawClient(port: web.port)
            client.send(Self.head(web))
            #expect(WebFixture.parsed(client.receive() ?? "").status == 408)
        }
    }

    @Test func `an idle connection is closed`() async throws {
        var limits = WebLimits()
        limits.idle = .milliseconds(50)
        try await withWeb(limits: limits) { web throws in
            let client = try RawClient(port: web.port)
            client.send(Self.head(web) + "\r\n")
            #expect(client.receive()?.hasSuffix("OK\n") == true)
        }
    }

    @Test func `if an address has too many connections, its oldest idle connection is closed`() async throws {
        var limits = WebLimits()
        limits.connectionsPerAddress = 4
        try await withWeb(limits: limits) { web throws in
            let slow = try (0..<8).map { _ in try RawClient(port: web.port) }
            #expect(try web.get("/healthz").status == 200)
            #expect(slow[0].receive() == "")
        }
    }

    @Test func `a connection whose request is being answered is not closed for a new connection`() async throws {
        var limits = WebLimits()
        limits.connectionsPerAddress = 2
        let calls = Locked<[FakeCall]>([])
        try await withWeb(
            limits: limits,
            daemon: { call in
                guard call.method == "search" else { return call.answerBasics() }
                calls.withLock { $0.append(call) }
            }
        ) { web throws in
            let busy = try RawClient(port: web.port)
            busy.send(Self.head(web, "/search?q=cat&format=json") + "\r\n")
            try await eventually("a search") { calls.withLock { !$0.isEmpty } }
            for _ in 0..<6 { #expect(try web.get("/healthz").status == 200) }
            calls.withLock { $0 }[0].result(FakeCall.found)
            #expect(busy.receive(until: "unresponsive_engines")?.contains("one.example") == true)
        }
    }

    @Test func `the connection of a client that does not read is closed`() async throws {
        var limits = WebLimits()
        limits.sending = .milliseconds(100)
        let data = String(repeating: "AAAA", count: 2_000_000)
        try await withWeb(
            limits: limits,
            daemon: { call in
                guard call.method == "image/get" else { return call.answerBasics() }
                call.result("{\"type\":\"image/png\",\"data\":\"\(data)\",\"bytes\":1}")
            }
        ) { web throws in
            let client = try RawClient(port: web.port)
            client.send(Self.head(web, "/image?url=https%3A%2F%2Fone.example%2F") + "\(asUser)\r\n\r\n")
            #expect(try web.get("/healthz").status == 200)
            // Other requests are answered, and the client has the beginning of its response.
            try await eventually("an answer") { (try web.get("/healthz").status) == 200 }
            #expect((client.receive(until: "HTTP/1.1 200 OK")?.utf8.count ?? 0) > 0)
        }
    }
}
