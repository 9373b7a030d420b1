import JSON
import Testing

@Suite("JSON5")
struct JSON5Tests {
    private func read(_ text: String) throws(JSON5Error) -> JSON5Node {
        try JSON5Reader.read(Array(text.utf8))
    }

    @Test func `a typical configuration is parsed`() throws {
        let node = try read(
            """
            // where it listens
            {
                socket: '/run/searchd/searchd.sock', /* a path,
                    not a port */
                "memory": { cacheBytes: "64MiB", },
                defaultSources: ['itunes.*', "wikipedia.ko",],
                한글_$1: +1.5,
                last: null
            }
            """
        )
        #expect(
            node.plain == [
                "socket": "/run/searchd/searchd.sock",
                "memory": ["cacheBytes": "64MiB"],
                "defaultSources": ["itunes.*", "wikipedia.ko"],
                "한글_$1": 1.5,
                "last": nil,
            ]
        )
    }

    @Test func `every value and name has its position`() throws {
        let node = try read("\u{FEFF}{\r\n  a: [1,\n\t'고', {b: true}],\r  'c' :\n-2}")
        #expect([node.line, node.column] == [1, 2])
        let array = try #require(node["a"])
        #expect([array.line, array.column] == [2, 6])
        #expect(array.array?.map { [$0.line, $0.column] } == [[2, 7], [3, 2], [3, 7]])
        #expect(array.array?.last?["b"].map { [$0.line, $0.column] } == [3, 11])
        #expect(node.members?.map { [$0.line, $0.column] } == [[2, 3], [4, 3]])
        #expect(node["c"].map { [$0.line, $0.column] } == [5, 1])
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "-0"), ("+7", "7"), (".5", "0.5"), ("-.5", "-0.5"), ("5.", "5"), ("+5.e3", "5e3"),
        ("0.10", "0.10"), ("1E-2", "1e-2"), ("12e+03", "12e+03"),
    ])
    func `a number is converted to JSON's grammar`(text: String, number: String) throws {
        #expect(try read(text).number?.text == number)
        #expect(try JSONDocument(Array(number.utf8)).root.number?.text == number)
    }

    @Test(arguments: [
        (#"'a"b'"#, "a\"b"), (#""a'b""#, "a'b"), (#"'\'\"\\\/\b\f\n\r\t\v\0'"#, "'\"\\/\u{8}\u{C}\n\r\t\u{B}\0"),
        (#"'\x41\u0042'"#, "AB"), (#"'\uD83D\uDC31'"#, "🐱"), ("'a\\\nb'", "ab"), ("'a\\\r\nb'", "ab"),
        ("'a\\\u{2028}b'", "ab"), ("'\u{2028}\u{2029}\t'", "\u{2028}\u{2029}\t"), (#"'\q\고'"#, "q고"),
    ])
    func `a string is unescaped`(text: String, meaning: String) throws {
        #expect(try read(text).string == meaning)
    }

    @Test(arguments: [
        ("{a:1}", "a"), ("{$:1}", "$"), ("{_a1:1}", "_a1"), ("{true:1}", "true"),
        ("{é:1}", "é"), ("{a\u{200D}b:1}", "a\u{200D}b"), ("{'a b':1}", "a b"), ("{ⅷ:1}", "ⅷ"),
        ("{Infinity:1}", "Infinity"),
    ])
    func `a name may be unquoted`(text: String, name: String) throws {
        #expect(try read(text).members?.map(\.name) == [name])
    }

    @Test(arguments: [
        "", " ", "// nothing", "/* open", "/", "{", "[", "{a}", "{a:}", "{a:1", "{a:1,,}", "{,}", "[,]", "[1,,]",
        "[1 2]",
        "{1a:1}", "{a-b:1}", "{a b:1}", "{\\x61:1}", "{\\u0061:1}", "{-a:1}", "1 2", "[1]]", "'a", "\"a'", "'a\nb'",
        "'\\1'", "'\\01'", "'\\x4'", "'\\u004'", "'\\uD83D'", "'\\uDC31'", "'\\uD83D\\u0041'", "'\\uD83D\\n'", "'\\",
        "01", "00", "+", "-", "--1", "+-1", ".", "+.", "1e", "1e+", "0x", "0x10", "1.e",
        "1a", "12px", "1_000", "- 1", "Infinity", "-Infinity", "+NaN", "NaN", "undefined", "nul", "True", "a", "`a`",
        "[1;2]", "{a=1}", "#",
    ])
    func `a text that is not valid JSON5 is refused`(text: String) {
        let error = #expect(throws: JSON5Error.self) { try read(text) }
        #expect(error?.code == .syntax)
    }

    @Test(arguments: [
        ("{\n  a: 1\n  b: 2\n}", 3, 3), ("[1,\n 2,\n nul]", 3, 2), ("{a: 'x\n'}", 1, 7), ("/* a\n b", 1, 1),
        ("{a: \"한글\" b}", 1, 10), ("[\n'never closed", 2, 1), ("{\n a: Infinity}", 2, 5), ("{\n", 1, 1),
        ("['\\uD83D']", 1, 3), ("{\n a: {\n  b: {\n   c: 1,\n },\n d: [\n 1],\n}\n", 3, 6), ("[1,\r\n\r\n x]", 3, 2),
    ])
    func `an error has the position of the mistake`(text: String, line: Int, column: Int) {
        let error = #expect(throws: JSON5Error.self) { try read(text) }
        #expect([error?.line, error?.column] == [line, column])
    }

    @Test func `a duplicate name is refused with the lines of both members`() {
        let error = #expect(throws: JSON5Error.self) { try read("{\n a: 1,\n 'b': {a: 2},\n 'a': 3\n}") }
        #expect(error?.code == .duplicateName)
        #expect([error?.line, error?.column] == [4, 2])
        #expect(error?.message.contains("line 2") == true)
    }

    @Test(arguments: [
        ("accounts: {}", "\"{\" is missing before it"), ("{\n a:\n  b : 1}", "\"{\" is missing before it"),
        ("{a: word}", "text needs quotes"), ("{a: 1}}", "check the brackets"), ("{a: 1}, b: 2", "check the brackets"),
    ])
    func `the error of a common mistake names the likely cause`(text: String, part: String) {
        let error = #expect(throws: JSON5Error.self) { try read(text) }
        #expect(error?.message.contains(part) == true)
    }

    @Test func `Infinity and NaN are refused with a clear message`() {
        for text in ["Infinity", "-Infinity", "+Infinity", "NaN", "-NaN"] {
            let error = #expect(throws: JSON5Error.self) { try read(text) }
            #expect(error?.message.contains("Infinity and NaN") == true)
        }
    }

    @Test func `bytes that are not valid UTF-8 are refused with their position`() {
        let bytes = Array("{\n 고: '".utf8) + [0xED, 0xA0, 0x80]
        let error = #expect(throws: JSON5Error.self) { try JSON5Reader.read(bytes) }
        #expect(error?.code == .notUTF8)
        #expect([error?.line, error?.column] == [2, 6])
    }

    @Test func `a value is returned only as its own kind`() throws {
        let node = try read("{a: 1, b: 1.5, c: 'x', d: true, e: [0], f: null}")
        #expect(node["a"]?.int == 1)
        #expect(node["b"]?.int == nil)
        #expect(node["b"]?.double == 1.5)
        #expect(node["c"]?.string == "x")
        #expect(node["d"]?.bool == true)
        #expect(node["e"]?.array?.count == 1)
        #expect(node["f"]?.kind == .null)
        #expect(node["g"] == nil)
        #expect(node["a"]?["a"] == nil)
        #expect(node.members?.map(\.node.kind) == [.number, .number, .string, .bool, .array, .null])
    }
}
