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

    @Test func `values are read in place, without a tree`() throws {
        let text =
            Array(
                #"{"method":"se\u0061rch","id":-12,"id2":1.0,"big":9223372036854775808,"least":-9223372036854775808,"#
                    .utf8
            ) + Array(#""max":9223372036854775807,"on":true,"off":false,"method":"last","esc\u0061pe":0}"#.utf8)
        var index = JSONIndex(limits: .wire)
        try index.index(text)
        let read = index
        // The buffer is used within the call only.
        unsafe text.withUnsafeBytes { text in
            func place(_ name: StaticString) -> Int {
                unsafe read.member(name, of: 0, in: text) ?? 0
            }
            #expect(unsafe read.string(at: 2, in: text) == "search")
            #expect(unsafe read.isString("search", at: 2, in: text))
            #expect(unsafe !read.isString("searcg", at: 2, in: text))
            #expect(unsafe !read.isString("sear", at: place("method"), in: text))
            #expect(unsafe read.string(at: place("method"), in: text) == "last")
            #expect(unsafe read.int(at: place("id"), in: text) == -12)
            #expect(unsafe read.int(at: place("id2"), in: text) == nil)
            #expect(unsafe read.int(at: place("big"), in: text) == nil)
            #expect(unsafe read.int(at: place("least"), in: text) == Int.min)
            #expect(unsafe read.int(at: place("max"), in: text) == Int.max)
            #expect(unsafe read.int(at: place("on"), in: text) == nil)
            #expect(unsafe read.bool(at: place("on"), in: text) == true)
            #expect(unsafe read.bool(at: place("off"), in: text) == false)
            #expect(unsafe read.bool(at: place("id"), in: text) == nil)
            #expect(unsafe read.string(at: place("id"), in: text) == nil)
            #expect(unsafe read.int(at: place("escape"), in: text) == 0)
            #expect(unsafe read.member("nothing", of: 0, in: text) == nil)
            #expect(unsafe read.member("id", of: 1, in: text) == nil)
        }
    }
}
