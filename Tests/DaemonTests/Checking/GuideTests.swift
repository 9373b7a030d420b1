import Catalogue
import Client
import HTTP
import JSON
import SearchModel
import Testing

@Suite struct GuideTests {
    private func load(_ text: String) throws(CatalogueError) -> Catalogue {
        var catalogue = Catalogue.builtIn()
        do throws(CatalogueMistakes) {
            try catalogue.add(file: "recipes.dishes.json5", bytes: Array(text.utf8), trust: .user)
            return catalogue
        } catch {
            // The wrong word may also cause errors about missing members.
            throw error.all.first { $0.message.contains("not known") } ?? error.all[0]
        }
    }

    @Test func `the example source maps the guide's response to the guide's hit`() throws {
        let source = try load(SourceGuide.example).source(named: #require(SourceName("recipes.dishes")))
        let account = AccountAccess(secrets: ["key": Secret("k-0123456789")])
        let page = PageRequest(
            query: try #require(SearchQuery("soup")),
            sort: .recency,
            page: 1,
            options: try source.options(from: [JSONMember("diet", "vegan")])
        )
        let request = try source.request(for: page, account: account)
        #expect(
            request.url == "https://api.recipes.example/v1/search?q=soup&page=2&per_page=20&order=newest&diet=vegan"
        )
        #expect(request.fields["Authorization"] == "Bearer k-0123456789")
        let body = """
            { "count": 57,
              "results": [ { "id": 715415, "name": "Red <b>lentil</b> soup", "intro": "Ready in …",
                             "path": "/recipes/715415", "cook": { "name": "Mina" },
                             "posted": "2024-03-09T11:51:51Z", "minutes": "35", "stars": 4.5,
                             "photos": [ { "url": "http://img.recipes.example/715415.jpg" } ] } ] }
            """
        let response = HTTPResponse(status: 200, body: Array(body.utf8))
        let mapped = try source.page(from: response, for: page, account: account)
        #expect(mapped.total == 57)
        let hit = try #require(mapped.hits.first)
        #expect(hit.id == "recipes.dishes:715415")
        #expect(hit.title == "Red lentil soup")
        #expect(hit.titleMarks == [4..<10])
        #expect(hit.snippet == "Ready in …")
        #expect(hit.url == "https://recipes.example/recipes/715415")
        #expect(hit.author == "Mina")
        #expect(hit.published?.text == "2024-03-09T11:51:51Z")
        #expect(hit.thumbnail == "https://img.recipes.example/715415.jpg")
        #expect(hit.extra == [JSONMember("minutes", 35), JSONMember("rating", 4.5)])
        let text = SourceGuide.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains(body.split(whereSeparator: \.isWhitespace).joined(separator: " ")))
    }

    private func words(_ old: String, _ new: String) throws -> [String] {
        let text = SourceGuide.example.replacing(old, with: new)
        let error = try #require(throws: CatalogueError.self) { try load(text) }
        let hint = try #require(error.hint)
        let prefix = "It must be one of "
        try #require(hint.hasPrefix(prefix), "\(error)")
        return hint.dropFirst(prefix.count).dropLast().split(separator: ", ").map(String.init)
    }

    private static let wrong = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"

    @Test(arguments: [
        ("kind:", "\(wrong): 1, kind:"),
        ("attribution:", "\(wrong): 1, attribution:"),
        ("base:", "\(wrong): 1, base:"),
        ("path: \"/v1/search\"", "\(wrong): 1, path: \"/v1/search\""),
        ("sorts: {", "sorts: { \(wrong): 1,"),
        ("type: \"choice\"", "\(wrong): 1, type: \"choice\""),
        ("type: \"choice\"", "type: \"\(wrong)\""),
        ("type: \"choice\", values: [\"vegan\", \"vegetarian\"]", "type: \"text\", of: \"\(wrong)\""),
        ("style: \"page\"", "\(wrong): 1, style: \"page\""),
        ("style: \"page\"", "style: \"\(wrong)\""),
        ("total: \"count\"", "\(wrong): 1, total: \"count\""),
        ("pastTotal: true", "\(wrong): 1"),
        ("key: \"id\"", "\(wrong): 1, key: \"id\""),
        ("{ from: \"name\"", "{ \(wrong): 1, from: \"name\""),
        ("do: \"html\"", "do: \"\(wrong)\""),
        ("{ url: \"https://recipes.example/\" }", "{ \(wrong): 1 }"),
        ("{ date: \"iso\" }", "{ date: \"\(wrong)\" }"),
        ("{ date: \"iso\" }", "{ date: \"iso\", precision: \"\(wrong)\" }"),
        ("do: \"secure\"", "do: { map: {}, others: \"\(wrong)\" }"),
        ("perSecond: 2", "\(wrong): 1"),
        ("limit: 500", "\(wrong): 1"),
        ("per: \"day\"", "per: \"\(wrong)\""),
        ("resetsAt:", "for: \"\(wrong)\", resetsAt:"),
        ("means: \"end\"", "\(wrong): 1"),
        ("means: \"end\"", "means: \"\(wrong)\""),
        ("status: 404", "\(wrong): 1"),
        ("\"error.code\": \"noPage\"", "\"error.code\": { \(wrong): 1 }"),
        ("sorts:", "query: { \(wrong): 1 }, sorts:"),
        ("sorts:", "lookup: { \(wrong): 1 }, sorts:"),
        ("source:", "family: { \(wrong): 1 }, source:"),
        ("source:", "gone: \"it ended\", source:"),
    ])
    func `the guide explains every word that a source file may contain`(old: String, new: String) throws {
        for word in try words(old, new) {
            #expect(SourceGuide.text.firstRange(of: try Regex("\\b\(word)\\b")) != nil, "\(word) is missing")
        }
    }

    @Test func `the guide explains every placeholder`() throws {
        let text = SourceGuide.example.replacing("\"{query}\"", with: "\"{nonsense}\"")
        let error = try #require(throws: CatalogueError.self) { try load(text) }
        let places = try #require(error.hint).matches(of: /\{[A-Za-z.]+\}/).map { String($0.output) }
        #expect(places.count == 10)
        for place in places { #expect(SourceGuide.text.contains(place), "\(place)") }
    }
}
