import JSON
import TestSupport
import Testing

@Suite("Readers of mutated JSON and JSON5")
struct JSONFuzzTests {
    static let seeds =
        (Corpus.accepted + Corpus.refused).map { Array($0.utf8) } + Corpus.notUTF8 + [
            Array(#"{"jsonrpc":"2.0","id":17,"method":"search","params":{"query":"고양이","limit":10}}"#.utf8),
            Array(#"[{"a":[1,2.5e3,-0],"b\n":"\uD83D\uDC31"},[[],{}],true,false,null,"日本語"]"#.utf8),
        ]
    private static let spice = Array("[]{},:\"\\u09-+.eEtfn 고🐱\0\n\u{1F}/'".utf8) + [0x80, 0xC0, 0xED, 0xFF]

    static func mutate(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let stretch = place..<min(bytes.count, place + Int.random(in: 0...6, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.insert(spice.randomElement(using: &random) ?? 0, at: place)
            case 1: bytes.removeSubrange(stretch)
            case 2: bytes.insert(contentsOf: bytes[stretch], at: place)
            case 3: bytes.replaceSubrange(stretch, with: (seeds.randomElement(using: &random) ?? []).prefix(24))
            default: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
            }
        }
        return bytes
    }

    @Test func `the index and a reference parser agree on mutated texts`() throws {
        var random = SeededGenerator(seed: testSeed())
        var index = JSONIndex(limits: .document)
        var accepted = 0
        var pool = Self.seeds
        for round in 0..<20_000 {
            let text = Self.mutate(pool.randomElement(using: &random) ?? [], using: &random)
            let expected = ReferenceParser.read(text)
            do throws(JSONError) {
                try index.index(text)
                accepted += 1
                // Bytes are compared, because `==` ignores the Unicode normal form.
                #expect(try JSONDocument(text).root.value.bytes == expected?.bytes, "round \(round): \(text)")
                if text.count < 400 { pool.append(text) }
            } catch {
                #expect(expected == nil, "round \(round): \(text)")
                #expect((0...text.count).contains(error.offset))
                let isUTF8 = String(validating: text, as: UTF8.self) != nil
                #expect(error.code != .notUTF8 || !isUTF8, "round \(round): \(text)")
            }
        }
        #expect(accepted > 1000)
    }

    @Test func `written values are read back unchanged`() throws {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<2000 {
            let value = Self.tree(depth: 4, using: &random)
            let bytes = value.bytes
            #expect(try JSONDocument(bytes).root.value.bytes == bytes)
            #expect(try JSONDocument(bytes).root.value == value)
            #expect(ReferenceParser.read(bytes)?.bytes == bytes)
        }
    }

    @Test func `JSON read as JSON5 has the same value`() throws {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<1000 {
            let value = Self.tree(depth: 4, using: &random)
            do throws(JSON5Error) {
                #expect(try JSON5Reader.read(value.bytes).plain == value)
            } catch {
                #expect(error.code == .duplicateName)
            }
        }
    }

    @Test func `JSON5 neither crashes nor hangs on broken files`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<5000 {
            let text = Self.mutate(Self.seeds.randomElement(using: &random) ?? [], using: &random)
            do throws(JSON5Error) {
                _ = try JSON5Reader.read(text)
            } catch {
                #expect(error.line >= 1 && error.column >= 1)
                #expect(error.line <= text.count + 1 && error.column <= text.count + 1)
            }
        }
    }

    static func tree(depth: Int, using random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .number(JSONNumber(Int64.random(in: .min ... .max, using: &random)))
        case 3:
            let double = Double(bitPattern: random.next())
            return JSONNumber(double).map(JSONValue.number) ?? .null
        case 4: return .string(string(using: &random))
        case 5:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in tree(depth: depth - 1, using: &random) }
            )
        default:
            return .object(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                    JSONMember(string(using: &random), tree(depth: depth - 1, using: &random))
                }
            )
        }
    }

    private static func string(using random: inout SeededGenerator) -> String {
        let planes: [ClosedRange<UInt32>] = [0...0x7F, 0x20...0x7E, 0x80...0x7FF, 0xAC00...0xD7A3, 0...0x10FFFF]
        var string = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<20, using: &random) {
            let plane = planes.randomElement(using: &random) ?? 0...0
            string.append(Unicode.Scalar(UInt32.random(in: plane, using: &random)) ?? "\"")
        }
        return String(string)
    }
}

/// JSON texts that the parser must accept or refuse.
enum Corpus {
    static let accepted = [
        "null", "true", "false", "0", "-0", "\"\"", "[]", "{}", " [] ", "\t\n\r []\r\n", "[ ]", "{ }",
        "1", "-1", "10", "120", "0.0", "-0.0", "1.5", "1e5", "1E5", "1e+5", "1e-5", "0e0", "0E+01", "-1.25e-02",
        "123456789012345678901234567890", "0.1000000000000000055511151231257827", "1e400", "-1e-400",
        "[1]", "[1,2]", "[ 1 , 2 ]", "[[]]", "[[],[]]", "[[[[1]]]]", "[null,true,false]", "[{}]", "[\"a\",{\"b\":[]}]",
        "{\"\":0}", "{\"a\":1}", "{ \"a\" : 1 , \"b\" : 2 }", "{\"a\":{\"b\":{}}}", "{\"a\":1,\"a\":2}",
        "\"a\"", "\"seven..\"", "\"eight...\"", "\"a string longer than two words of eight\"", "\"\u{7F}\"", "\"/\"",
        #""\"""#, #""\\""#, #""\/""#, #""\b\f\n\r\t""#, #""\u0000""#, #""\u00e9\u00E9""#, #""\uD83D\uDC31""#,
        #""\\u00""#, #""\\\"""#, #"{"\u0061":"\u0062"}"#,
        "\"é\"", "\"고양이\"", "\"🐱\"", "\"\u{80}\"", "\"\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}\"",
        "\"\u{2028}\u{2029}\"", "\"\u{FEFF}\"", "\"a\u{0301}\"", "\"1234567é\"", "\"12345678é\"", "\"123456é8\"",
        "[\"\u{10FFFF}\u{10FFFF}\",\"x\"]", "{\"고양이\":\"사료\"}",
    ]

    static let refused = [
        "", " ", "\n", "nul", "nulll", "nuLL", "tru", "truE", "True", "fals", "falsey", "undefined", "NaN", "Infinity",
        "-Infinity", "-NaN", "-", "--1", "+1", "-+1", ".5", "-.5", "1.", "1.e5", "1.5.5", "01", "-01", "00", "007",
        "1e", "1e+", "1E-", "1e5.5", "1e 5", "1 e5", "0x10", "1_000", "1,000", "1a", "²",
        "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1:2]", "[1}", "[[]", "[]]", "[1]]", "[\"a\"",
        "{", "}", "{]", "{1:2}", "{a:1}", "{'a':1}", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}",
        "{,}", "{\"a\" 1}", "{\"a\"::1}", "{\"a\":1 \"b\":2}", "{\"a\":1,,\"b\":2}", "{\"a\":1]", "{\"a\",1}", "{:1}",
        "{\"a\":1}}", "{\"a\":1}{", "{null:1}", "[1]a", "1 2", "null null", "\"a\" \"b\"", "[] []", "{} //", "[]\0",
        "'a'", "`a`", "a", "\"", "\"a", "a\"", "\"a\"\"", "\"\\\"", "\"\\", "\"\\\\\\\"",
        "\"\\a\"", "\"\\x41\"", "\"\\'\"", "\"\\0\"", "\"\\U0041\"", "\"\\u\"", "\"\\u0\"", "\"\\u004\"", "\"\\u004",
        "\"\\u004g\"", "\"\\u-041\"", "\"\\u 041\"", "\"\\uD83D\\u\"", "\"\\\n\"",
        "\"\n\"", "\"\t\"", "\"\r\"", "\"\0\"", "\"\u{1F}\"", "\"1234567\n\"", "\"12345678\u{1}\"",
        "// c\n1", "/* c */ 1", "1 // c", "# c\n1", "[1 /* c */]",
        "\u{FEFF}1", "\u{FEFF}", "\u{A0}1", "1\u{A0}", "\u{2028}1", "[\u{B}1]", "[\u{C}1]", "[é]", "é", "[1]é",
    ]

    static let notUTF8: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x22], [0xC3, 0xC3], [0xE0, 0x80, 0x80],
        [0xE0, 0x9F, 0xBF], [0xE1, 0x80], [0xE1, 0x80, 0x7F], [0xEA, 0xB3, 0xC0], [0xED, 0xA0, 0x80],
        [0xED, 0xBF, 0xBF], [0xEF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x90],
        [0xF0, 0x9F, 0x90, 0x41], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
        [0xFE], [0xFF], [0xFF, 0xFE],
    ]
}

/// A simple, slow parser for RFC 8259.
///
/// Returns nil if the text is not valid.
struct ReferenceParser {
    static func read(_ bytes: [UInt8]) -> JSONValue? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var oracle = ReferenceParser(rest: Array(text.unicodeScalars)[...])
        guard let value = oracle.element(), oracle.rest.isEmpty else { return nil }
        return value
    }

    private var rest: ArraySlice<Unicode.Scalar>

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest.removeFirst(text.unicodeScalars.count)
        return true
    }

    private mutating func take(while isWanted: (Unicode.Scalar) -> Bool) -> String {
        let taken = rest.prefix(while: isWanted)
        rest.removeFirst(taken.count)
        return String(String.UnicodeScalarView(taken))
    }

    private mutating func blanks() {
        _ = take { " \t\n\r".unicodeScalars.contains($0) }
    }

    private mutating func element() -> JSONValue? {
        blanks()
        guard let value = value() else { return nil }
        blanks()
        return value
    }

    private mutating func value() -> JSONValue? {
        if take("null") { return .null }
        if take("true") { return true }
        if take("false") { return false }
        if take("[") { return array() }
        if take("{") { return object() }
        if rest.first == "\"" { return string().map(JSONValue.string) }
        return number()
    }

    private mutating func array() -> JSONValue? {
        blanks()
        if take("]") { return [] }
        var elements: [JSONValue] = []
        repeat {
            guard let value = element() else { return nil }
            elements.append(value)
        } while take(",")
        return take("]") ? .array(elements) : nil
    }

    private mutating func object() -> JSONValue? {
        blanks()
        if take("}") { return [:] }
        var members: [JSONMember] = []
        repeat {
            blanks()
            guard let name = string() else { return nil }
            blanks()
            guard take(":"), let value = element() else { return nil }
            members.append(JSONMember(name, value))
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var units: [UInt16] = []
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return String(decoding: units, as: UTF16.self)
            case "\0"..."\u{1F}": return nil
            case "\\":
                guard let unit = escape() else { return nil }
                units.append(unit)
            default: units.append(contentsOf: String(scalar).utf16)
            }
        }
        return nil
    }

    private mutating func escape() -> UInt16? {
        if take("u") {
            let digits = rest.prefix(4)
            guard digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }) else {
                return nil
            }
            rest.removeFirst(4)
            return UInt16(String(String.UnicodeScalarView(digits)), radix: 16)
        }
        let meanings: [Unicode.Scalar: UInt16] = [
            "\"": 34, "\\": 92, "/": 47, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
        ]
        return rest.popFirst().flatMap { meanings[$0] }
    }

    private mutating func number() -> JSONValue? {
        let text = take { "+-.0123456789eE".unicodeScalars.contains($0) }
        let shape = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
        return text.wholeMatch(of: shape) == nil ? nil : .number(JSONNumber(validatedText: text))
    }
}
