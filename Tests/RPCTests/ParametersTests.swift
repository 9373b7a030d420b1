import JSON
import RPC
import SearchModel
import Testing

struct ParametersTests {
    private enum Colour: String, CaseIterable {
        case red
        case green
    }

    private func parameters(_ text: String) throws -> Parameters {
        try Parameters(JSONDocument(Array(text.utf8)).root)
    }

    private func refusal(_ text: String, _ read: (inout Parameters) throws -> Void) throws -> SearchError {
        var parameters = try parameters(text)
        let error = try #require(throws: SearchError.self) { try read(&parameters) }
        #expect(error.kind == .invalidParams)
        #expect(error.retryable == false)
        #expect(error.hint != nil)
        return error
    }

    @Test func `parameters of every type are read`() throws {
        var parameters = try parameters(
            #"{"text":"a","free":true,"count":-5,"values":["x","y"],"extra":{"a":1},"kind":"green"}"#
        )
        #expect(try parameters.requiredString(.text) == "a")
        #expect(try parameters.bool(.free) == true)
        #expect(try parameters.integer(.count, in: -5...5) == -5)
        #expect(try parameters.strings(.values, countMax: 2) == ["x", "y"])
        #expect(try parameters.object(.extra)?["a"]?.int == 1)
        #expect(try parameters.choice(.kind) == Colour.green)
        try parameters.finish()
    }

    @Test(arguments: ["{}", #"{"text":null,"free":null,"count":null,"values":null,"extra":null,"kind":null}"#])
    func `a null parameter is treated as missing`(text: String) throws {
        var parameters = try parameters(text)
        #expect(try parameters.string(.text) == nil)
        #expect(try parameters.bool(.free) == nil)
        #expect(try parameters.integer(.count, in: 0...1) == nil)
        #expect(try parameters.strings(.values, countMax: 1) == nil)
        #expect(try parameters.object(.extra) == nil)
        let colour: Colour? = try parameters.choice(.kind)
        #expect(colour == nil)
        try parameters.finish()
    }

    @Test func `a request may have no parameters`() throws {
        var parameters = try Parameters(nil)
        #expect(try parameters.string(.text) == nil)
        try parameters.finish()
    }

    @Test(arguments: [
        ("1", false), ("2", true), ("9", true), ("10", false), ("2.0", false), ("2e0", false), ("\"2\"", false),
        ("true", false), ("99999999999999999999", false), ("[2]", false),
    ])
    func `an integer must be exact and within bounds`(value: String, isGood: Bool) throws {
        var parameters = try parameters(#"{"count":\#(value)}"#)
        if isGood {
            #expect(try parameters.integer(.count, in: 2...9) == Int(value))
        } else {
            let error = try refusal(#"{"count":\#(value)}"#) { _ = try $0.integer(.count, in: 2...9) }
            #expect(error.path == "params.count")
            #expect(error.hint == "Give an integer from 2 to 9.")
        }
    }

    @Test func `the number of texts in a list is limited`() throws {
        var parameters = try parameters(#"{"values":["a","b","c"]}"#)
        #expect(try parameters.strings(.values, countMax: 3)?.count == 3)
        let tooMany = try refusal(#"{"values":["a","b","c"]}"#) { _ = try $0.strings(.values, countMax: 2) }
        #expect(tooMany.hint == "Give a list of at most 2 strings.")
        let mixed = try refusal(#"{"values":["a",1]}"#) { _ = try $0.strings(.values, countMax: 2) }
        #expect(mixed.path == "params.values[1]")
    }

    @Test(arguments: ["1", "true", "[]", "{}"]) func `a value that is not a string is refused`(value: String) throws {
        #expect(try refusal(#"{"text":\#(value)}"#) { _ = try $0.string(.text) }.path == "params.text")
    }

    @Test(arguments: ["1", "\"true\"", "[]", "0"]) func `a flag must be true or false`(value: String) throws {
        #expect(try refusal(#"{"free":\#(value)}"#) { _ = try $0.bool(.free) }.path == "params.free")
    }

    @Test(arguments: ["1", "\"{}\"", "[]"]) func `a value that is not an object is refused`(value: String) throws {
        #expect(try refusal(#"{"extra":\#(value)}"#) { _ = try $0.object(.extra) }.path == "params.extra")
    }

    @Test(arguments: ["\"a\"", "{}", "1"]) func `a value that is not a list is refused`(value: String) throws {
        let error = try refusal(#"{"values":\#(value)}"#) { _ = try $0.strings(.values, countMax: 3) }
        #expect(error.path == "params.values")
    }

    @Test(arguments: ["\"blue\"", "\"Red\"", "\"\"", "1"]) func `an unknown choice is refused`(value: String) throws {
        let error = try refusal(#"{"kind":\#(value)}"#) { parameters in
            let _: Colour? = try parameters.choice(.kind)
        }
        #expect(error.path == "params.kind")
    }

    @Test func `an unknown choice gets a hint with the valid choices`() throws {
        let error = try refusal(#"{"kind":"blue"}"#) { parameters in
            let _: Colour? = try parameters.choice(.kind)
        }
        #expect(error.hint == "Give one of red, green.")
    }

    @Test(arguments: ["{}", #"{"query":null}"#])
    func `the error names a missing required parameter`(text: String) throws {
        let error = try refusal(text) { _ = try $0.requiredString(.query) }
        #expect(error.path == "params.query")
        #expect(error.message.contains("missing"))
    }

    @Test func `an unknown parameter is refused with the nearest name`() throws {
        let slip = try refusal(#"{"querry":"a"}"#) { parameters in
            _ = try parameters.string(.query)
            try parameters.finish()
        }
        #expect(slip.path == "params.querry")
        #expect(slip.hint == "Did you mean “query”?")
        let other = try refusal(#"{"kind":"a"}"#) { parameters in
            _ = try parameters.string(.query)
            _ = try parameters.bool(.raw)
            try parameters.finish()
        }
        #expect(other.hint == "Known: query, raw.")
        let none = try refusal(#"{"kind":null}"#) { try $0.finish() }
        #expect(none.hint == "This method takes no parameters.")
    }

    @Test(arguments: [
        #"{"text":"a","text":"a"}"#, #"{"text":"a","te\u0078t":"b"}"#, #"{"text":null,"text":null}"#,
    ])
    func `a duplicate parameter is refused`(text: String) throws {
        let error = try #require(throws: SearchError.self) { try parameters(text) }
        #expect(error.kind == .invalidParams)
        #expect(error.path == "params.text")
    }

    @Test func `the number of parameters is limited`() throws {
        func text(_ count: Int) -> String {
            "{" + (1...count).map { "\"p\($0)\":1" }.joined(separator: ",") + "}"
        }
        _ = try parameters(text(Parameters.membersMax))
        let error = try #require(throws: SearchError.self) { try parameters(text(Parameters.membersMax + 1)) }
        #expect(error.kind == .invalidParams && error.path == "params")
    }

    @Test func `the lengths of names and texts are limited`() throws {
        let name = String(repeating: "n", count: Parameters.nameBytesMax)
        let text = String(repeating: "t", count: Parameters.textBytesMax)
        var longest = try parameters("{\"\(name)\":\"\(text)\",\"items\":[\"\(text)\"]}")
        #expect(try longest.strings(.items, countMax: 1) == [text])
        let unknown = try #require(throws: SearchError.self) { try longest.finish() }
        #expect(unknown.path == "params.\(name)")
        #expect(throws: SearchError.self) { try parameters("{\"\(name)n\":1}") }
        var longer = try parameters("{\"text\":\"\(text)t\",\"items\":[\"\(text)t\"]}")
        let error = try #require(throws: SearchError.self) { try longer.string(.text) }
        #expect(error.path == "params.text")
        let inList = try #require(throws: SearchError.self) { try longer.strings(.items, countMax: 1) }
        #expect(inList.path == "params.items[0]")
    }

    @Test func `the encoded length of a value is limited`() throws {
        let list = "[" + String(repeating: "1,", count: (Parameters.textBytesMax - 3) / 2) + "1]"
        for longest in ["\"" + String(repeating: "t", count: Parameters.textBytesMax - 2) + "\"", list] {
            let value = try JSONDocument(Array(longest.utf8)).root
            #expect(try Parameters.value(of: value, path: "params.options.a") == value.value)
        }
        let text = "\"" + String(repeating: "t", count: Parameters.textBytesMax - 1) + "\""
        let longer = try JSONDocument(Array(text.utf8)).root
        let error = try #require(throws: SearchError.self) {
            try Parameters.value(of: longer, path: "params.options.a")
        }
        #expect(error.kind == .invalidParams && error.path == "params.options.a")
    }

    @Test(arguments: ["[]", "[\"고양이\"]"]) func `positional parameters are refused`(text: String) throws {
        let error = try #require(throws: SearchError.self) { try parameters(text) }
        #expect(error.kind == .invalidParams)
        #expect(error.path == "params")
        #expect(error.hint == "Send an object.")
    }

    @Test func `nested parameters have a complete path`() throws {
        let inner = try JSONDocument(Array(#"{"limit":"a"}"#.utf8)).root
        var parameters = try Parameters(inner, path: "params.hit")
        let error = try #require(throws: SearchError.self) { try parameters.integer(.limit, in: 0...(.max)) }
        #expect(error.path == "params.hit.limit")
        #expect(error.hint == "Give an integer of at least 0.")
    }
}
