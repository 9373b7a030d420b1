import Catalogue
import JSON
import SearchModel
import Testing

/// Every option that a source declares, with every choice or an example of its kind, over HTTP.
@Suite struct OptionsOverHTTPTests {
    /// What a value of an option changes.
    enum Effect: Sendable {
        /// Other hits, or in another order.
        case otherHits
        /// The same items, told otherwise.
        case otherWords
        /// Nothing: it is what the source does anyway, or finds the same here.
        case nothing
    }

    /// One option of a source, or of all sources that begin with a pattern.
    struct OptionRow: Sendable, CustomTestStringConvertible {
        let pattern: String
        let option: String
        /// A value, the source's word for it, and what it changes.
        let values: [(value: JSONValue, word: String, effect: Effect)]

        init(_ pattern: String, _ option: String, _ values: [(JSONValue, String, Effect)]) {
            self.pattern = pattern
            self.option = option
            self.values = values.map { (value: $0.0, word: $0.1, effect: $0.2) }
        }

        /// Choices, which are the source's own words.
        init(_ pattern: String, _ option: String, _ choices: [(String, Effect)]) {
            self.init(pattern, option, choices.map { (.string($0.0), $0.0, $0.1) })
        }

        var testDescription: String { "\(pattern) \(option)" }
    }

    static let rows = [
        OptionRow(
            "kakao.book",
            "target",
            [("title", .otherHits), ("isbn", .otherHits), ("publisher", .otherHits), ("person", .otherHits)]
        ),
        OptionRow(
            "naver.image",
            "filter",
            [("all", .nothing), ("large", .otherHits), ("medium", .otherHits), ("small", .otherHits)]
        ),
        OptionRow("naver.kin", "order", [("point", .otherHits)]),
        OptionRow("naver.local", "order", [("comment", .otherHits)]),
        OptionRow(
            "google.books",
            "printType",
            [("all", .nothing), ("books", .otherHits), ("magazines", .otherHits)]
        ),
        OptionRow(
            "google.books",
            "filter",
            [
                ("partial", .otherHits), ("full", .otherHits), ("free-ebooks", .otherHits), ("paid-ebooks", .otherHits),
                ("ebooks", .otherHits),
            ]
        ),
        OptionRow("google.books", "language", [("ko", .otherHits)]),
        OptionRow("itunes.", "country", [("US", .otherWords)]),
        OptionRow("itunes.", "attribute", [("titleTerm", .otherHits), ("artistTerm", .otherHits)]),
        OptionRow("itunes.", "explicit", [(true, "Yes", .nothing), (false, "No", .otherHits)]),
        OptionRow("wikipedia.", "what", [("text", .nothing), ("title", .otherHits), ("nearmatch", .otherHits)]),
        OptionRow("openlibrary.books", "language", [("kor", .otherHits)]),
        OptionRow(
            "hackernews.stories",
            "tags",
            [
                ("story", .nothing), ("show_hn", .otherHits), ("ask_hn", .otherHits), ("poll", .otherHits),
                ("front_page", .otherHits),
            ]
        ),
        OptionRow("hackernews.stories", "minPoints", [(0, "0", .nothing), (100, "100", .otherHits)]),
    ]

    static func rows(of source: Source) -> [OptionRow] {
        rows.filter { source.name.text.hasPrefix($0.pattern) }
    }

    @Test func `every option of every source is tried, with every choice it has`() {
        for source in builtInSources {
            let rows = Self.rows(of: source)
            #expect(Set(rows.map(\.option)) == Set(source.options.map(\.name)), "\(source.name)")
            for row in rows {
                guard let spec = source.options.first(where: { $0.name == row.option }) else { continue }
                switch spec.type {
                case .choice(let choices): #expect(row.values.map(\.word) == choices, "\(source.name) \(row.option)")
                case .flag: #expect(row.values.count == 2, "\(source.name) \(row.option)")
                case .integer, .text: #expect(!row.values.isEmpty, "\(source.name) \(row.option)")
                }
            }
        }
    }

    @Test(arguments: builtInSources.filter { !$0.options.isEmpty }.map(\.name.text))
    func `each option does what it says`(name: String) async throws {
        try await withSources { sources in
            let source = try sources.source(name)
            // Naver's places are few.
            let query = name == "naver.local" ? "고양이" : "고양이 카페 사료"
            let usual = try await sources.page(name, query)
            for row in Self.rows(of: source) {
                for (value, word, effect) in row.values {
                    let options = try source.options(from: [JSONMember(row.option, value)])
                    #expect(options.map(\.value) == [word])
                    let page = try await sources.page(name, query, .relevance, options)
                    let (keys, usualKeys) = (try keys(page), try keys(usual))
                    let message: Comment = "\(name) \(row.option) \(word)"
                    switch effect {
                    case .otherHits: #expect(keys != usualKeys, message)
                    case .otherWords:
                        #expect(keys == usualKeys && page.hits.map(\.raw) != usual.hits.map(\.raw), message)
                    case .nothing: #expect(page.hits.map(\.raw) == usual.hits.map(\.raw), message)
                    }
                }
            }
        }
    }

    private func keys(_ page: Page) throws -> [String] {
        try page.hits.map { try DocumentKey.of($0.raw, $0.source) }
    }
}
