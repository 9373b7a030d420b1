import Catalogue
import JSON
import SearchModel
import Testing

/// A key with characters that each encoding writes differently.
private let key = #"S3cr+t/K%y="0123'&<456>\789"#
private let mask = "‹secret›"

private func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

private func each(_ write: (Unicode.Scalar) -> String?) -> String {
    key.unicodeScalars.map { write($0) ?? String($0) }.joined()
}

private func json(_ text: String) -> String {
    String(decoding: JSONValue.string(text).bytes.dropFirst().dropLast(), as: UTF8.self)
}

private func base64(_ text: String) -> String { String(decoding: Base64.text(of: Array(text.utf8)), as: UTF8.self) }

struct RedactorTests {
    private static let entities: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
    ]

    static let forms: [(name: String, text: String)] = [
        ("plain", key),
        ("percent-encoded", PercentEncoding.encode(key)),
        ("percent-encoded in small letters", PercentEncoding.encode(key).replacing("%2B", with: "%2b")),
        ("percent-encoded where necessary", PercentEncoding.encode(key) { $0 != 0x25 && $0 != 0x22 }),
        ("percent-encoded altogether", PercentEncoding.encode(key) { _ in false }),
        ("percent-encoded altogether in small letters", PercentEncoding.encode(key) { _ in false }.lowercased()),
        (
            "percent-encoded altogether with mixed case",
            key.utf8.enumerated().map { "%" + ($0.isMultiple(of: 2) ? hexadecimal($1).uppercased() : hexadecimal($1)) }
                .joined()
        ),
        ("HTML", each { entities[$0] }),
        ("HTML with numbers", each { entities[$0] == nil ? nil : "&#\($0.value);" }),
        ("HTML with hexadecimal numbers", each { entities[$0] == nil ? nil : "&#x\(hexadecimal(UInt8($0.value)));" }),
        ("HTML with only numbers", each { "&#\($0.value);" }),
        ("HTML with only numbers, in JSON that is safe in HTML", each { "\\u0026#\($0.value);" }),
        ("JSON", json(key)),
        ("JSON with only numbers", each { "\\u00\(hexadecimal(UInt8($0.value)))" }),
        ("JSON in JSON", json(json(key))),
        ("JSON in JSON in JSON", json(json(json(key)))),
        ("JSON with escaped slashes in JSON", json(json(key).replacing("/", with: "\\/"))),
        ("JSON with escaped slashes", each { ["/": "\\/", "\"": "\\\"", "\\": "\\\\"][$0] }),
        (
            "JSON that is safe in HTML",
            each { $0 == "\\" ? "\\\\" : entities[$0] == nil ? nil : "\\u00\(hexadecimal(UInt8($0.value)))" }
        ),
        (
            "HTML in JSON that is safe in HTML",
            each { $0 == "\\" ? "\\\\" : entities[$0]?.replacing("&", with: "\\u0026") }
        ),
    ]

    private let redactor = Redactor([Secret(key), Secret("")])

    @Test(arguments: forms.map(\.text))
    func `a secret is masked in every encoding`(_ form: String) {
        #expect(redactor.redacted("a \(form) b\(form)") == "a \(mask) b\(mask)")
        #expect(redactor.redacted(Array("a \(form) b".utf8)) == Array("a \(mask) b".utf8))
    }

    @Test(arguments: forms.map(\.text))
    func `hits, documents and errors never contain a secret`(_ form: String) throws {
        let account = AccountAccess(secrets: ["key": Secret(key)])
        let isJSON = (try? JSONDocument(Array("\"\(form)\"".utf8))) != nil
        let written = isJSON ? form : json(form)
        let body =
            #"{"documents":[{"title":"your key is \#(written)","contents":"\#(written)","blogname":"\#(written)","#
            + #""url":"https://x.example/?k=\#(written)","\#(written)":1}],"meta":{"is_end":true}}"#
        let hit = try #require(try page("kakao.blog", body, account: account, keepRaw: true).hits.first)
        #expect(hit.title == "your key is \(mask)" && hit.snippet == mask && hit.author == mask)
        let raw = try JSONDocument(Array(hit.raw)).root
        #expect(raw.members.last?.name == mask && raw["title"]?.string == "your key is \(mask)")
        #expect(hit.url?.contains("0123") == false)
        let error = try failure("kakao.blog", #"{"message":"no \#(written)"}"#, status: 403, account: account)
        #expect(error.message.contains(mask) && !error.message.contains("0123"))
    }

    @Test(arguments: ["", "x", "xy", "xyz", "user:", "사용자:"])
    func `a secret in base64 is masked at every offset`(_ lead: String) {
        let text = base64(lead + key + "tail")
        for text in [
            text, PercentEncoding.encode(text), String(decoding: text.utf8.map(Base64.urlCharacter), as: UTF8.self),
        ] {
            let redacted = redactor.redacted(text)
            #expect(redacted.contains(mask))
            // The first and last base64 characters may remain, because they also encode other bytes.
            #expect(redacted.utf8.count - mask.utf8.count <= base64(lead + "tail").utf8.count + 8)
        }
    }

    @Test func `redacted documents are valid JSON, and secret numbers become strings`() throws {
        let redactor = Redactor([Secret("1234567890123456"), Secret("nabcdefgh"), Secret(#"ends in \"#)])
        for (written, expected) in [
            (#"[1234567890123456,1.5,-991234567890123456e1 ]"#, [.string(mask), 1.5, .string(mask)] as JSONValue),
            (#"{"1234567890123456":["x1234567890123456"]}"#, .object([JSONMember(mask, [.string("x\(mask)")])])),
            (#"["\nabcdefgh", "nabcdefgh", "\\nabcdefgh"]"#, ["\nabcdefgh", .string(mask), .string("\\\(mask)")]),
            (#"["it ends in \\", "ends in \n"]"#, [.string("it \(mask)"), "ends in \n"]),
        ] {
            #expect(try JSONDocument(redactor.redacted(Array(written.utf8), json: true)).root.value == expected)
        }
    }

    @Test func `texts without secrets are unchanged`() {
        for text in [
            "nothing here", "S3cr+t/K%y", "S3CR+T/K%Y", "&#39;quoted&#39; %EA%B3%A0 \\u0026 \\", "%", "&#", "\\u00",
        ] {
            #expect(redactor.redacted(text) == text)
            #expect(redactor.redacted(JSONValue.string(text).bytes, json: true) == JSONValue.string(text).bytes)
        }
    }

    @Test func `printing a secret does not reveal it`() {
        let secret = Secret(key)
        var dumped = ""
        dump(AccountAccess(secrets: ["key": secret]), to: &dumped)
        for text in [
            "\(secret)", String(reflecting: secret), "\([secret])", "\(AccountAccess(secrets: ["key": secret]))",
            dumped,
        ] {
            #expect(!text.contains("0123"))
        }
        #expect("\(secret)" == mask)
    }
}
