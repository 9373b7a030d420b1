import JSON
import TestSupport
import Testing

@Suite("Values by their indices")
struct JSONIndicesTests {
    /// A text longer than the entries that are made room for at first, and the same as a tree.
    private func dense() throws -> (text: String, document: JSONDocument) {
        let text = "[" + String(repeating: "[1,{}],", count: 20_000) + #"{"a\u0062":"\n"}]"#
        return (text, try JSONDocument(Array(text.utf8)))
    }

    @Test func `a document with a value every other byte has all of them`() throws {
        let (text, document) = try dense()
        #expect(document.root.count == 20_001)
        #expect(document.root.value.bytes == Oracle.read(Array(text.utf8))?.bytes)
        #expect(document.element(-1, of: 0).flatMap { document.member("ab", of: $0) }.flatMap(document.string) == "\n")
    }

    @Test(arguments: ["[", "[1,", "[1,{}],", #"[["x"],"#])
    func `a text that breaks off while there are many values is refused`(_ unit: String) throws {
        let text = "[" + String(repeating: unit, count: 20)
        let padded = text + String(repeating: " ", count: 3)
        #expect(throws: JSONError.self) { try JSONDocument(Array(padded.utf8)) }
    }

    @Test func `elements are visited until one is enough`() throws {
        let document = try JSONDocument(Array("[1,[2],3]".utf8))
        var visited: [String] = []
        document.withView { view in
            view.forEachElement(of: 0) { index in
                visited.append(String(decoding: document.text(at: index), as: UTF8.self))
                return visited.count < 2
            }
        }
        #expect(visited == ["1", "[2]"])
        #expect(document.element(3, of: 0) == nil)
        #expect(document.element(-4, of: 0) == nil)
        #expect(document.element(0, of: 1) == nil)
        #expect(document.string(at: 1) == nil)
        #expect(document.member("a", of: 0) == nil)
    }

    @Test func `blanks of every length and kind stand between values`() throws {
        for length in 0..<40 {
            let margin = "\r\n\t" + String(repeating: " ", count: length)
            let text = "\(margin){\(margin)\"a\"\(margin):\(margin)[\(margin)1\(margin),\(margin)2]\(margin)}\(margin)"
            #expect(try JSONDocument(Array(text.utf8)).root.value == ["a": [1, 2]])
        }
    }

    @Test func `characters of three bytes are checked at every offset`() throws {
        for padding in 0..<20 {
            let start = Array("\"".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: padding)
            for text in ["각힣", "가 나 다라", "\u{800}\u{FFFD}\u{D7FF}\u{E000}", "고a양 이", "한글"] {
                #expect(try JSONDocument(start + text.utf8 + "\"".utf8).root.string?.hasSuffix(text) == true)
            }
            // Overlong, a surrogate, and what lacks its last byte.
            for bytes: [UInt8] in [[0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xEA, 0xB0], [0xEA, 0x20, 0xB0]] {
                let broken = start + "가".utf8 + bytes + "나다\"".utf8
                let error = #expect(throws: JSONError.self) { try JSONDocument(broken) }
                #expect(error?.code == .notUTF8)
            }
        }
    }

    @Test func `a string is taken exactly when it is UTF-8, whatever it is made of`() throws {
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

    @Test func `line ends become blanks at every offset`() {
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

    @Test func `what is taken back was never written`() {
        var writer = JSONWriter()
        writer.object { writer in
            for keeps in [false, true, false] {
                let mark = writer.mark
                writer.plainName("a")
                writer.string("가\"".utf8.span)
                if !keeps { writer.takeBack(to: mark) }
            }
            writer.rawName("\"b\":".utf8.span)
            writer.null()
            writer.rawMember("\"c\":".utf8.span, "[1]".utf8.span)
        }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":"가\"","b":null,"c":[1]}"#)
    }
}
