import JSON
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `texts are encoded and decoded like the test vectors of RFC 4648`(bytes: String, text: String) {
        #expect(Base64.text(of: Array(bytes.utf8)) == Array(text.utf8))
        #expect(Base64.bytes(of: text) == Array(bytes.utf8))
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "Z===", "Zg==Zg==", "Zm9v\n", "Zm 9", "Zm9-", "가"])
    func `text that is not valid is refused`(text: String) {
        #expect(Base64.bytes(of: text) == nil)
    }

    @Test func `every byte is encoded and decoded`() {
        #expect(Base64.bytes(of: String(decoding: Base64.text(of: Array(0...255)), as: UTF8.self)) == Array(0...255))
        let text = Base64.text(of: Array(0...255))
        #expect(text.count == 344)
        #expect(String(decoding: text.prefix(8), as: UTF8.self) == "AAECAwQF")
        #expect(String(decoding: text.suffix(8), as: UTF8.self) == "/P3+/w==")
    }
}
