import JSON
import Testing

@testable import Client

struct MissingFieldTests {
    private static let hits = [
        #"{"id":"a.b:1","title":"하나","extra":{"price":5,"pages":9}}"#, #"{"id":"a.b:2","title":"둘","author":null}"#,
        #"{"id":"a.b:3","title":"셋","url":"https://a.example/"}"#,
    ]

    private func warning(_ path: String, _ hits: [String] = hits) throws -> ClientError? {
        try MissingField.warning(.lines(.field(path)), hits.map { try JSONDocument(Array($0.utf8)).root })
    }

    @Test(arguments: [
        ("titel", "title"), ("Title", "title"), ("ulr", "url"), ("extra.pric", "extra.price"), ("extr", "extra"),
    ])
    func `a member that no hit has is told with the nearest that some have`(path: String, meant: String) throws {
        let warning = try #require(try warning(path))
        #expect(warning.message == "no hit has “\(path)”")
        #expect(warning.hint == "Did you mean “\(meant)”?")
    }

    @Test func `where none is near all are named`() throws {
        #expect(
            try warning("publisher")?.hint
                == "What they have: id, title, extra, extra.price, extra.pages, author, url"
        )
    }

    @Test(arguments: ["url", "title", "extra", "extra.price"])
    func `one hit that has it is enough`(path: String) throws {
        #expect(try warning(path) == nil)
    }

    @Test func `without hits, or in another format, nothing is missing`() throws {
        #expect(try warning("titel", []) == nil)
        let hit = try JSONDocument(Array(Self.hits[0].utf8)).root
        #expect(MissingField.warning(.json, [hit]) == nil)
        #expect(MissingField.warning(.lines(.tsv), [hit]) == nil)
    }
}
