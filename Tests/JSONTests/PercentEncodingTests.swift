import JSON
import TestSupport
import Testing

@Suite("Percent encoding")
struct PercentEncodingTests {
    @Test func `everything except unreserved characters is encoded`() {
        let unreserved = "ABCXYZabcxyz0123456789-._~"
        #expect(PercentEncoding.encode(unreserved) == unreserved)
        #expect(PercentEncoding.encode("고양이") == "%EA%B3%A0%EC%96%91%EC%9D%B4")
        #expect(PercentEncoding.encode("a b+c") == "a%20b%2Bc")
        #expect(
            PercentEncoding.encode(":/?#[]@!$&'()*+,;=%") == "%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25"
        )
        #expect(PercentEncoding.encode("\0\u{7F}^`{|}<>\"\\") == "%00%7F%5E%60%7B%7C%7D%3C%3E%22%5C")
        #expect(PercentEncoding.encode("") == "")
    }

    @Test func `escapes in either case are decoded`() {
        #expect(PercentEncoding.decode("%ea%b3%A0") == "고")
        #expect(PercentEncoding.decode("a%2Fb%2fc") == "a/b/c")
        #expect(PercentEncoding.decode("고%20양") == "고 양")
        #expect(PercentEncoding.decode("") == "")
    }

    @Test func `a plus is decoded as a blank only on request`() {
        #expect(PercentEncoding.decode("a+b%2B") == "a+b+")
        #expect(PercentEncoding.decode("a+b%2B", plusIsBlank: true) == "a b+")
    }

    @Test(arguments: [
        "%", "a%", "%4", "%zz", "%4z", "%%41", "%-1", "%+1", "%80", "%C0%80", "%ED%A0%80", "%EA%B3", "%FF",
    ])
    func `a text with a broken escape or invalid UTF-8 is refused`(text: String) {
        #expect(PercentEncoding.decode(text) == nil)
    }

    @Test func `any text can be decoded after encoding`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<1000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0..<20, using: &random) {
                text.append(Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) ?? "%")
            }
            let encoded = PercentEncoding.encode(String(text))
            #expect(PercentEncoding.decode(encoded).map { Array($0.utf8) } == Array(String(text).utf8))
            #expect(
                PercentEncoding.decode(encoded, plusIsBlank: true).map { Array($0.utf8) } == Array(String(text).utf8)
            )
        }
    }
}
