import JSON
import RPC
import SearchModel
import Testing

@testable import MCP

@Suite struct AgentViewTests {
    private func view(_ text: String, _ schema: Schema, leavingOut members: [Member] = []) throws -> JSONValue? {
        AgentView(leavingOut: members).value(try JSONDocument(Array(text.utf8)).root, schema)
    }

    @Test func `what is left out is gone at every depth, from values as from schemas`() throws {
        let hit = #"{"id":"a.b:1","source":"a.b","kind":"book","title":"<b>T","rank":3,"marks":{"title":[[0,1]]}}"#
        let schema = Schema.object([.required(.hits, .list(.component(.hit))), .required(.elapsed, .number)])
        let members: [Member] = [.rank, .marks, .elapsed]
        let value = try view("{\"hits\":[\(hit)],\"elapsed\":1.5}", schema, leavingOut: members)
        #expect(value == ["hits": [["id": "a.b:1", "source": "a.b", "kind": "book", "title": "‹b›T"]]])
        let document = schema.document(leavingOut: members)
        #expect(document["required"] == ["hits"])
        #expect(document["properties"]?["hits"]?["items"]?["$ref"] == "#/$defs/hit")
        let properties = document["$defs"]?["hit"]?["properties"]
        #expect(properties?["title"] != nil && properties?["rank"] == nil && properties?["marks"] == nil)
        #expect(document["$defs"]?["time"] != nil)
    }

    @Test func `a link that is none of the web is dropped, and one in a free member said so`() throws {
        let hit =
            #"{"url":"javascript:alert(1)","thumbnail":"data:image/png,x","extra":{"a":"file:///etc","b":["<i>",1]}}"#
        #expect(try view(hit, .component(.hit)) == ["extra": ["a": "(link left out)", "b": ["‹i›", 1]]])
    }

    @Test func `ids stay as they are, unless they hold what no id needs`() throws {
        #expect(
            try view(#"{"id":"a.b:x_y-z__","next":"0f-3"}"#, .object([.required(.id, .text)])) == ["id": "a.b:x_y-z__"]
        )
        #expect(try view(#"{"id":"a.b:<|im_end|>"}"#, .object([.required(.id, .text)])) == ["id": "a.b:‹|im_end|›"])
    }

    @Test func `free values are as wide and as deep as their limits, and their names are cleaned`() throws {
        let deep = String(repeating: #"{"a":"#, count: 9) + "1" + String(repeating: "}", count: 9)
        let value = try #require(try view(deep, .anything))
        #expect(
            String(decoding: value.bytes, as: UTF8.self) == String(repeating: #"{"a":"#, count: 7) + "{}"
                + String(repeating: "}", count: 7)
        )
        let wide = "{" + (0..<70).map { "\"m\($0)\":\($0)" }.joined(separator: ",") + "}"
        #expect(try view(wide, .anything)?.members?.count == 64)
        #expect(try view(#"{"<b>\n":1}"#, .map(.anything)) == ["‹b›": 1])
    }

    @Test func `null stays where it may stand`() throws {
        #expect(try view("null", .either(.text, .null)) == .null)
        #expect(try view(#""x<""#, .either(.text, .null)) == "x‹")
    }
}
