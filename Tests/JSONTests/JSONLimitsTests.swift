import JSON
import Testing

@Suite("Limits of the readers")
struct JSONLimitsTests {
    private func nested(_ levels: Int, _ opening: String, _ closing: String) -> [UInt8] {
        Array((String(repeating: opening, count: levels) + "1" + String(repeating: closing, count: levels)).utf8)
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("[ ", " ]")])
    func `64 levels pass and 65 are too deep`(opening: String, closing: String) throws {
        var index = JSONIndex(limits: .wire)
        try index.index(nested(64, opening, closing))
        #expect(index.count >= 65)
        let error = #expect(throws: JSONError.self) { try index.index(nested(65, opening, closing)) }
        #expect(error?.code == .tooDeep)
        #expect(error?.offset == 64 * opening.utf8.count)
    }

    @Test func `closed levels don't count`() throws {
        var index = JSONIndex(limits: JSONLimits(depthMax: 2, bytesMax: 100))
        try index.index(Array("[[],[],{},[]]".utf8))
        #expect(throws: JSONError.self) { try index.index(Array("[[],[[]]]".utf8)) }
        index = JSONIndex(limits: JSONLimits(depthMax: 0, bytesMax: 100))
        try index.index(Array("1".utf8))
        #expect(throws: JSONError.self) { try index.index(Array("[]".utf8)) }
    }

    @Test func `a hundred thousand opening brackets are too deep, and nothing worse`() {
        for opening in ["[", "{\"a\":", "[{\"a\":"] {
            let text = Array(String(repeating: opening, count: 100_000).utf8)
            #expect(throws: JSONError.self) { try JSONDocument(text) }
            #expect(throws: JSON5Error.self) { try JSON5Reader.read(text) }
        }
    }

    @Test func `one mebibyte passes on the wire and one byte more is too long`() throws {
        var index = JSONIndex(limits: .wire)
        let text = Array("\"".utf8) + Array(repeating: UInt8(ascii: "a"), count: 1 << 20 - 2) + Array("\"".utf8)
        #expect(text.count == 1_048_576)
        try index.index(text)
        let error = #expect(throws: JSONError.self) { try index.index(text + [UInt8(ascii: " ")]) }
        #expect(error == JSONError(.tooLong, at: 1_048_576, error?.message ?? ""))
        _ = try JSONDocument(text + [UInt8(ascii: " ")])
    }

    @Test func `a mebibyte of the smallest elements has as many entries as it must`() throws {
        var index = JSONIndex(limits: .wire)
        try index.index(Array(("[" + String(repeating: "1,", count: 524_286) + "1 ]").utf8))
        #expect(index.count == 524_288)
        #expect(index[0].count == 524_287)
    }

    @Test(arguments: ["[1,1,1]", #"[{"a":1}]"#, #"["a", 1, {}]"#])
    func `a document has so many entries and not one more`(_ text: String) throws {
        for bytes in [Array(text.utf8), Array(text.utf8) + Array(repeating: UInt8(ascii: " "), count: 100)] {
            _ = try JSONDocument(bytes, limits: JSONLimits(depthMax: 8, bytesMax: 1000, entriesMax: 4))
            let error = #expect(throws: JSONError.self) {
                try JSONDocument(bytes, limits: JSONLimits(depthMax: 8, bytesMax: 1000, entriesMax: 3))
            }
            #expect(error?.code == .tooLong)
        }
    }

    @Test func `a document of a mebi of entries passes, and one of another entry does not`() throws {
        let text = "[" + String(repeating: "1,", count: 1 << 20 - 2) + "1"
        _ = try JSONDocument(Array((text + "]").utf8))
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array((text + ",1]").utf8)) }
        #expect(error?.code == .tooLong)
    }

    @Test func `a file of JSON5 has the same depth and one mebibyte`() throws {
        _ = try JSON5Reader.read(nested(64, "[", "]"))
        let tooDeep = #expect(throws: JSON5Error.self) { try JSON5Reader.read(nested(65, "[", "]")) }
        #expect(tooDeep?.code == .tooDeep)
        #expect(tooDeep?.column == 65)
        let text = Array("1".utf8) + Array(repeating: UInt8(ascii: " "), count: 1 << 20 - 1)
        _ = try JSON5Reader.read(text)
        let tooLong = #expect(throws: JSON5Error.self) { try JSON5Reader.read(text + text) }
        #expect(tooLong?.code == .tooLong)
        #expect(throws: JSON5Error.self) { try JSON5Reader.read(text + [UInt8(ascii: " ")]) }
    }
}
