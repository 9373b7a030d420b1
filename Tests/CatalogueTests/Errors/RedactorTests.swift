import Catalogue
import SearchModel
import TestSupport
import Testing

private let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

private func base64(_ text: String, _ lead: String = "") -> String {
    let bytes = Array((lead + text).utf8)
    var encoded: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
        for place in 0..<4 {
            encoded.append(place <= group.count ? alphabet[bits >> (18 - place * 6) & 63] : UInt8(ascii: "="))
        }
    }
    return String(decoding: encoded, as: UTF8.self)
}

struct RedactorTests {
    private let key = "S3cr+t/K%y=0123456789"

    @Test func `a secret is masked in every spelling`() {
        let redactor = Redactor([Secret(key), Secret("")])
        #expect(redactor.redacted("a \(key) b") == "a ‹secret› b")
        #expect(redactor.redacted(key + key.uppercased()) == "‹secret›‹secret›")
        #expect(redactor.redacted("k=S3cr%2Bt%2fK%25y%3D0123456789&x") == "k=‹secret›&x")
        #expect(redactor.redacted("nothing here") == "nothing here")
    }

    @Test(arguments: ["", "x", "xy", "xyz", "user:", "사용자:"])
    func `base64 hides nothing, wherever the secret begins in it`(_ lead: String) {
        let redacted = Redactor([Secret(key)]).redacted(base64(key + "tail", lead))
        #expect(redacted.contains("‹secret›"))
        // Only the few characters that the secret shares with its neighbours are left.
        #expect(redacted.utf8.count - "‹secret›".utf8.count <= base64("tail", lead).utf8.count + 4)
    }

    @Test func `a document with a secret is found and cleaned, and stays JSON`() throws {
        let body =
            #"{"documents":[{"title":"your key is \#(key)","url":"https://x.example/?k=S3cr%2Bt%2FK%25y%3D0123456789"}],"meta":{"is_end":true}}"#
        let page = try page("kakao.blog", body, account: AccountAccess(secrets: ["key": Secret(key)]), keepRaw: true)
        let hit = try #require(page.hits.first)
        #expect(hit.title == "your key is ‹secret›")
        #expect(hit.url?.contains("0123456789") == false)
        #expect(!String(decoding: hit.raw, as: UTF8.self).contains("0123456789"))
    }

    @Test func `a secret prints as nothing`() {
        let secret = Secret(key)
        var dumped = ""
        dump(AccountAccess(secrets: ["key": secret]), to: &dumped)
        for text in [
            "\(secret)", String(reflecting: secret), "\([secret])", "\(AccountAccess(secrets: ["key": secret]))",
            dumped,
        ] {
            #expect(!text.contains("0123456789"))
        }
        #expect("\(secret)" == "‹secret›")
    }

    @Test func `the search finds what is there, at any place`() {
        var generator = SeededGenerator(seed: testSeed())
        for _ in 0..<500 {
            let needle = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                UInt8.random(in: 97...99, using: &generator)
            }
            let text = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 97...99, using: &generator)
            }
            let secret = Secret(String(decoding: needle, as: UTF8.self))
            #expect(Redactor([secret]).finds(in: text) == text.containsSlowly(needle))
        }
    }
}

extension [UInt8] {
    fileprivate func containsSlowly(_ needle: [UInt8]) -> Bool {
        count >= needle.count
            && (0...(count - needle.count)).contains { Array(self[$0..<($0 + needle.count)]) == needle }
    }
}
