import EventLoop
import Glibc
import HTTP
import JSON
import Testing

@testable import Sandbox

/// Over real sockets; the server runs on a loop with a thread of its own.
@Suite struct SandboxServerTests {
    /// Runs a test against a server that is stopped afterwards.
    func visiting(
        _ options: SandboxOptions = SandboxOptions(),
        connectionsMax: Int = SandboxServer.connectionsMax,
        _ body: (SandboxServer) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        let thread = try loop.startThread(named: "sandbox")
        let server = try await SandboxServer.start(on: loop, options: options, connectionsMax: connectionsMax)
        do {
            try await body(server)
        } catch {
            await server.stop()
            loop.stop()
            thread.join()
            throw error
        }
        await server.stop()
        loop.stop()
        thread.join()
    }

    static let key = SandboxKeys().kakao[0]

    func request(_ target: String, method: String = "GET", _ more: String = "") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: x\r\nAuthorization: KakaoAK \(Self.key)\r\n\(more)\r\n"
    }

    func faulty(_ name: String, _ change: (inout FaultRule) -> Void = { _ in }) -> SandboxOptions {
        var options = SandboxOptions()
        var rule = FaultRule(source: "kakao.blog", name: name)
        change(&rule)
        options.faults = [rule]
        return options
    }

    @Test func `requests on one connection are answered in order, also when sent together`() async throws {
        try await visiting { server in
            let visitor = try Visitor(port: server.port)
            visitor.say((1...3).map { request("/v2/search/blog?query=cat&size=1&page=\($0)") }.joined())
            visitor.finish()
            let text = try #require(visitor.hear())
            #expect(text.components(of: "HTTP/1.1 200 OK\r\n") == 3)
            var asker = Asker.kakao()
            asker.responder.options.base = server.base
            let bodies = (1...3).map { asker.get("/v2/search/blog?query=cat&size=1&page=\($0)").text }
            let offsets = bodies.map { text.ranges(of: $0).first?.lowerBound }
            #expect(offsets.allSatisfy { $0 != nil })
            #expect(offsets.compactMap(\.self) == offsets.compactMap(\.self).sorted())
            #expect(await server.counts.requests(to: "kakao.blog", status: 200) == 3)
        }
    }

    @Test func `a request may come a byte at a time, and a HEAD gets no body`() async throws {
        try await visiting { server in
            let visitor = try Visitor(port: server.port)
            for letter in request("/v2/search/blog?query=cat", method: "HEAD", "Connection: close\r\n") {
                visitor.say(String(letter))
            }
            let text = try #require(visitor.hear())
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text.hasSuffix("Connection: close\r\n\r\n"))
        }
    }

    @Test func `what is not HTTP gets its status and the end of the connection`() async throws {
        try await visiting { server in
            let visitor = try Visitor(port: server.port)
            visitor.say("HELLO\r\n\r\n")
            #expect(visitor.hear()?.hasPrefix("HTTP/1.1 400 Bad Request\r\n") == true)
            let long = try Visitor(port: server.port)
            long.say("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: HTTPRequestParser.headBytesMax))")
            #expect(long.hear()?.hasPrefix("HTTP/1.1 431 ") == true)
        }
    }

    @Test func `a TLS greeting gets an alert`() async throws {
        try await visiting { server in
            let visitor = try Visitor(port: server.port)
            visitor.say("\u{16}\u{3}\u{1}")
            #expect(visitor.hear() == "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}(")
        }
    }

    @Test func `options are changed and counts shown while it runs`() async throws {
        try await visiting { server in
            let visitor = try Visitor(port: server.port)
            let body = #"{"faults":[{"source":"kakao.*","name":"maintenance","times":1}]}"#
            visitor.say(request("/_sandbox/options", method: "POST", "Content-Length: \(body.utf8.count)\r\n") + body)
            visitor.say(request("/v2/search/blog?query=cat&size=1"))
            visitor.say(request("/v2/search/blog?query=cat&size=1"))
            visitor.say(request("/_sandbox/counts"))
            visitor.finish()
            let text = try #require(visitor.hear())
            #expect(text.components(of: "HTTP/1.1 200 OK\r\n") == 3)
            #expect(text.components(of: "HTTP/1.1 503 Service Unavailable\r\n") == 1)
            #expect(text.contains("\"maintenance\": 1"))
            await server.change { $0.faults = [FaultRule(source: "*", name: "emptyBody")] }
            #expect(await server.options.faults.count == 1)
            await server.reset()
            #expect(await server.counts.requests() == 0)
        }
    }

    @Test func `a cut answer ends early, a lying one elsewhere than it says`() async throws {
        try await visiting(faulty("cut") { $0.bytes = 10 }) { server in
            let visitor = try Visitor(port: server.port)
            visitor.say(request("/v2/search/blog?query=cat"))
            #expect(visitor.hear()?.hasSuffix("\r\n\r\n{\"document") == true)
        }
        try await visiting(faulty("longLength") { $0.bytes = 5 }) { server in
            let visitor = try Visitor(port: server.port)
            visitor.say(request("/v2/search/blog?query=zxqvkjw"))
            let text = try #require(visitor.hear())
            let body = #"{"documents":[],"meta":{"is_end":true,"pageable_count":0,"total_count":0}}"#
            #expect(text.hasSuffix("\r\n\r\n\(body)"))
            #expect(text.contains("Content-Length: \(body.utf8.count + 5)\r\n"))
        }
        try await visiting(faulty("refuse")) { server in
            let visitor = try Visitor(port: server.port)
            visitor.say(request("/v2/search/blog?query=cat"))
            #expect(visitor.hear() == "")
        }
    }

    @Test func `a slow answer comes whole, and the next one after it`() async throws {
        try await visiting(
            faulty("drip") {
                $0.bytes = 20
                $0.milliseconds = 1
                $0.times = 1
            }
        ) { server in
            let visitor = try Visitor(port: server.port)
            let request = request("/v2/search/blog?query=zxqvkjw")
            visitor.say(request + request)
            visitor.finish()
            let text = try #require(visitor.hear())
            #expect(text.components(of: #""total_count":0}}"#) == 2)
        }
    }

    @Test func `one who hangs does not hold up another, and is let go when it leaves`() async throws {
        var options = faulty("hang")
        options.faults.append(FaultRule(source: "kakao.cafe", name: "stall"))
        try await visiting(options) { server in
            let hanging = try Visitor(port: server.port)
            hanging.say(request("/v2/search/blog?query=cat"))
            let stalled = try Visitor(port: server.port)
            stalled.say(request("/v2/search/cafe?query=cat"))
            let head = try #require(stalled.hear(until: "\r\n\r\n{\"documents\""))
            #expect(head.hasPrefix("HTTP/1.1 200 OK"))
            let other = try Visitor(port: server.port)
            other.say(request("/v2/search/web?query=zxqvkjw"))
            #expect(other.hear(until: #""total_count":0}}"#) != nil)
            hanging.finish()
            #expect(hanging.hear() == "")
        }
    }

    @Test func `a picture's address in an answer leads to the picture`() async throws {
        try await visiting { server in
            let visitor = try Visitor(port: server.port)
            visitor.say(request("/v2/search/image?query=cat&size=1", "Connection: close\r\n"))
            let text = try #require(visitor.hear())
            let address = try #require(text.split(separator: "\"image_url\":\"").last?.split(separator: "\"").first)
            #expect(address.hasPrefix(server.base))
            let second = try Visitor(port: server.port)
            second.say(request(String(address.dropFirst(server.base.count)), method: "HEAD", "Connection: close\r\n"))
            #expect(second.hear()?.contains("Content-Type: image/png\r\n") == true)
        }
    }

    @Test func `a port in use is refused with its error`() async throws {
        try await visiting { server in
            let port = server.port
            await #expect(throws: SystemError(call: "bind to port \(port)", number: EADDRINUSE)) {
                try await SandboxServer.start(on: server.loop, port: port)
            }
        }
    }

    @Test func `one connection more than there may be waits until another leaves`() async throws {
        try await visiting(connectionsMax: 2) { server in
            let first = try Visitor(port: server.port)
            let second = try Visitor(port: server.port)
            for visitor in [first, second] {
                visitor.say(request("/v2/search/blog?query=zxqvkjw"))
                #expect(visitor.hear(until: #""total_count":0}}"#) != nil)
            }
            let third = try Visitor(port: server.port)
            third.say(request("/v2/search/blog?query=zxqvkjw"))
            // Whatever the loop does for the second, it has had time for the third.
            second.say(request("/v2/search/blog?query=zxqvkjw"))
            #expect(second.hear(until: #""total_count":0}}"#) != nil)
            #expect(await server.counts.requests() == 3)
            first.finish()
            #expect(first.hear() == "")
            #expect(third.hear(until: #""total_count":0}}"#) != nil)
        }
    }

    @Test func `a client that pipelines a thousand requests without reading is answered in full`() async throws {
        try await visiting { server in
            let visitor = try Visitor(port: server.port)
            for _ in 0..<1_000 { visitor.say(request("/v2/search/blog?query=zxqvkjw")) }
            visitor.finish()
            let text = try #require(visitor.hear())
            #expect(text.components(of: "HTTP/1.1 200 OK\r\n") == 1_000)
        }
    }
}
