import HTTP
import TestSupport
import Testing

@testable import Sandbox

@Suite struct HTTPRequestParserTests {
    static let stream = """
        GET /a?b=%20 HTTP/1.1\r
        Host: x\r
        Accept:  */* \r
        \r
        POST /_sandbox/options HTTP/1.1\r
        content-length: 5\r
        Connection: close\r
        \r
        12345
        GET /c HTTP/1.0
        X: \u{AC00}


        GET http://host:80/d?e HTTP/1.1\r
        \r

        """

    static let messages = [
        HTTPRequestParser.Message(
            request: HTTPRequest(url: "/a?b=%20", fields: HTTPFields([("Host", "x"), ("Accept", "*/*")])),
            keepsAlive: true
        ),
        HTTPRequestParser.Message(
            request: HTTPRequest(
                method: "POST",
                url: "/_sandbox/options",
                fields: HTTPFields([("content-length", "5"), ("Connection", "close")]),
                body: Array("12345".utf8)
            ),
            keepsAlive: false
        ),
        HTTPRequestParser.Message(
            request: HTTPRequest(url: "/c", fields: HTTPFields([("X", "\u{AC00}")])),
            keepsAlive: false
        ),
        HTTPRequestParser.Message(request: HTTPRequest(url: "/d?e"), keepsAlive: true),
    ]

    func parse(_ pieces: [ArraySlice<UInt8>]) throws -> [HTTPRequestParser.Message] {
        var parser = HTTPRequestParser()
        var found: [HTTPRequestParser.Message] = []
        for piece in pieces {
            parser.append(piece)
            while let message = try parser.next() { found.append(message) }
        }
        return found
    }

    @Test func `requests are found whole, byte by byte, and in any pieces`() throws {
        let bytes = Array(Self.stream.utf8)
        #expect(try parse([bytes[...]]) == Self.messages)
        #expect(try parse(bytes.indices.map { bytes[$0...$0] }) == Self.messages)
        var generator = SeededGenerator(seed: testSeed())
        for _ in 0..<200 {
            var pieces: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...40, using: &generator)
                pieces.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(try parse(pieces) == Self.messages)
        }
    }

    @Test(arguments: [
        ("GET\r\n\r\n", 400), ("GET / HTTP/1.1 x\r\n\r\n", 400), ("GET nowhere HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\n\r\n", 505), ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n: x\r\n\r\n", 400), ("POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
    ])
    func `what is no request is refused with its status`(text: String, status: Int) {
        #expect(throws: HTTPRequestParser.Failure.self) { try parse([Array(text.utf8)[...]]) }
        do {
            _ = try parse([Array(text.utf8)[...]])
        } catch {
            #expect((error as? HTTPRequestParser.Failure)?.status == status)
        }
    }

    func status(_ text: String) -> Int? {
        do {
            _ = try parse([Array(text.utf8)[...]])
            return nil
        } catch {
            return (error as? HTTPRequestParser.Failure)?.status
        }
    }

    @Test func `each limit holds, and one past it does not`() {
        let frame = "GET / HTTP/1.1\r\nX: \r\n\r\n".utf8.count
        func head(_ bytes: Int) -> String {
            "GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: bytes - frame))\r\n\r\n"
        }
        #expect(status(head(HTTPRequestParser.headBytesMax)) == nil)
        #expect(status(head(HTTPRequestParser.headBytesMax + 1)) == 431)
        // Without its end, as soon as it is too long.
        #expect(status(String(repeating: "a", count: HTTPRequestParser.headBytesMax + 1)) == 431)
        func fields(_ count: Int) -> String {
            "GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: count) + "\r\n"
        }
        #expect(status(fields(HTTPRequestParser.fieldsMax)) == nil)
        #expect(status(fields(HTTPRequestParser.fieldsMax + 1)) == 431)
        func body(_ count: Int) -> String { "POST / HTTP/1.1\r\nContent-Length: \(count)\r\n\r\n" }
        #expect(status(body(HTTPRequestParser.bodyBytesMax)) == nil)
        #expect(status(body(HTTPRequestParser.bodyBytesMax + 1)) == 413)
    }

    @Test func `a TLS greeting is known as one, and a full parser says so`() {
        var parser = HTTPRequestParser()
        parser.append([0x16, 0x03, 0x01])
        #expect(parser.isTLS)
        #expect(parser.hasRoom)
        parser.append([UInt8](repeating: 0, count: HTTPRequestParser.headBytesMax + HTTPRequestParser.bodyBytesMax))
        #expect(!parser.hasRoom)
    }

    @Test func `parameters are decoded, and broken ones noticed`() {
        let parameters = Parameters("a=1&b=x+y%20z&c&a=2&=e")
        #expect(parameters["a"] == "1" && parameters["b"] == "x y z" && parameters["c"] == "" && parameters["d"] == nil)
        #expect(!parameters.isMalformed)
        #expect(Parameters("a=%FF").isMalformed && Parameters("a=%2").isMalformed)
    }

    @Test(arguments: [
        ("/kakao/v2/search/blog", Upstream.kakao, "/v2/search/blog"), ("/v2/search/blog", .kakao, "/v2/search/blog"),
        ("/v1/search/blog.json", .naver, "/v1/search/blog.json"), ("/search/v1/blog", .naverhub, "/search/v1/blog"),
        ("/naverhub/search/v1/blog", .naverhub, "/search/v1/blog"), ("/search", .itunes, "/search"),
        ("/itunes/lookup", .itunes, "/lookup"), ("/search.json", .openlibrary, "/search.json"),
        ("/wikipedia/w/api.php", .wikipedia, "/w/api.php"), ("/wikipedia/ja/w/api.php", .wikipedia, "/w/api.php"),
        ("/api/v1/search", .hackernews, "/api/v1/search"), ("/google/books/v1/volumes", .google, "/books/v1/volumes"),
    ])
    func `a path finds its upstream with and without prefix`(path: String, upstream: Upstream, rest: String) {
        let endpoint = Endpoint(path: path[...])
        #expect(endpoint?.upstream == upstream)
        #expect(endpoint?.path == rest)
        #expect(endpoint?.language == (path.contains("/ja/") ? "ja" : "en"))
    }
}
