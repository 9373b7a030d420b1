import Catalogue
import JSON
import SearchModel
import Testing

struct OptionTests {
    @Test func `valid values of every type are accepted, and options are sorted by name`() throws {
        let books = try source("google.books")
        #expect(
            try books.options(from: [JSONMember("printType", "books"), JSONMember("language", "ko")])
                == [Option(name: "language", value: "ko"), Option(name: "printType", value: "books")]
        )
        #expect(
            try source("hackernews.stories").options(from: [JSONMember("minPoints", 10)]) == [
                Option(name: "minPoints", value: "10")
            ]
        )
        #expect(
            try source("itunes.app").options(from: [JSONMember("explicit", false)]) == [
                Option(name: "explicit", value: "No")
            ]
        )
        #expect(try books.options(from: []).isEmpty)
    }

    @Test(arguments: [
        ("naver.image", "filter", "huge" as JSONValue), ("naver.image", "filter", 1),
        ("hackernews.stories", "minPoints", -1),
        ("hackernews.stories", "minPoints", 10_001), ("hackernews.stories", "minPoints", 1.5),
        ("itunes.app", "country", "KOR"),
        ("itunes.app", "country", "K1"), ("itunes.app", "explicit", "Yes"), ("itunes.app", "attribute", "a b"),
        ("itunes.app", "attribute", ""), ("itunes.app", "attribute", nil),
    ])
    func `an invalid value is rejected with its path`(_ name: String, _ option: String, _ value: JSONValue) throws {
        let source = try source(name)
        let error = try #require(throws: SearchError.self) { try source.options(from: [JSONMember(option, value)]) }
        #expect(error.kind == .invalidParams)
        #expect(error.path == "params.options.\(name).\(option)")
        #expect(error.hint?.hasPrefix("It must be") == true)
    }

    @Test func `the error for an unknown option suggests the nearest name`() throws {
        let source = try source("google.books")
        let error = try #require(throws: SearchError.self) {
            try source.options(from: [JSONMember("printtype", "all")])
        }
        #expect(error.hint == "Did you mean “printType”?")
        #expect(error.path == "params.options.google.books.printtype")
    }

    @Test func `options are shown with type, range and default`() throws {
        #expect(
            try source("hackernews.stories").optionsJSON["minPoints"]
                == ["type": "integer", "min": 0, "max": 10_000, "about": "only stories with at least this many points"]
        )
        #expect(try source("naver.image").optionsJSON["filter"]?["values"] == ["all", "large", "medium", "small"])
    }
}
