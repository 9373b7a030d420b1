import Testing

@testable import JSON

@Suite("The writer")
struct JSONWriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `ranges are written as pairs of bounds`() {
        let text = written { writer in
            writer.array { writer in
                writer.ranges([])
                writer.ranges([0..<7, 10..<Int.max])
                writer.plainMember("a", "b\"c")
                writer.null()
            }
        }
        #expect(text == #"[[],[[0,7],[10,9223372036854775807]],"a":"b\"c",null]"#)
    }

    @Test func `commas are written only between values`() {
        let text = written { writer in
            writer.object { writer in
                writer.member("a", 1)
                writer.name("b")
                writer.array { writer in
                    writer.array { _ in }
                    writer.object { _ in }
                    writer.null()
                    writer.bool(true)
                    writer.string("x")
                    writer.raw(Array("[1,2]".utf8))
                    writer.array { $0.integer(1) }
                }
                writer.name("c")
                writer.object { _ in }
                writer.member("d", false)
            }
        }
        #expect(text == #"{"a":1,"b":[[],{},null,true,"x",[1,2],[1]],"c":{},"d":false}"#)
    }

    @Test func `only the necessary characters are escaped`() {
        #expect(
            written { $0.string("\u{0}\u{1F}\u{8}\t\n\u{C}\r\"\\/\u{7F}é고🐱\u{2028}") }
                == "\"\\u0000\\u001f\\b\\t\\n\\f\\r\\\"\\\\/\u{7F}é고🐱\u{2028}\""
        )
        #expect(written { $0.string("") } == "\"\"")
        #expect(written { $0.string("\n") } == #""\n""#)
        #expect(written { $0.string("a long run, then\n") } == #""a long run, then\n""#)
    }

    @Test func `names are escaped like strings`() {
        #expect(written { $0.object { $0.member("a\"b", "c") } } == #"{"a\"b":"c"}"#)
    }

    @Test func `integers are exact up to the limits`() {
        #expect(written { $0.integer(0) } == "0")
        #expect(written { $0.integer(-1) } == "-1")
        #expect(written { $0.integer(10) } == "10")
        #expect(written { $0.integer(9) } == "9")
        #expect(written { $0.integer(-128) } == "-128")
        #expect(written { $0.integer(1_000_000) } == "1000000")
        #expect(written { $0.integer(Int.min) } == "-9223372036854775808")
        #expect(written { $0.integer(Int.max) } == "9223372036854775807")
    }

    @Test func `doubles are written in the shortest form that is read as the same value`() {
        #expect(written { $0.double(12.3) } == "12.3")
        #expect(written { $0.double(0.1) } == "0.1")
        #expect(written { $0.double(3) } == "3")
        #expect(written { $0.double(-0.0) } == "-0")
        #expect(written { $0.double(1e300) } == "1e+300")
        #expect(written { $0.double(.nan) } == "null")
        #expect(written { $0.double(-.infinity) } == "null")
    }

    @Test func `a member without a value is left out`() {
        let text = written { writer in
            writer.object { writer in
                writer.member("a", nil as String?)
                writer.member("b", nil as Int?)
                writer.member("c", nil as Bool?)
                writer.member("d", nil as JSONValue?)
                writer.member("e", .null as JSONValue)
                writer.member("f", "" as String)
            }
        }
        #expect(text == #"{"e":null,"f":""}"#)
    }

    @Test func `after endLine or removeAll, the next value has no comma before it`() {
        var writer = JSONWriter()
        writer.integer(1)
        writer.endLine()
        writer.object { $0.member("a", 1) }
        writer.endLine()
        #expect(writer.bytes == Array("1\n{\"a\":1}\n".utf8))
        writer.null()
        writer.removeAll()
        writer.bool(false)
        #expect(writer.bytes == Array("false".utf8))
    }

    @Test func `a document that has several lines is written on one line`() throws {
        let pretty = Array("{\r\n  \"a\\n\": [\n1,\n2]\n}\n".utf8)
        var writer = JSONWriter()
        writer.array { writer in
            writer.rawOnOneLine(pretty[...])
            writer.rawOnOneLine([UInt8(ascii: "1")][...])
        }
        #expect(!writer.bytes.contains(UInt8(ascii: "\n")) && !writer.bytes.contains(UInt8(ascii: "\r")))
        #expect(try JSONDocument(writer.bytes).root[0]?.value == JSONDocument(pretty).root.value)
        #expect(try JSONDocument(writer.bytes).root.count == 2)
    }

    @Test func `an error that a body throws is rethrown`() {
        struct Stop: Error {}
        var writer = JSONWriter()
        #expect(throws: Stop.self) {
            try writer.array { _ in throw Stop() }
        }
    }
}
