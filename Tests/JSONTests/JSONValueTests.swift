import JSON
import Testing

@Suite("The tree")
struct JSONValueTests {
    private let value: JSONValue = ["a": 1, "b": [true, nil, "x", 1.5], "a": 2, "c": [:]]

    @Test func `literals spell JSON`() {
        #expect(String(decoding: value.bytes, as: UTF8.self) == #"{"a":1,"b":[true,null,"x",1.5],"a":2,"c":{}}"#)
    }

    @Test func `members and elements are asked for by name and place`() {
        #expect(value["a"]?.int == 2)
        #expect(value["b"]?[0]?.bool == true)
        #expect(value["b"]?[1]?.isNull == true)
        #expect(value["b"]?[2]?.string == "x")
        #expect(value["b"]?[3]?.double == 1.5)
        #expect(value["b"]?[3]?.int == nil)
        #expect(value["b"]?[4] == nil)
        #expect(value["b"]?[-1] == nil)
        #expect(value["b"]?["a"] == nil)
        #expect(value[0] == nil)
        #expect(value["c"]?.members == [])
        #expect(value["d"] == nil)
    }

    @Test func `a cursor finds only names of the very same bytes`() throws {
        let root = try JSONDocument(Array("{\"\u{212A}\":1,\"k\\u006B\":2}".utf8)).root
        #expect(root["K"] == nil)
        #expect(root["\u{212A}"]?.int == 1)
        #expect(root["kk"]?.int == 2)
        #expect(root["k"] == nil)
        #expect(root.elements.isEmpty)
        #expect(root.bool == nil)
        #expect(root.string == nil)
        #expect(root.number == nil)
    }
}
