import JSON
import Testing

@testable import Client

struct MissingFieldTests {
    private static let hits = [
        #"{"id":"a.b:1","title":"하나","extra":{"price":5,"pages":9}}"#, #"{"id":"a.b:2","title":"둘","author":null}"#,
        #"{"id":"a.b:3","title":"셋","url":"https://a.example/"}"#,
    ]

    private func finding(_ path: String, _ hits: [String] = hits) throws -> (error: ClientError, isMistyped: Bool)? {
        try MissingField.finding(.lines(.fields([path])), hits.map { try JSONDocument(Array($0.utf8)).root })
    }

    @Test(arguments: [("titel", "title"), ("Title", "title"), ("ulr", "url"), ("extr", "extra")])
    func `a member that no hit can have is refused, with the nearest there is`(path: String, meant: String) throws {
        let refusal = try #require(MissingField.refusal(.lines(.fields(["url", path]))))
        #expect(refusal.message == "hits have no member “\(path)”")
        #expect(refusal.hint == "Did you mean “\(meant)”?")
    }

    @Test func `where none is near all are named`() throws {
        let hint = try #require(MissingField.refusal(.lines(.fields(["isbn"])))?.hint)
        #expect(hint.hasPrefix("What hits have: id, source, kind, title, snippet, "))
    }

    @Test(arguments: ["url", "title", "extra", "extra.price", "raw.x", "author"])
    func `what a hit can have is taken`(path: String) {
        #expect(MissingField.refusal(.lines(.fields([path]))) == nil)
    }

    @Test func `a member of a member that none has is mistyped when another is near`() throws {
        let mistyped = try #require(try finding("extra.pric"))
        #expect(mistyped.isMistyped && mistyped.error.hint == "Did you mean “extra.price”?")
        let absent = try #require(try finding("extra.width"))
        #expect(!absent.isMistyped && absent.error.message == "no hit has “extra.width”")
        #expect(try finding("extra.price") == nil)
        #expect(try finding("thumbnail")?.isMistyped == false)
    }

    @Test func `without hits, or in another format, nothing is missing`() throws {
        #expect(try finding("extra.x", []) == nil)
        let hit = try JSONDocument(Array(Self.hits[0].utf8)).root
        #expect(MissingField.finding(.json, [hit]) == nil)
        #expect(MissingField.finding(.lines(.tsv), [hit]) == nil)
        #expect(MissingField.refusal(.json) == nil)
    }
}
