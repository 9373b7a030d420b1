import JSON
import TestSupport
import Testing

@testable import Catalogue

struct WebAddressTests {
    @Test(arguments: [
        ("https://example.org", "https://example.org"), (" http://example.org/a?b=c#d\n", "http://example.org/a?b=c#d"),
        ("HTTPS://Example.org/A", "HTTPS://Example.org/A"), ("https://example.org:8443/", "https://example.org:8443/"),
        ("https://example.org/고양이 사진", "https://example.org/%EA%B3%A0%EC%96%91%EC%9D%B4%20%EC%82%AC%EC%A7%84"),
        ("https://example.org/<b>|\"", "https://example.org/%3Cb%3E%7C%22"),
        ("https://[2001:db8::1]:80/x", "https://[2001:db8::1]:80/x"), ("https://한글.kr/x", "https://한글.kr/x"),
        ("https://example.org/a@b", "https://example.org/a@b"),
    ])
    func `web addresses are accepted`(_ written: String, _ expected: String) {
        #expect(WebAddress(written)?.text == expected)
    }

    @Test(arguments: [
        "", "example.org", "//example.org", "ftp://example.org/x", "javascript:alert(1)", "https://", "https:///x",
        "http:/x",
        "https://user:pass@example.org/", "https://user@example.org", "https://exa\u{0}mple.org",
        "https://example.org/\u{7F}",
        "https://example.org/a\nb", "https://exa mple.org/", "https://example.org:port/", "https://example.org:123456/",
        "https://ex%61mple.org/", "https://example.org\\@evil.org/", "https://exa\u{202E}mple.org/", "https://[::1/x",
        "data:text/html,x", "https://example.org/\u{202E}gnp",
    ])
    func `texts that are not web addresses are rejected`(_ written: String) {
        #expect(WebAddress(written) == nil)
    }

    @Test func `addresses are limited to 4,096 bytes`() {
        let start = "https://example.org/"
        #expect(WebAddress(start + String(repeating: "a", count: 4096 - start.utf8.count)) != nil)
        #expect(WebAddress(start + String(repeating: "a", count: 4097 - start.utf8.count)) == nil)
    }
}

struct URLBytesTests {
    @Test func `bytes not allowed in a URL are percent-encoded`() {
        for byte in UInt8(0x21)...0x7E {
            let sign = String(UnicodeScalar(byte))
            let isHeld = !"\"<>\\^`{|}".utf8.contains(byte)
            let expected = isHeld ? sign : PercentEncoding.encode(sign)
            #expect(WebAddress("https://a.b/x\(sign)y")?.text == "https://a.b/x\(expected)y", "\(sign)")
        }
    }
}

struct CanonicalURLTests {
    private func slowHost(_ written: String) -> String {
        var host = Substring(written)
        for port in [":80", ":443"] where host.hasSuffix(port) { host = host.dropLast(port.count) }
        for prefix in ["www.", "m.", "mobile."]
        where host.lowercased().hasPrefix(prefix) && host.dropFirst(prefix.count).contains(".") {
            host = host.dropFirst(prefix.count)
        }
        let lowered = host.lowercased()
        let mobile = ".m.wikipedia.org"
        return lowered.hasSuffix(mobile) ? lowered.dropLast(mobile.count) + ".wikipedia.org" : lowered
    }

    @Test func `a canonical URL has the same host as a slow reference implementation`() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "www.", "WWW.", "m.", "M.", "mobile.", "Mobile.", "wwwm.", "me", "a", "Z", "example.", "com", "ko",
            ".m.wikipedia.org",
            ".M.Wikipedia.ORG", ".wikipedia.org", ":80", ":443", ":8080", ":", ".", "-", "@", "[", "`", "{", "0",
        ]
        for _ in 0..<5_000 {
            let host = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            .joined()
            #expect(CanonicalURL.text(of: "https://\(host)/a") == slowHost(host) + "/a", "\(host), seed \(seed)")
        }
    }

    @Test(arguments: [
        ("https://www.Example.org/a/", "example.org/a"), ("http://example.org:80/a", "example.org/a"),
        ("https://m.example.org/a#top", "example.org/a"), ("https://example.org", "example.org"),
        ("https://example.org/?utm_source=x&id=1&fbclid=2&&b=3", "example.org?id=1&b=3"),
        ("https://example.org/Path?Q=R", "example.org/Path?Q=R"),
        ("https://example.org/a?utm_medium=x", "example.org/a"),
        ("no url", "no url"), ("", ""), ("x:/", "x:"), ("https://", ""),
    ])
    func `different URLs of a page have the same canonical URL`(_ url: String, _ canonical: String) {
        #expect(CanonicalURL.text(of: url) == canonical)
    }
}

struct URLReferenceTests {
    private func resolved(_ reference: String, against base: String) -> String {
        URLReference.resolved(reference.utf8.span, against: base.utf8.span)
    }

    private func queryItem(_ name: String, of url: String) -> String? {
        URLReference.queryItem("\(name)=".utf8.span, of: url.utf8.span)
    }

    @Test(arguments: [
        ("/works/OL1W", "https://openlibrary.org/works/OL1W"), ("works", "https://openlibrary.org/works"),
        ("//cdn.example.org/x", "https://cdn.example.org/x"), ("?a=b", "https://openlibrary.org/?a=b"),
        ("2024:x", "https://openlibrary.org/2024:x"), ("#part", "https://openlibrary.org/#part"),
        ("http://example.org", "http://example.org"), ("", ""),
    ])
    func `references are resolved against a page`(_ reference: String, _ expected: String) {
        #expect(resolved(reference, against: "https://openlibrary.org/") == expected)
    }

    @Test func `a query parameter is found and decoded`() {
        let url = "https://proxy.example.org/t?w=120&fname=http%3A%2F%2Fimg.example.org%2F1.jpg+x#f"
        #expect(queryItem("fname", of: url) == "http://img.example.org/1.jpg x")
        #expect(queryItem("name", of: url) == nil)
        #expect(queryItem("a", of: "https://example.org/?a=%zz") == nil)
        #expect(queryItem("a", of: "https://example.org/?a=%ff") == nil)
        #expect(queryItem("a", of: "https://example.org/?a=%4") == nil)
        #expect(queryItem("a", of: "https://example.org/?b=1&a=") == "")
    }

    @Test func `a title is encoded for the path of a URL`() {
        #expect(URLReference.encodedPath("AC/DC: 100% Rock? 책") == "AC/DC:_100%25_Rock%3F_%EC%B1%85")
        #expect(
            URLReference.encodedPath("Swift (language); a@b $1! *c*, ~d' \"e\"")
                == "Swift_(language);_a@b_$1!_*c*,_~d%27_%22e%22"
        )
    }
}

extension CanonicalURL {
    static func text(of url: String) -> String {
        var canonical: [UInt8] = []
        append(url.utf8.span, to: &canonical)
        return String(decoding: canonical, as: UTF8.self)
    }
}
