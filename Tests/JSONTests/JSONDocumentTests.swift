import JSON
import TestSupport
import Testing

private let request = """
    {"jsonrpc":"2.0","id":17,"method":"search","params":{"query":"고양이","sources":["kakao.blog"],"limit":10}}
    """

@Suite("A document and its cursors")
struct JSONDocumentTests {
    @Test func `the values of a request are found`() throws {
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

    @Test func `the text of a value has the exact bytes`() throws {
        let root = try JSONDocument(Array(#"{"a": [1, "\u0041"] , "b":1.50e+1}"#.utf8)).root
        #expect(root["a"].map { String(decoding: $0.text, as: UTF8.self) } == #"[1, "\u0041"]"#)
        #expect(root["b"]?.number?.text == "1.50e+1")
        #expect(root["a"]?[1]?.string == "A")
    }

    @Test func `if a name is repeated, the last member is read, but iteration visits all members`() throws {
        let root = try JSONDocument(Array(#"{"a":1,"b":[{}],"\u0061":2}"#.utf8)).root
        #expect(root["a"]?.int == 2)
        #expect(root.members.map(\.name) == ["a", "b", "a"])
        #expect(root.value == ["a": 1, "b": [[:]], "a": 2])
    }
}

@Suite("The texts that the index accepts (RFC 8259)")
struct JSONIndexTests {
    @Test(arguments: Corpus.accepted) func `a valid text is accepted`(text: String) throws {
        let document = try JSONDocument(Array(text.utf8))
        #expect(document.root.value.bytes == ReferenceParser.read(Array(text.utf8))?.bytes)
    }

    @Test(arguments: Corpus.refused) func `a text that is not valid is refused`(text: String) throws {
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
        #expect(error?.code == .syntax)
        #expect((0...text.utf8.count).contains(error?.offset ?? -1))
        #expect(ReferenceParser.read(Array(text.utf8)) == nil)
    }

    @Test(arguments: Corpus.notUTF8) func `bytes that are not valid UTF-8 are refused with their offset`(bytes: [UInt8])
        throws
    {
        for padding in 0..<9 {
            let text = [0x22] + Array(repeating: 0x61, count: padding) + bytes + [0x22]
            let error = #expect(throws: JSONError.self) { try JSONDocument(text) }
            #expect(error?.code == .notUTF8)
            // The offset may be inside the sequence, because its first bytes may be valid.
            #expect((padding + 1..<padding + 1 + bytes.count).contains(error?.offset ?? -1))
        }
        #expect(throws: JSONError.self) { try JSONDocument(bytes) }
        #expect(throws: JSONError.self) { try JSONDocument([0x22] + bytes) }
        #expect(throws: JSONError.self) { try JSONDocument([0x5B] + bytes + [0x5D]) }
    }

    @Test func `every scalar is accepted at every offset in a string`() throws {
        var text = "\""
        for value in UInt32(0x20)...0x10FFFF where value % 7 == 0 || value < 0x3000 || value > 0x10FF00 {
            guard let scalar = Unicode.Scalar(value), scalar != "\"", scalar != "\\" else { continue }
            text.unicodeScalars.append(scalar)
        }
        text += "\""
        #expect(try JSONDocument(Array(text.utf8)).root.string == String(text.dropFirst().dropLast()))
    }

    @Test(arguments: [
        ("[1,]", 3), ("{\"a\" 1}", 5), ("01", 0), ("[1 2]", 3), ("\"a\nb\"", 2), ("\"\\q\"", 2), ("nul!", 3), ("", 0),
        ("[1", 2), ("[] x", 3), ("1.x", 2), ("\u{FEFF}1", 0),
    ])
    func `an error has the offset of the problem`(text: String, offset: Int) throws {
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
        #expect(error?.offset == offset)
    }

    @Test func `a byte order mark gets its own error message`() throws {
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array("\u{FEFF}{}".utf8)) }
        #expect(error?.message.contains("byte order mark") == true)
    }

    @Test func `an unpaired surrogate is accepted and becomes the replacement character`() throws {
        let cases = [
            (#""\uD83D""#, "\u{FFFD}"), (#""\uDC31""#, "\u{FFFD}"), (#""\uD83Dx""#, "\u{FFFD}x"),
            (#""\uD83D\uD83D\uDC31""#, "\u{FFFD}🐱"), (#""\uDC31\uD83D""#, "\u{FFFD}\u{FFFD}"),
            (#""\uD83D\n""#, "\u{FFFD}\n"), (#""\uD83D\u0041""#, "\u{FFFD}A"), (#""\uD83D고""#, "\u{FFFD}고"),
        ]
        for (text, meaning) in cases {
            #expect(try JSONDocument(Array(text.utf8)).root.string == meaning)
            #expect(ReferenceParser.read(Array(text.utf8)) == .string(meaning))
        }
    }

    @Test(arguments: [
        #"{"a":[1,2,{"b":"c\n고"}],"d":null,"e":true,"f":false,"g":{}}"#, #""a long string with \u0041 in it""#,
        "[[[[[]]]]]", "[true,false,null]", "{\"고양이\":[\"사료\",\"🐱\"]}",
    ])
    func `every prefix of a text is refused`(text: String) {
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            #expect(throws: JSONError.self) { try JSONDocument(Array(bytes[..<length])) }
        }
    }
}

@Suite("The values of a document, found by index")
struct JSONIndicesTests {
    /// The text has more entries than the initial capacity.
    private func dense() throws -> (text: String, document: JSONDocument) {
        let text = "[" + String(repeating: "[1,{}],", count: 20_000) + #"{"a\u0062":"\n"}]"#
        return (text, try JSONDocument(Array(text.utf8)))
    }

    @Test func `if every second byte of a document is a value, all values are found`() throws {
        let (text, document) = try dense()
        #expect(document.root.count == 20_001)
        #expect(document.root.value.bytes == ReferenceParser.read(Array(text.utf8))?.bytes)
        let last = document.withView { view in
            view.element(-1, of: 0).flatMap { view.member("ab".utf8.span, of: $0) }.flatMap { view.string(at: $0) }
        }
        #expect(last == "\n")
    }

    @Test(arguments: ["[", "[1,", "[1,{}],", #"[["x"],"#])
    func `a truncated text with many values is refused`(_ unit: String) throws {
        let text = "[" + String(repeating: unit, count: 20)
        let padded = text + String(repeating: " ", count: 3)
        #expect(throws: JSONError.self) { try JSONDocument(Array(padded.utf8)) }
    }

    @Test func `visiting elements can be stopped`() throws {
        let document = try JSONDocument(Array("[1,[2],3]".utf8))
        var visited: [String] = []
        document.withView { view in
            view.forEachElement(of: 0) { index in
                visited.append(String(decoding: document.text(at: index), as: UTF8.self))
                return visited.count < 2
            }
        }
        #expect(visited == ["1", "[2]"])
        document.withView { view in
            #expect(view.element(3, of: 0) == nil && view.element(-4, of: 0) == nil && view.element(0, of: 1) == nil)
            #expect(view.string(at: 1) == nil && view.member("a".utf8.span, of: 0) == nil)
        }
    }

    @Test func `blanks of any length and kind are accepted between values`() throws {
        for length in 0..<40 {
            let margin = "\r\n\t" + String(repeating: " ", count: length)
            let text = "\(margin){\(margin)\"a\"\(margin):\(margin)[\(margin)1\(margin),\(margin)2]\(margin)}\(margin)"
            #expect(try JSONDocument(Array(text.utf8)).root.value == ["a": [1, 2]])
        }
    }

    @Test func `three-byte characters are checked at every offset`() throws {
        for padding in 0..<20 {
            let start = Array("\"".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: padding)
            for text in ["각힣", "가 나 다라", "\u{800}\u{FFFD}\u{D7FF}\u{E000}", "고a양 이", "한글"] {
                #expect(try JSONDocument(start + text.utf8 + "\"".utf8).root.string?.hasSuffix(text) == true)
            }
            // An overlong form, a surrogate, a character without its last byte, and one with a wrong second byte.
            for bytes: [UInt8] in [[0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xEA, 0xB0], [0xEA, 0x20, 0xB0]] {
                let broken = start + "가".utf8 + bytes + "나다\"".utf8
                let error = #expect(throws: JSONError.self) { try JSONDocument(broken) }
                #expect(error?.code == .notUTF8)
            }
        }
    }

    @Test func `a string is accepted if it is valid UTF-8, and refused otherwise`() throws {
        var random = SeededGenerator(seed: testSeed())
        let characters = ["a", " ", "é", "가", "힣", "한", "퀀", "漢", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFD}", "🐱"]
        let bytes: [UInt8] = [0x61, 0x80, 0x9F, 0xA0, 0xBF, 0xC2, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF4, 0xFF]
        var refused = 0
        for _ in 0..<20_000 {
            var text: [UInt8] = []
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                text += (characters.randomElement(using: &random) ?? "").utf8
            }
            if !text.isEmpty, Bool.random(using: &random) {
                text[Int.random(in: text.indices, using: &random)] = bytes.randomElement(using: &random) ?? 0
            }
            let expected = String(validating: text, as: UTF8.self)
            let read = try? JSONDocument([UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")])
            #expect(read?.root.string.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(text)")
            if expected == nil { refused += 1 }
        }
        #expect(refused > 1000)
    }

    @Test func `rawOnOneLine replaces line ends by blanks at every offset`() {
        for length in 0..<40 {
            for offset in 0..<length {
                var text = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                text[offset] = offset.isMultiple(of: 2) ? UInt8(ascii: "\n") : UInt8(ascii: "\r")
                var writer = JSONWriter()
                writer.array { $0.rawOnOneLine(text[...]) }
                text[offset] = UInt8(ascii: " ")
                #expect(writer.bytes == Array("[".utf8) + text + Array("]".utf8))
            }
        }
    }

    @Test func `truncate removes the text after a mark`() {
        var writer = JSONWriter()
        writer.object { writer in
            for keeps in [false, true, false] {
                let mark = writer.mark
                writer.plainName("a")
                writer.string("가\"".utf8.span)
                if !keeps { writer.truncate(to: mark) }
            }
            writer.rawName("\"b\":".utf8.span)
            writer.null()
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":"가\"","b":null}"#)
    }
}

@Suite("JSON as a tree of values")
struct JSONValueTests {
    private let value: JSONValue = ["a": 1, "b": [true, nil, "x", 1.5], "a": 2, "c": [:]]

    @Test func `literals create JSON values`() {
        #expect(String(decoding: value.bytes, as: UTF8.self) == #"{"a":1,"b":[true,null,"x",1.5],"a":2,"c":{}}"#)
    }

    @Test func `members and elements are read by name and index`() {
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

    @Test func `a cursor finds only names with the same bytes`() throws {
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
