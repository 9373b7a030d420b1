import JSON
import Testing

@Suite("The tape of the index")
struct JSONTapeTests {
    @Test func `entries stand in the order of the text and say what follows them`() throws {
        var index = JSONIndex(limits: .wire)
        try index.index(Array(#" {"a":[1,"\t"],"b":{}} "#.utf8))
        #expect(index.count == 7)
        #expect(index.entries.map(\.kind) == [.object, .string, .array, .number, .string, .string, .object])
        #expect(index.entries.map(\.next) == [7, 2, 5, 4, 5, 6, 7])
        #expect(index.entries.map(\.count) == [2, 0, 2, 0, 0, 0, 0])
        #expect(index.entries.map(\.range) == [1..<22, 2..<5, 6..<14, 7..<8, 9..<13, 15..<18, 19..<21])
        #expect(index.entries.map(\.hasEscapes) == [false, false, false, false, true, false, false])
        #expect(MemoryLayout<JSONEntry>.stride == 16)
    }

    @Test func `an index serves one text after another, longer, shorter, broken`() throws {
        var index = JSONIndex(limits: .wire)
        let many = "[" + String(repeating: "[1],", count: 50_000) + "0]"
        for _ in 0..<3 {
            try index.index(Array("[1,2]".utf8))
            #expect(index.entries.map(\.next) == [3, 2, 3])
            try index.index(Array(many.utf8))
            #expect(index.count == 100_002)
            #expect(index[0].count == 50_001)
            #expect(index[1].next == 3)
            #expect(index[100_001].range.upperBound == many.utf8.count - 1)
            #expect(throws: JSONError.self) { try index.index(Array("[1,2".utf8)) }
            #expect(index.count == 0)
            #expect(index.entries.isEmpty)
        }
    }
}
