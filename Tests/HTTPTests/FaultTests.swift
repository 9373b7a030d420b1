import TestSupport
import Testing

@testable import HTTP

/// Checks the error code and `wasSent` for each fault of a server.
struct FaultTests {
    private func expect(
        _ error: FetchError?,
        _ code: FetchError.Code,
        wasSent: Bool,
        isRetryable: Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.code == code, "\(error?.message ?? "none")", sourceLocation: sourceLocation)
        #expect(error?.wasSent == wasSent, sourceLocation: sourceLocation)
        #expect(error?.isRetryable == isRetryable, sourceLocation: sourceLocation)
        #expect(error?.message.contains("secret") == false, sourceLocation: sourceLocation)
    }

    private func failure(
        _ change: (inout FetchRequest) -> Void = { _ in },
        scheme: String = "http",
        script: @escaping @Sendable (RawConnection) -> Void
    ) async throws -> FetchError? {
        let server = try RawServer(script: script)
        let url = server.url("/path?key=secret", scheme: scheme)
        var request = FetchRequest(HTTPRequest(url: url, fields: HTTPFields([("X-Key", "secret")])))
        change(&request)
        return try await withClient { [request] client in
            await client.failure(of: url) { $0 = request }
        }
    }

    @Test func `an unknown name is a DNS error`() async throws {
        let error = try await withClient { await $0.failure(of: "http://nothing.invalid/?key=secret") }
        expect(error, .dns, wasSent: false, isRetryable: true)
    }

    @Test func `a closed port is a connection error`() async throws {
        let port = try Loopback.freePorts(1)[0]
        let error = try await withClient { await $0.failure(of: "http://127.0.0.1:\(port)/?key=secret") }
        expect(error, .connect, wasSent: false, isRetryable: true)
    }

    @Test func `a server that never finishes TLS causes a connection timeout`() async throws {
        let error = try await failure(
            { $0.timeouts = FetchTimeouts(connect: .milliseconds(60), firstByte: .seconds(60), whole: .seconds(60)) },
            scheme: "https"
        ) { $0.waitForClose() }
        expect(error, .timeoutConnect, wasSent: false, isRetryable: true)
    }

    @Test func `a server without TLS causes a TLS error`() async throws {
        let error = try await failure(scheme: "https") { $0.answer() }
        expect(error, .tls, wasSent: false, isRetryable: true)
    }

    @Test func `a server that never answers causes a first-byte timeout`() async throws {
        let error = try await failure {
            $0.timeouts = FetchTimeouts(connect: .seconds(60), firstByte: .milliseconds(60), whole: .seconds(60))
        } script: {
            $0.waitForClose()
        }
        expect(error, .timeoutFirstByte, wasSent: true, isRetryable: true)
    }

    @Test func `a slow server causes a total timeout`() async throws {
        let error = try await failure {
            $0.timeouts = FetchTimeouts(connect: .seconds(60), firstByte: .seconds(60), whole: .milliseconds(120))
        } script: { connection in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            connection.drip(UInt8(ascii: "x"), everyMilliseconds: 10)
        }
        expect(error, .timeoutWhole, wasSent: true, isRetryable: true)
    }

    @Test(arguments: [false, true])
    func `a connection that ends before the first byte is an error`(isReset: Bool) async throws {
        let error = try await failure { connection in
            connection.readHead()
            if isReset { connection.reset() }
        }
        expect(error, .noResponse, wasSent: true, isRetryable: true)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfive!\r\n",
    ])
    func `an incomplete response is an error`(response: String) async throws {
        let error = try await failure { connection in
            connection.readHead()
            connection.send(response)
        }
        expect(error, .protocolError, wasSent: true, isRetryable: true)
    }

    @Test func `a reset during a body is an incomplete response`() async throws {
        let error = try await failure { connection in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!")
            connection.reset()
        }
        expect(error, .protocolError, wasSent: true, isRetryable: true)
    }

    @Test(arguments: [
        "garbage\r\n\r\n",
        "HTTP/1.1 20x OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nno field\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Encoding: gzip\r\n\r\nlies",
    ])
    func `a response that violates HTTP is a protocol error`(response: String) async throws {
        let error = try await failure { connection in
            connection.readHead()
            connection.send(response)
        }
        expect(error, .protocolError, wasSent: true, isRetryable: false)
    }

    @Test func `a broken chunk is a protocol error`() async throws {
        let error = try await failure { connection in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nlies\r\n")
        }
        #expect(error?.code == .protocolError)
    }

    /// The first size exceeds our limit for a head.
    ///
    /// The second size also exceeds libcurl's limit for a line.
    @Test(arguments: [ResponseBuffer.headBytesMax, 1 << 20])
    func `a header line that is too long gets the error tooLarge`(bytes: Int) async throws {
        let error = try await failure { connection in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nX-Long: " + String(repeating: "x", count: bytes) + "\r\n\r\n")
            connection.waitForClose()
        }
        expect(error, .tooLarge, wasSent: true, isRetryable: false)
        #expect(error?.message.contains("memory") == false)
    }

    @Test func `a status line that never ends is too large`() async throws {
        let error = try await failure { connection in
            connection.readHead()
            connection.send("HTTP/1.1 200 " + String(repeating: "x", count: 1 << 20) + "\r\n\r\n")
            connection.waitForClose()
        }
        expect(error, .tooLarge, wasSent: true, isRetryable: false)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nwho\r\n2\r\nle\r\n0\r\nX-Trailer: t\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nX-Early: yes\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nwhole",
        "HTTP/1.0 200 OK\r\n\r\nwhole",
        "HTTP/1.1 200\r\ncontent-length:5\r\n\r\nwhole and more than that",
    ])
    func `an unusual but complete response is accepted`(response: String) async throws {
        let server = try RawServer { connection in
            connection.readHead()
            connection.send(response)
        }
        let fetched = try await withClient { try await $0.get(server.url()) }
        #expect(fetched.text == "whole")
        #expect(fetched.response.fields["X-Early"] == nil)
        #expect(fetched.response.fields["X-Trailer"] == nil)
    }

    @Test func `a connection that the server has closed is replaced automatically`() async throws {
        let closed = Signals<Void>()
        let server = try RawServer { connection in
            connection.readHead()
            connection.answer()
            connection.endOutput()
            closed.send(())
            connection.waitForClose()
        }
        try await withClient { client in
            _ = try await client.get(server.url())
            await closed.next()
            let second = try await client.get(server.url())
            #expect(second.text == "ok")
            #expect(!second.metrics.reusedConnection)
        }
    }
}
