import Testing

@testable import Client

struct ReadableAddressTests {
    @Test(arguments: [
        ("https://ko.wikipedia.org/wiki/%EA%B3%A0%EC%96%91%EC%9D%B4", "https://ko.wikipedia.org/wiki/고양이"),
        ("https://a.example/%ea%b3%a0?q=%EC%96%91#%EC%9D%B4", "https://a.example/고?q=양#이"),
        ("https://ko.wikipedia.org/wiki/%EA%B3%A0_%28%EB%8F%99%29", "https://ko.wikipedia.org/wiki/고_(동)"),
        ("https://de.wikipedia.org/wiki/K%C3%A4se", "https://de.wikipedia.org/wiki/Käse"),
        ("https://ja.wikipedia.org/wiki/%E3%83%8D%E3%82%B3", "https://ja.wikipedia.org/wiki/ネコ"),
        ("https://a.example/%E1%84%80%E1%85%A9", "https://a.example/고"), ("https://a.example/x", "https://a.example/x"),
        ("https://a.example/고", "https://a.example/고"), ("", ""), ("%", "%"),
    ])
    func `letters are decoded`(address: String, text: String) {
        #expect(ReadableAddress.text(address).unicodeScalars.elementsEqual(text.unicodeScalars) || text.contains("고"))
        #expect(ReadableAddress.text(address) == text)
    }

    @Test(arguments: [
        "%20", "%0A", "%1B", "%00", "%2F", "%3F", "%23", "%26", "%3D", "%25", "%40", "%3A",
        // Control, no-break space, soft hyphen, zero width, direction, line separator, ideographic space, fillers.
        "%C2%85", "%C2%A0", "%C2%AD", "%E2%80%8B", "%E2%80%8F", "%E2%80%AE", "%E2%81%A6", "%E2%80%A8", "%E3%80%80",
        "%E3%85%A4", "%EF%BE%A0", "%E1%85%9F", "%EF%BB%BF",
        // Signs that look like the address's own, a mark that joins the slash, private use, letters from the right.
        "%E2%88%95", "%EF%BC%8F", "%E2%81%84", "%CC%88", "%EE%80%80", "%D7%90", "%D8%A7",
        // No UTF-8, cut off, no digits.
        "%FF", "%EA%B3", "%EA", "%C0%AF", "%ED%A0%80", "%G0", "%E",
    ])
    func `what would confuse stays encoded`(encoded: String) {
        let address = "https://a.example/x/\(encoded)"
        #expect(ReadableAddress.text(address) == address)
    }

    @Test func `a host stays as it is`() {
        #expect(ReadableAddress.text("https://%EA%B3%A0.example/%EA%B3%A0") == "https://%EA%B3%A0.example/고")
        #expect(ReadableAddress.text("https://xn--o39a.example/") == "https://xn--o39a.example/")
    }

    @Test(arguments: [
        ("https://www.a.example/", "a.example"), ("http://blog.example/12", "blog.example/12"),
        ("https://ko.wikipedia.org/wiki/%EA%B3%A0", "ko.wikipedia.org/wiki/고"),
        ("https://books.example/books?id=xyz", "books.example"), ("https://a.example?x=1", "a.example"),
        ("https://a.example/b#c", "a.example/b#c"), ("x", "x"),
    ])
    func `in a list the scheme and what only machines read are left out`(address: String, text: String) {
        #expect(ReadableAddress.short(address) == text)
    }

    @Test(arguments: Payloads.all) func `no payload gets through by being encoded`(payload: String) {
        let encoded = payload.utf8.map { byte in
            "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
        for text in [
            ReadableAddress.text("https://a.example/\(encoded)"), ReadableAddress.short("https://a/\(encoded)"),
        ] {
            #expect(text.unicodeScalars.allSatisfy(VisibleText.isSafe))
        }
    }
}
