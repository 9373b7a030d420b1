import EventLoop
import HTTP
import TestSupport
import Testing

struct RequestTests {
    private func heads(of request: FetchRequest) async throws -> (head: String, body: String) {
        let seen = Signals<(String, String)>()
        let server = try RawServer { connection in
            let head = connection.readHead()
            let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }?.dropFirst(16)
            let body = connection.read(length.flatMap { Int($0) } ?? 0)
            seen.send((head, String(decoding: body, as: UTF8.self)))
            connection.answer()
        }
        var request = request
        if !request.request.url.hasPrefix("http") { request.request.url = server.url(request.request.url) }
        _ = try await withClient { [request] client in try await client.fetch(request) }
        return try #require(await seen.next())
    }

    @Test func `a GET has the fields of the caller, a user agent and encodings, but no cookies`() async throws {
        let fields = HTTPFields([("Accept", "application/json"), ("X-Empty", ""), ("X-Key", "k: v")])
        let head = try await heads(of: FetchRequest(HTTPRequest(url: "/a?b=%20c", fields: fields))).head
        let lines = Set(head.split(separator: "\r\n").map(String.init))
        #expect(lines.contains("GET /a?b=%20c HTTP/1.1"))
        #expect(lines.isSuperset(of: ["Accept: application/json", "X-Key: k: v", "User-Agent: searchd-tests"]))
        #expect(lines.contains("X-Empty:"))
        #expect(!head.contains("Cookie") && !head.contains("Authorization"))
        let encodings = lines.first { $0.hasPrefix("Accept-Encoding: ") }
        #expect(encodings?.contains("gzip") == true && encodings?.contains("br") == true)
    }

    @Test func `a POST sends its body unchanged, and adds no content type`() async throws {
        let body = String(repeating: "고양이\n", count: 200_000 / 10)
        let request = HTTPRequest(method: "POST", url: "/", body: Array(body.utf8))
        let seen = try await heads(of: FetchRequest(request))
        #expect(seen.head.hasPrefix("POST / HTTP/1.1\r\n"))
        #expect(seen.body == body)
        #expect(!seen.head.contains("Content-Type") && !seen.head.contains("Expect"))
    }

    @Test func `an empty POST has a content length of zero`() async throws {
        let seen = try await heads(of: FetchRequest(HTTPRequest(method: "POST", url: "/")))
        #expect(seen.head.contains("Content-Length: 0\r\n"))
    }

    @Test(arguments: ["GET", "POST"])
    func `a request is independent of the previous request`(method: String) async throws {
        let seen = Signals<String>()
        let server = try RawServer { connection in
            seen.send(connection.readHead())
            connection.answer()
        }
        try await withClient { client in
            let fields = HTTPFields([("X-Key", "k")])
            let first = HTTPRequest(method: method, url: server.url("/1"), fields: fields)
            _ = try await client.fetch(FetchRequest(first))
            _ = try await client.fetch(FetchRequest(HTTPRequest(url: server.url("/2"))))
        }
        #expect(try #require(await seen.next()).hasPrefix("\(method) /1 HTTP/1.1\r\n"))
        let head = try #require(await seen.next())
        #expect(head.hasPrefix("GET /2 HTTP/1.1\r\n"))
        #expect(!head.contains("X-Key") && !head.contains("Content-"))
    }

    @Test func `no connection to a refused address is opened`() async throws {
        let server = try RawServer { $0.answer() }
        try await withClient { client in
            for host in ["127.0.0.1", "localhost"] {
                let url = "http://\(host):\(server.port)/"
                let error = await client.failure(of: url) { $0.addresses = .publicOnly }
                #expect(error?.code == .addressRefused)
                #expect(error?.wasSent == false)
            }
        }
    }

    @Test func `the policy gets the address and the port`() async throws {
        let server = try RawServer { connection in
            connection.readHead()
            connection.answer()
        }
        let asked = Locked<[PeerAddress]>([])
        _ = try await withClient {
            try await $0.get(server.url()) {
                $0.addresses = AddressPolicy { address in
                    asked.withLock { $0.append(address) }
                    return true
                }
            }
        }
        let expected = PeerAddress(bytes: [127, 0, 0, 1], port: server.port)
        #expect(asked.withLock { $0 } == [expected, expected])
    }

    @Test func `the address of a reused connection is checked again`() async throws {
        let seen = Signals<String>()
        let server = try RawServer { connection in
            seen.send(connection.readHead())
            connection.answer()
            seen.send(connection.readHead())
        }
        try await withClient { client in
            _ = try await client.get(server.url())
            let error = await client.failure(of: server.url("/strict")) { $0.addresses = .publicOnly }
            #expect(error?.code == .addressRefused)
            #expect(error?.wasSent == false)
            #expect(await seen.next()?.hasPrefix("GET / ") == true)
            #expect(await seen.next() == "")
        }
    }

    @Test func `willSend is called once, before the first byte is sent`() async throws {
        let events = Signals<String>()
        let server = try RawServer { connection in
            events.send("received")
            connection.readHead()
            connection.answer()
        }
        try await withClient { client in
            _ = try await client.get(server.url()) { $0.willSend = { events.send("sending") } }
            _ = try await client.get(server.url()) { $0.willSend = { events.send("sending") } }
        }
        var seen: [String] = []
        for _ in 0..<2 { seen.append(try #require(await events.next())) }
        #expect(Set(seen) == ["received", "sending"])
    }

    @Test func `willSend is not called if nothing can be sent`() async throws {
        let callCount = Locked(0)
        let port = try Loopback.freePorts(1)[0]
        let error = try await withClient {
            await $0.failure(of: "http://127.0.0.1:\(port)/") { $0.willSend = { callCount.withLock { $0 += 1 } } }
        }
        #expect(error?.code == .connect)
        #expect(callCount.withLock { $0 } == 0)
    }

    @Test func `willSend is called once for several redirects`() async throws {
        let callCount = Locked(0)
        let server = try RawServer { connection in
            while connection.readHead().hasPrefix("GET /1") {
                connection.answer(status: "302 Found", fields: "Location: /2\r\n")
            }
            connection.answer()
        }
        let fetched = try await withClient {
            try await $0.get(server.url("/1")) {
                $0.redirects = .follow(upTo: 1) { _ in true }
                $0.willSend = { callCount.withLock { $0 += 1 } }
            }
        }
        #expect(fetched.text == "ok")
        #expect(callCount.withLock { $0 } == 1)
    }
}
