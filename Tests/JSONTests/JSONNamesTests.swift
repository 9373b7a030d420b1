import JSON
import Testing

struct JSONNamesTests {
    private func visited(_ text: String, _ names: [String]) throws -> [String] {
        var visited: [String] = []
        let document = try JSONDocument(Array(text.utf8))
        document.withView { view in
            view.forEachMember(of: 0, named: JSONNames(names)) { name, value in
                visited.append("\(name)=\(String(decoding: document.text(at: value), as: UTF8.self))")
            }
        }
        return visited
    }

    @Test func `only members of these names are visited, in their order`() throws {
        let text = #"{"b":1,"aa":{"a":0},"a":[2,{"b":9}],"":3,"b":4,"c":5}"#
        #expect(try visited(text, ["a", "b"]) == ["1=1", #"0=[2,{"b":9}]"#, "1=4"])
        #expect(try visited(text, ["", "aa"]) == [#"1={"a":0}"#, "0=3"])
        #expect(try visited(text, []).isEmpty)
    }

    @Test func `a name that is written with escapes is the same name`() throws {
        #expect(try visited(#"{"\u0061b":1,"고양이":2,"\uace0양이":3}"#, ["ab", "고양이"]) == ["0=1", "1=2", "1=3"])
    }

    @Test func `names are told apart by every byte, whatever their length`() throws {
        // Names of all lengths around those of words; each differs from the next in one byte, at every place of it.
        var names: [String] = []
        for length in 1...26 {
            for place in 0..<length {
                names.append(
                    String(repeating: "a", count: place) + "b" + String(repeating: "a", count: length - place - 1)
                )
            }
        }
        let members = names.map { "\"\($0)\":0" }.joined(separator: ",")
        let even = names.indices.filter { $0.isMultiple(of: 2) }
        #expect(try visited("{\(members)}", even.map { names[$0] }) == even.indices.map { "\($0)=0" })
    }

    @Test func `a name belongs to its group only`() throws {
        let names = JSONNames([(group: 0, text: "a"), (group: 1, text: "b"), (group: 1, text: "a")])
        let document = try JSONDocument(Array(#"{"a":1,"b":2}"#.utf8))
        var visited: [[Int]] = []
        document.withView { view in
            for group in 0...2 {
                view.forEachMember(of: 0, named: names, group: group) { name, value in
                    visited.append([group, name, value])
                }
            }
        }
        #expect(visited == [[0, 0, 2], [1, 2, 2], [1, 1, 4]])
    }

    @Test func `what is no object has no members`() throws {
        #expect(try visited("[1]", ["a"]).isEmpty)
        #expect(try visited("\"a\"", ["a"]).isEmpty)
        #expect(try visited("{}", ["a"]).isEmpty)
    }
}
