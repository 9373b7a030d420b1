import HTTPMessage
import JSON
import SearchModel
import Testing

@testable import Catalogue

struct GuideTests {
    /// The file between the guide's fences.
    private func example() throws -> String {
        let guide = Catalogue.guide
        let start = try #require(guide.firstRange(of: "```json5\n"))
        let end = try #require(guide[start.upperBound...].firstRange(of: "```"))
        return String(guide[start.upperBound..<end.lowerBound])
    }

    @Test func `the guide's example is a source that works`() throws {
        var catalogue = Catalogue.builtIn()
        try catalogue.add(file: "github.json5", bytes: Array(try example().utf8), trust: .user)
        let source = try catalogue.source(named: #require(SourceName("github.repositories")))
        let request = try source.request(for: pageRequest("swift json", .recency), account: AccountAccess())
        #expect(
            request.url == "https://api.github.com/search/repositories?q=swift%20json&sort=updated&page=1&per_page=100"
        )
        #expect(request.fields["User-Agent"] == "searchd")
        let body = #"""
            {"total_count":40,"incomplete_results":false,"items":[{"id":3081286,"full_name":"dtrupenn/Tetris","html_url":"https://github.com/dtrupenn/Tetris",
             "description":"A C implementation","owner":{"login":"dtrupenn","avatar_url":"https://avatars.example.com/u/1"},"pushed_at":"2012-01-01T00:31:50Z",
             "stargazers_count":1,"language":"Assembly","license":null,"topics":[]}]}
            """#
        let page = try source.page(from: response(body), for: pageRequest("tetris"), account: AccountAccess())
        let hit = try #require(page.hits.first)
        #expect(page.isEnd && page.reachable == 40)
        #expect(hit.id == "github.repositories:3081286")
        #expect(hit.author == "dtrupenn")
        #expect(hit.extra.map(\.name) == ["stars", "language", "topics"])
        let error = try #require(throws: SearchError.self) {
            try source.page(
                from: response(
                    #"{"message":"API rate limit exceeded"}"#,
                    status: 403,
                    [("x-ratelimit-remaining", "0")]
                ),
                for: pageRequest("tetris"),
                account: AccountAccess()
            )
        }
        #expect(error.kind == .rateLimited && error.retryAfter == .seconds(60))
    }

    @Test func `the guide names everything that the language has`() {
        let guide = Catalogue.guide
        let names =
            Step.words.map(\.0) + Step.names + SourceParts.keys + AccountDeclaration.keys
            + ErrorRule.Meaning.allCases.map(\.rawValue) + DateFormat.allCases.map(\.rawValue)
        for name in names {
            #expect(guide.contains("`\(name)") || guide.contains(" \(name): "), "\(name)")
        }
    }
}
