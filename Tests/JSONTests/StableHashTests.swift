import JSON
import Testing

struct StableHashTests {
    @Test(arguments: [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")])
    func `the hash of a text never changes`(_ text: String, _ expected: String) {
        #expect(StableHash.text(of: text) == expected)
        let seed = StableHash.hash("foo".utf8.span)
        #expect(StableHash.hash("bar".utf8.span, seed: seed) == StableHash.hash("foobar".utf8.span))
    }
}
