import JSON
import Testing

@Suite("Numbers")
struct JSONNumberTests {
    @Test(arguments: ["0", "-0", "1.0", "1.10", "1E+2", "123456789012345678901234567890", "1e400", "0.1e-7"])
    func `a number stays as it is written`(text: String) throws {
        let number = try JSONDocument(Array(text.utf8)).root.number
        #expect(number?.text == text)
        #expect(number.map { JSONValue.number($0).bytes } == Array(text.utf8))
    }

    @Test func `an integer is exact or it is none`() throws {
        let cases: [(String, Int?)] = [
            ("9223372036854775807", .max), ("9223372036854775808", nil), ("-9223372036854775808", .min),
            ("-9223372036854775809", nil), ("-0", 0), ("1.0", nil), ("1e2", nil),
            ("9007199254740993", 9_007_199_254_740_993),
        ]
        for (text, int) in cases {
            #expect(try JSONDocument(Array(text.utf8)).root.int == int)
        }
    }

    @Test func `a double is the nearest`() throws {
        #expect(try JSONDocument(Array("0.1".utf8)).root.double == 0.1)
        #expect(try JSONDocument(Array("-1.5e3".utf8)).root.double == -1500)
        #expect(try JSONDocument(Array("9007199254740993".utf8)).root.double == 9_007_199_254_740_992)
        #expect(try JSONDocument(Array("1e400".utf8)).root.double == .infinity)
        #expect(try JSONDocument(Array("1e-400".utf8)).root.double == 0)
    }
}
