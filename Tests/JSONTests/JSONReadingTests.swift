import TestSupport
import Testing

@testable import JSON

@Suite("Limits of the readers")
struct JSONLimitsTests {
    private func nested(_ levels: Int, _ opening: String, _ closing: String) -> [UInt8] {
        Array((String(repeating: opening, count: levels) + "1" + String(repeating: closing, count: levels)).utf8)
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}"), ("[ ", " ]")])
    func `64 levels are accepted, and 65 are too deep`(opening: String, closing: String) throws {
        var index = JSONIndex(limits: .wire)
        try index.index(nested(64, opening, closing))
        #expect(index.count >= 65)
        let error = #expect(throws: JSONError.self) { try index.index(nested(65, opening, closing)) }
        #expect(error?.code == .tooDeep)
        #expect(error?.offset == 64 * opening.utf8.count)
    }

    @Test func `closed levels are not counted`() throws {
        var index = JSONIndex(limits: JSONLimits(depthMax: 2, bytesMax: 100))
        try index.index(Array("[[],[],{},[]]".utf8))
        #expect(throws: JSONError.self) { try index.index(Array("[[],[[]]]".utf8)) }
        index = JSONIndex(limits: JSONLimits(depthMax: 0, bytesMax: 100))
        try index.index(Array("1".utf8))
        #expect(throws: JSONError.self) { try index.index(Array("[]".utf8)) }
    }

    @Test func `a hundred thousand opening brackets are refused as too deep`() {
        for opening in ["[", "{\"a\":", "[{\"a\":"] {
            let text = Array(String(repeating: opening, count: 100_000).utf8)
            #expect(throws: JSONError.self) { try JSONDocument(text) }
            #expect(throws: JSON5Error.self) { try JSON5Reader.read(text) }
        }
    }

    @Test func `one mebibyte is accepted on the wire, and one more byte is too long`() throws {
        var index = JSONIndex(limits: .wire)
        let text = Array("\"".utf8) + Array(repeating: UInt8(ascii: "a"), count: 1 << 20 - 2) + Array("\"".utf8)
        #expect(text.count == 1_048_576)
        try index.index(text)
        let error = #expect(throws: JSONError.self) { try index.index(text + [UInt8(ascii: " ")]) }
        #expect(error == JSONError(.tooLong, at: 1_048_576, error?.message ?? ""))
        _ = try JSONDocument(text + [UInt8(ascii: " ")])
    }

    @Test func `the index of 1 MiB of one-digit numbers has an entry for each number`() throws {
        var index = JSONIndex(limits: .wire)
        try index.index(Array(("[" + String(repeating: "1,", count: 524_286) + "1 ]").utf8))
        #expect(index.count == 524_288)
        #expect(index[0].count == 524_287)
    }

    @Test(arguments: ["[1,1,1]", #"[{"a":1}]"#, #"["a", 1, {}]"#])
    func `the number of entries is limited`(_ text: String) throws {
        for bytes in [Array(text.utf8), Array(text.utf8) + Array(repeating: UInt8(ascii: " "), count: 100)] {
            _ = try JSONDocument(bytes, limits: JSONLimits(depthMax: 8, bytesMax: 1000, entriesMax: 4))
            let error = #expect(throws: JSONError.self) {
                try JSONDocument(bytes, limits: JSONLimits(depthMax: 8, bytesMax: 1000, entriesMax: 3))
            }
            #expect(error?.code == .tooLong)
        }
    }

    @Test func `a document with the maximum number of entries is accepted, and one more entry is refused`() throws {
        let text = "[" + String(repeating: "1,", count: 1 << 20 - 2) + "1"
        _ = try JSONDocument(Array((text + "]").utf8))
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array((text + ",1]").utf8)) }
        #expect(error?.code == .tooLong)
    }

    @Test func `JSON5 files have the same limits of depth and length`() throws {
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

@Suite("Numbers")
struct JSONNumberTests {
    @Test(arguments: ["0", "-0", "1.0", "1.10", "1E+2", "123456789012345678901234567890", "1e400", "0.1e-7"])
    func `a number keeps its spelling`(text: String) throws {
        let number = try JSONDocument(Array(text.utf8)).root.number
        #expect(number?.text == text)
        #expect(number.map { JSONValue.number($0).bytes } == Array(text.utf8))
    }

    @Test func `a number has an integer value only if it is written as a 64-bit integer`() throws {
        let cases: [(String, Int?)] = [
            ("9223372036854775807", .max), ("9223372036854775808", nil), ("-9223372036854775808", .min),
            ("-9223372036854775809", nil), ("-0", 0), ("1.0", nil), ("1e2", nil),
            ("9007199254740993", 9_007_199_254_740_993),
        ]
        for (text, int) in cases {
            #expect(try JSONDocument(Array(text.utf8)).root.int == int)
        }
    }

    @Test func `a double is the nearest value`() throws {
        #expect(try JSONDocument(Array("0.1".utf8)).root.double == 0.1)
        #expect(try JSONDocument(Array("-1.5e3".utf8)).root.double == -1500)
        #expect(try JSONDocument(Array("9007199254740993".utf8)).root.double == 9_007_199_254_740_992)
        #expect(try JSONDocument(Array("1e400".utf8)).root.double == .infinity)
        #expect(try JSONDocument(Array("1e-400".utf8)).root.double == 0)
    }
}

@Suite("Writing of strings")
struct JSONStringsTests {
    @Test func `every ASCII byte is written and read at any offset`() throws {
        for byte in UInt8.min...0x7F {
            for length in [1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33] {
                for place in 0..<length {
                    var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    text[place] = byte
                    let string = String(decoding: text, as: UTF8.self)
                    var writer = JSONWriter()
                    writer.string(string)
                    let isRead = try JSONDocument(writer.bytes).root.string == string
                    if !isRead || writer.bytes.contains(where: { $0 < 0x20 }) { Issue.record("\(byte) at \(place)") }
                }
            }
        }
    }

    @Test func `line ends between values become blanks at any offset`() throws {
        for length in 1...70 {
            for place in 0..<length {
                var blanks = [UInt8](repeating: UInt8(ascii: " "), count: length)
                blanks[place] = [UInt8(ascii: "\n"), UInt8(ascii: "\r")][place % 2]
                var writer = JSONWriter()
                writer.rawOnOneLine(([UInt8(ascii: "[")] + blanks + [UInt8(ascii: "]")])[...])
                let expected = "[" + String(repeating: " ", count: length) + "]"
                #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
            }
        }
    }

    @Test func `a character that needs an escape is escaped at any offset`() throws {
        for character in ["\"", "\\", "\n", "\u{1}", "\u{7F}", "é"] {
            for length in 0..<70 {
                for place in [0, length / 3, length] {
                    let before = String(repeating: "한", count: place)
                    let text = before + character + String(repeating: "b", count: length - place) + character
                    var writer = JSONWriter()
                    writer.array { $0.string(text) }
                    #expect(try JSONDocument(writer.bytes).root[0]?.string == text)
                    #expect(writer.bytes.allSatisfy { $0 >= 0x20 })
                }
            }
        }
    }
}

@Suite("The entries of the index")
struct JSONTapeTests {
    @Test func `entries are in text order, and “next” is the index after the last descendant`() throws {
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

    @Test func `an index can be reused for longer, shorter and broken texts`() throws {
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

struct ExactTextTests {
    private enum Choice: String, CaseIterable {
        case first
        case second = "\u{E9}"
    }

    @Test func `texts are equal only if their bytes are equal`() {
        #expect(ExactText("caf\u{E9}") == "caf\u{E9}")
        #expect(ExactText("caf\u{E9}") != "cafe\u{301}")
        #expect(ExactText("") == "")
        #expect(ExactText("a") != "ab")
        #expect(Set<ExactText>(["\u{E9}", "e\u{301}", "\u{E9}"]).count == 2)
    }

    @Test func `prefixes and raw values are compared by bytes`() {
        #expect("e\u{301}a".hasBytePrefix("e"))
        #expect(!"e".hasBytePrefix("e\u{301}"))
        #expect(Choice(exactly: "first") == .first)
        #expect(Choice(exactly: "\u{E9}") == .second)
        #expect(Choice(exactly: "e\u{301}") == nil)
    }

    /// With a comparison by canonical equivalence, this test would take minutes.
    @Test func `a mebibyte of combining marks is compared, hashed and looked up quickly`() {
        let marks = String(repeating: "\u{301}\u{316}", count: 1 << 18)
        let others = String(repeating: "\u{301}\u{316}", count: (1 << 18) - 1) + "\u{316}\u{301}"
        #expect(ExactText(marks) != ExactText(others))
        let texts: [ExactText: Int] = [ExactText(marks): 1, ExactText(others): 2]
        #expect(texts[ExactText(others)] == 2)
        #expect(texts[ExactText(marks)] == 1)
        #expect(!marks.hasBytePrefix(others))
        #expect(Choice(exactly: marks) == nil)
    }
}
