import JSON
import Testing

struct JSONTextTests {
    /// The members as they are visited, each as `name=value`, up to so many.
    private func members(of text: String, countMax: Int = .max) -> [String] {
        var visited: [String] = []
        let bytes = Array(text.utf8)
        JSONText.forEachMember(of: bytes.span) { name, value in
            visited.append(
                "\(String(decoding: bytes[name], as: UTF8.self))=\(String(decoding: bytes[value], as: UTF8.self))"
            )
            return visited.count < countMax
        }
        return visited
    }

    /// The strings of all members by the name `a`.
    private func strings(_ text: String) -> [String?] {
        var found: [String?] = []
        let bytes = Array(text.utf8)
        JSONText.forEachMember(of: bytes.span) { name, value in
            if JSONText.isString("a", at: name, of: bytes.span) {
                found.append(JSONText.string(at: value, of: bytes.span))
            }
            return true
        }
        return found
    }

    @Test func `every member is visited, whatever its value`() {
        let text = #"{"a":"x\"}y","b":-1.5,"c":[1,["]",{"d":2}],{}],"e":{"f":[]},"g":true,"":null}"#
        #expect(
            members(of: text) == [
                #""a"="x\"}y""#, #""b"=-1.5"#, #""c"=[1,["]",{"d":2}],{}]"#, #""e"={"f":[]}"#, #""g"=true"#,
                #"""=null"#,
            ]
        )
        #expect(members(of: text, countMax: 2).count == 2)
        #expect(members(of: "").isEmpty)
        #expect(members(of: "{}").isEmpty)
        #expect(members(of: #"{"a":1}"#) == [#""a"=1"#])
    }

    @Test func `strings of every length end at their quote`() {
        for length in 0..<50 {
            for end in ["", #"\\"#, #"\""#, "가"] {
                let value = "\"" + String(repeating: "x", count: length) + end + "\""
                #expect(members(of: "{\"a\":\(value),\"b\":\(value)}") == ["\"a\"=\(value)", "\"b\"=\(value)"])
            }
        }
    }

    @Test func `strings are unescaped, and nothing else is one`() {
        #expect(strings(#"{"a":"1\n\\","b":"2","a":3,"a":["4"],"aa":"5","a":""}"#) == ["1\n\\", nil, nil, ""])
    }
}
