import JSON
import Testing

/// A request as it comes over the wire.
private let request = """
    {"jsonrpc":"2.0","id":17,"method":"search","params":{"query":"고양이","sources":["kakao.blog"],"limit":10}}
    """

@Suite("A document and its cursors")
struct JSONDocumentTests {
    @Test func `a request's values are where a caller looks for them`() throws {
        let root = try JSONDocument(Array(request.utf8)).root
        #expect(root.kind == .object)
        #expect(root.count == 4)
        #expect(root["id"]?.int == 17)
        #expect(root["params"]?["query"]?.string == "고양이")
        #expect(root["params"]?["sources"]?[0]?.string == "kakao.blog")
        #expect(root["params"]?["sources"]?[1] == nil)
        #expect(root["params"]?["limit"]?.number == JSONNumber(10))
        #expect(root["nothing"] == nil)
    }

    @Test func `a value's text is the exact bytes`() throws {
        let root = try JSONDocument(Array(#"{"a": [1, "\u0041"] , "b":1.50e+1}"#.utf8)).root
        #expect(root["a"].map { String(decoding: $0.text, as: UTF8.self) } == #"[1, "\u0041"]"#)
        #expect(root["b"]?.number?.text == "1.50e+1")
        #expect(root["a"]?[1]?.string == "A")
    }

    @Test func `of a repeated name the last one counts, and a walk sees both`() throws {
        let root = try JSONDocument(Array(#"{"a":1,"b":[{}],"\u0061":2}"#.utf8)).root
        #expect(root["a"]?.int == 2)
        #expect(root.members.map(\.name) == ["a", "b", "a"])
        #expect(root.value == ["a": 1, "b": [[:]], "a": 2])
    }
}
