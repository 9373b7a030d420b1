import JSON
import RPC
import Testing

struct RequestIDTests {
    private func id(_ text: String) throws -> RequestID {
        var index = JSONIndex(limits: .wire)
        let bytes = Array(text.utf8)
        try index.index(bytes)
        // The id copies its text while the buffer is valid.
        return try #require(unsafe bytes.withUnsafeBytes { unsafe RequestID(index[0], in: $0) })
    }

    @Test(arguments: [
        (#""a""#, #""\u0061""#), (#""/""#, #""\/""#), (#""\n""#, #""\u000a""#), (#""\u000A""#, #""\u000a""#),
        ("\"\u{7F}\"", #""\u007f""#), ("\"\u{2028}\"", #""\u2028""#), ("\"é\"", #""\u00e9""#),
        ("\"🐱\"", #""\ud83d\uDC31""#), (#""\"\\""#, #""\u0022\u005c""#), ("\"\u{80}\"", #""\u0080""#),
    ])
    func `the same string is the same id however it is written`(plain: String, escaped: String) throws {
        let (plain, escaped) = try (id(plain), id(escaped))
        #expect(plain == escaped)
        #expect(Set([plain, escaped]).count == 1)
        #expect(plain.text != escaped.text)
    }

    @Test(arguments: [
        ("1", #""1""#), ("null", #""null""#), (#""a""#, #""b""#), (#""A""#, #""a""#), (#""\u0061""#, #""\u0062""#),
        ("1", "10"), (#""\\u0061""#, #""\u0061""#), ("\"e\u{301}\"", "\"\u{E9}\""),
    ])
    func `different ids differ`(left: String, right: String) throws {
        #expect(try id(left) != id(right))
    }

    @Test func `the answer to something without an id carries null`() throws {
        #expect(try id("null") == .null)
        #expect(RequestID.null.text == Array("null".utf8))
    }
}
