import EventLoop
import TestSupport
import Testing

@testable import HTTP

@Suite struct ServerTests {
    /// Answers each request with its path.
    ///
    /// Never answers `/hang`.
    private struct Handler: HTTPHandler {
        func respond(to request: HTTPRequest, at instant: Int64) -> HTTPAnswer {
            var answer = HTTPAnswer(.of(200, "text/plain", Array(request.url.utf8) + request.body))
            if request.url == "/hang" { answer.manner = .hang }
            if request.url == "/cut" { answer.manner = .cut(after: 2) }
            return answer
        }
    }

    private func withServer(connectionsMax: Int = 100, _ body: (UInt16) throws -> Void) async throws {
        try await withLoop("server") { loop in
            let server = try HTTPServer(on: loop, port: 0, connectionsMax: connectionsMax, handler: Handler())
            try await server.listen()
            let outcome = Result { try body(server.port) }
            await server.stop()
            try outcome.get()
        }
    }

    private func request(_ target: String, method: String = "GET", _ more: String = "") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: x\r\n\(more)\r\n"
    }

    @Test func `requests on one connection are answered in order, and a HEAD gets no body`() async throws {
        try await withServer { port in
            let client = try RawClient(port: port)
            for letter in request("/head", method: "HEAD") { client.send(String(letter)) }
            for number in 0..<500 { client.send(request("/\(number)", method: "POST", "Content-Length: 1\r\n") + "x") }
            client.finish()
            let answers = try #require(client.receive()).split(separator: "HTTP/1.1 200 OK\r\n")
            #expect(answers.count == 501 && answers[0].hasSuffix("\r\n\r\n"))
            #expect(answers.dropFirst().enumerated().allSatisfy { $0.element.hasSuffix("\r\n\r\n/\($0.offset)x") })
        }
    }

    @Test(arguments: [
        ("HELLO\r\n\r\n", "HTTP/1.1 400 "), ("GET / HTTP/2.0\r\n\r\n", "HTTP/1.1 505 "),
        ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: HTTPRequestParser.headBytesMax))", "HTTP/1.1 431 "),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 501 "),
        ("POST / HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n", "HTTP/1.1 413 "),
        ("\u{16}\u{3}\u{1}", "\u{15}\u{3}\u{1}"),
    ])
    func `invalid HTTP gets an error status, and TLS gets an alert`(text: String, start: String) async throws {
        try await withServer { port in
            let client = try RawClient(port: port)
            client.send(text)
            #expect(client.receive()?.hasPrefix(start) == true)
        }
    }

    @Test func `a hanging client does not block other clients, and a connection over the limit waits`() async throws {
        try await withServer(connectionsMax: 2) { port in
            let hanging = try RawClient(port: port)
            hanging.send(request("/hang"))
            let cut = try RawClient(port: port)
            cut.send(request("/cut"))
            let third = try RawClient(port: port)
            third.send(request("/third"))
            #expect(cut.receive()?.hasSuffix("\r\n\r\n/c") == true)
            #expect(third.receive(until: "/third") != nil)
            hanging.finish()
            #expect(hanging.receive() == "")
        }
    }
}
