import JSON
import Testing

@Suite("The index, by RFC 8259")
struct JSONIndexTests {
    @Test(arguments: Corpus.accepted) func `is accepted`(text: String) throws {
        let document = try JSONDocument(Array(text.utf8))
        #expect(document.root.value.bytes == Oracle.read(Array(text.utf8))?.bytes)
    }

    @Test(arguments: Corpus.refused) func `is refused`(text: String) throws {
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
        #expect(error?.code == .syntax)
        #expect((0...text.utf8.count).contains(error?.offset ?? -1))
        #expect(Oracle.read(Array(text.utf8)) == nil)
    }

    @Test(arguments: Corpus.notUTF8) func `bytes that are not UTF-8 are refused where they begin`(bytes: [UInt8]) throws
    {
        for padding in 0..<9 {
            let text = [0x22] + Array(repeating: 0x61, count: padding) + bytes + [0x22]
            let error = #expect(throws: JSONError.self) { try JSONDocument(text) }
            #expect(error?.code == .notUTF8)
            // A sequence may be well formed for a while.
            #expect((padding + 1..<padding + 1 + bytes.count).contains(error?.offset ?? -1))
        }
        #expect(throws: JSONError.self) { try JSONDocument(bytes) }
        #expect(throws: JSONError.self) { try JSONDocument([0x22] + bytes) }
        #expect(throws: JSONError.self) { try JSONDocument([0x5B] + bytes + [0x5D]) }
    }

    @Test func `every scalar passes in a string, at every place of a word`() throws {
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
    func `an error says at which byte`(text: String, offset: Int) throws {
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array(text.utf8)) }
        #expect(error?.offset == offset)
    }

    @Test func `a byte order mark is refused by its name`() throws {
        let error = #expect(throws: JSONError.self) { try JSONDocument(Array("\u{FEFF}{}".utf8)) }
        #expect(error?.message.contains("byte order mark") == true)
    }

    @Test func `half of a surrogate pair is accepted and means the replacement character`() throws {
        let cases = [
            (#""\uD83D""#, "\u{FFFD}"), (#""\uDC31""#, "\u{FFFD}"), (#""\uD83Dx""#, "\u{FFFD}x"),
            (#""\uD83D\uD83D\uDC31""#, "\u{FFFD}🐱"), (#""\uDC31\uD83D""#, "\u{FFFD}\u{FFFD}"),
            (#""\uD83D\n""#, "\u{FFFD}\n"), (#""\uD83D\u0041""#, "\u{FFFD}A"), (#""\uD83D고""#, "\u{FFFD}고"),
        ]
        for (text, meaning) in cases {
            #expect(try JSONDocument(Array(text.utf8)).root.string == meaning)
            #expect(Oracle.read(Array(text.utf8)) == .string(meaning))
        }
    }

    @Test(arguments: [
        #"{"a":[1,2,{"b":"c\n고"}],"d":null,"e":true,"f":false,"g":{}}"#, #""a long string with \u0041 in it""#,
        "[[[[[]]]]]", "[true,false,null]", "{\"고양이\":[\"사료\",\"🐱\"]}",
    ])
    func `no beginning of a text is a text`(text: String) {
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            #expect(throws: JSONError.self) { try JSONDocument(Array(bytes[..<length])) }
        }
    }
}
