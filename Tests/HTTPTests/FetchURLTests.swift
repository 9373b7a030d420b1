import Testing

@testable import HTTP

struct FetchURLTests {
    @Test(arguments: [
        ("http://example.org", "http://example.org:80"),
        ("https://Example.ORG/a?b=c#d", "https://example.org:443"),
        ("HTTPS://a-b_c.d:8443?q", "https://a-b_c.d:8443"),
        ("http://127.0.0.1:1/", "http://127.0.0.1:1"),
        ("http://[::1]:8080/x", "http://[::1]:8080"),
        ("http://[::ffff:1.2.3.4]", "http://[::ffff:1.2.3.4]:80"),
        ("http://host:65535#f", "http://host:65535"),
    ])
    func `a valid URL has the expected origin`(text: String, origin: String) throws {
        let url = try FetchURL(text)
        #expect(url.text == text)
        #expect(url.origin.description == origin)
    }

    @Test(arguments: [
        "", "example.org", "ftp://example.org/", "file:///etc/passwd", "http:/example.org", "http://", "http:///path",
        "http://user@example.org/", "http://user:password@example.org/", "http://a\\@b/", "http://exa%6dple.org/",
        "http://example.org:/", "http://example.org:0/", "http://example.org:65536/", "http://example.org:+80/",
        "http://[::1/", "http://[]/", "http://::1/", "http://고양이.kr/", "http://example.org/고양이",
        "http://example.org/a b", "http://example.org/\r\nX: y", "http://example.org;a/", "http://a,b/",
    ])
    func `URLs that are ambiguous, malformed or not http(s) are refused`(text: String) {
        let error = #expect(throws: FetchError.self) { try FetchURL(text) }
        #expect(error?.code == .invalidURL)
    }

    @Test func `the length of a URL is limited`() throws {
        let longest = "http://h/" + String(repeating: "a", count: FetchURL.bytesMax - 9)
        #expect(try FetchURL(longest).text.utf8.count == FetchURL.bytesMax)
        #expect(throws: FetchError.self) { try FetchURL(longest + "a") }
    }

    @Test func `the length of a host is limited`() throws {
        let longest = String(repeating: "a", count: FetchURL.hostBytesMax)
        #expect(try FetchURL("http://\(longest)/").origin.host == longest)
        #expect(throws: FetchError.self) { try FetchURL("http://\(longest)a/") }
    }
}
