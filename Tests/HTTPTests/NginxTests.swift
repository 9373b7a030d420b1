import HTTP
import Testing

struct NginxTests {
    private let nginx: Nginx

    init() throws {
        nginx = try Nginx.shared()
    }

    @Test func `a simple request gets its response`() async throws {
        let fetched = try await withClient { try await $0.get(nginx.plain("/small")) }
        #expect(fetched.response.status == 200)
        #expect(fetched.text == "small")
        #expect(fetched.response.fields["content-length"] == "5")
        #expect(!fetched.metrics.isHTTP2)
        #expect(!fetched.metrics.reusedConnection)
    }

    @Test func `the second request reuses the connection`() async throws {
        try await withClient { client in
            let first = try await client.get(nginx.plain("/small"))
            let second = try await client.get(nginx.plain("/small"))
            #expect(!first.metrics.reusedConnection)
            #expect(second.metrics.reusedConnection)
            #expect(first.response.fields["x-connection"] == second.response.fields["x-connection"])
        }
    }

    @Test func `the certificate of a trusted authority is accepted, and HTTP/2 is used`() async throws {
        let fetched = try await withClient {
            $0.authorities = nginx.authorities
        } _: {
            try await $0.get(nginx.secure("/small"))
        }
        #expect(fetched.text == "small")
        #expect(fetched.metrics.isHTTP2)
    }

    @Test func `the certificate of an unknown authority is refused before anything is sent`() async throws {
        let error = try await withClient { await $0.failure(of: nginx.secure("/small?key=secret")) }
        #expect(error?.code == .tls)
        #expect(error?.wasSent == false)
        #expect(error?.message.contains("secret") == false)
    }

    @Test func `a certificate for another name is refused`() async throws {
        let error = try await withClient {
            $0.authorities = nginx.authorities
        } _: {
            await $0.failure(of: nginx.secure("/small", host: "127.0.0.1"))
        }
        #expect(error?.code == .tls)
    }

    @Test func `a missing file of authorities is a TLS error`() async throws {
        let error = try await withClient {
            $0.authorities = "/nonexistent/authorities.pem"
        } _: {
            await $0.failure(of: nginx.secure("/small"))
        }
        #expect(error?.code == .tls)
    }

    @Test func `concurrent requests share one HTTP/2 connection`() async throws {
        try await withClient {
            $0.authorities = nginx.authorities
        } _: { client in
            var tasks: [FetchTask] = []
            for _ in 0..<8 { tasks.append(await client.start(FetchRequest(.init(url: nginx.secure("/text"))))) }
            var connections: Set<String?> = []
            for task in tasks { connections.insert(try await task.value.get().response.fields["x-connection"]) }
            #expect(connections.count == 1)
        }
    }

    @Test(arguments: ["gzip", "brotli"])
    func `an encoded body is decoded`(encoding: String) async throws {
        try await withClient { client in
            let plain = try await client.get(nginx.plain("/text"))
            let encoded = try await client.get(nginx.plain("/\(encoding)/text"))
            #expect(encoded.response.body == plain.response.body)
            #expect(encoded.response.fields["Content-Encoding"] == nil)
            #expect(encoded.metrics.bytesReceived < plain.metrics.bytesReceived / 4)
        }
    }

    @Test(arguments: ["gzip", "brotli"])
    func `a body that exceeds the limit when decoded is refused`(encoding: String) async throws {
        try await withClient { client in
            let url = nginx.plain("/\(encoding)/zeros")
            let whole = try await client.get(url) { $0.responseBytesMax = 1_048_576 }
            #expect(whole.response.body.count == 1_048_576)
            let error = await client.failure(of: url) { $0.responseBytesMax = 1_048_575 }
            #expect(error?.code == .tooLarge)
            #expect(error?.wasSent == true)
        }
    }

    @Test func `the size of a body is limited`() async throws {
        try await withClient { client in
            let whole = try await client.get(nginx.plain("/small")) { $0.responseBytesMax = 5 }
            #expect(whole.text == "small")
            let error = await client.failure(of: nginx.plain("/small")) { $0.responseBytesMax = 4 }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test func `the client's user agent is sent, unless the request has its own`() async throws {
        try await withClient {
            $0.userAgent = "searchd/1 (admin@example.org)"
        } _: { client in
            #expect(try await client.get(nginx.plain("/agent")).text == "searchd/1 (admin@example.org)")
            let own = try await client.get(nginx.plain("/agent")) { $0.request.fields["user-agent"] = "mine" }
            #expect(own.text == "mine")
        }
    }

    @Test func `a redirect to an allowed host is followed without keys`() async throws {
        try await withClient { client in
            let fetched = try await client.get(nginx.plain("/away/")) {
                $0.request.fields["X-Key"] = "secret"
                $0.redirects = .follow(upTo: 1) { $0.host == "localhost" }
            }
            #expect(fetched.text == "GET /request ")
        }
    }

    @Test(arguments: [("/keep/", "POST /request "), ("/other/", "GET /request ")])
    func `a redirected POST stays a POST or becomes a GET, depending on the status`(path: String, answer: String)
        async throws
    {
        let fetched = try await withClient {
            try await $0.get(nginx.plain(path)) {
                $0.request.method = "POST"
                $0.request.body = Array("body".utf8)
                $0.redirects = .follow(upTo: 1) { _ in true }
            }
        }
        #expect(fetched.text == answer)
    }
}
