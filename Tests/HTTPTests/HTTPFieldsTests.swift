import HTTP
import Testing

@Suite("Header fields")
struct HTTPFieldsTests {
    @Test func `names are compared without case`() {
        let fields = HTTPFields([("Content-Type", "application/json"), ("ETag", "\"a\"")])
        #expect(fields["content-type"] == "application/json")
        #expect(fields["ETAG"] == "\"a\"")
        #expect(fields["Content"] == nil)
        #expect(fields["Content-Type "] == nil)
    }

    @Test func `case is ignored only in ASCII letters`() {
        var fields = HTTPFields([("K", "letter"), ("@", "at"), ("[", "bracket")])
        #expect(fields["\u{212A}"] == nil)
        #expect(fields["`"] == nil)
        #expect(fields["{"] == nil)
        fields["É"] = "x"
        #expect(fields["é"] == nil)
    }

    @Test func `the first value of a name is returned, and all fields keep their order`() {
        var fields = HTTPFields([("Set-Cookie", "a")])
        fields.append("X", "1")
        fields.append("set-cookie", "b")
        #expect(fields["Set-Cookie"] == "a")
        #expect(fields.fields.map(\.name) == ["Set-Cookie", "X", "set-cookie"])
        #expect(fields.fields.map(\.value) == ["a", "1", "b"])
    }

    @Test func `setting a field replaces all fields of the same name`() {
        var fields = HTTPFields([("Via", "a"), ("X", "1"), ("VIA", "b")])
        fields["via"] = "c"
        #expect(fields == HTTPFields([("X", "1"), ("via", "c")]))
        fields["X"] = nil
        fields["nothing"] = nil
        #expect(fields == HTTPFields([("via", "c")]))
    }
}
