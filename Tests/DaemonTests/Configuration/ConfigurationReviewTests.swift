import Catalogue
import Engine
import Testing

@testable import Daemon

struct ConfigurationReviewTests {
    private func problems(_ text: String, refused: [RefusedSource] = []) throws -> [String] {
        let (configuration, wrong) = ConfigurationReader.read(Array(text.utf8), file: "c")
        try #require(wrong.isEmpty)
        return ConfigurationReview(configuration: configuration, catalogue: .builtIn(), refused: refused)
            .problems.map(\.description)
    }

    @Test func `a configuration with known names has no problem`() throws {
        let text = """
            {
                defaultSources: ["kakao.*", "wikipedia.ko", "@work", "naver"],
                profiles: {
                    "@work": ["@books", "wikipedia.{language}", ["naver.news", "itunes"]], "@books": { sources: ["kakao.book"] },
                },
                accounts: { kakao: { key: { env: "K" } }, google: { country: "US" }, itunes: { baseURL: "http://a" } },
                sources: { "kakao.blog": {} },
            }
            """
        #expect(try problems(text).isEmpty)
    }

    @Test(arguments: [
        ("defaultSources: [\"*\", \"kakoa.*\"]", "c:1:25: defaultSources[1]: ", "kakoa.*"),
        ("profiles: { \"@a\": [[\"naver\", \"@boks\"]] }", "profiles.@a[0]: ", "“@books”"),
        ("profiles: { \"@a\": { sources: [\"kakoa\"] } }", "c:1:33: profiles.@a.sources[0]: ", "“kakao”"),
        ("profiles: { \"@a\": [\"naver.book\"] }", "profiles.@a[0]: ", "Naver ended"),
        ("profiles: { \"@a\": [\"itunes.{language}\"] }", "profiles.@a[0]: ", "itunes.{language}"),
        ("sources: { \"kakao.blgo\": {} }", "sources.kakao.blgo: ", "“kakao.blog”"),
        ("sources: { \"naver.book\": {} }", "sources.naver.book: ", "Naver ended"),
        ("accounts: { kakoa: {} }", "c:1:22: accounts.kakoa: ", "“kakao”"),
        ("accounts: { kakao: { kye: { env: \"K\" } } }", "accounts.kakao.kye: ", "“key”"),
        ("accounts: { kakao: { key: \"abc\" } }", "accounts.kakao.key: is a secret", "{ value: \"…\" }"),
        ("accounts: { wikipedia: { k: { env: \"K\" } } }", "accounts.wikipedia.k: ", "needs no secret"),
        ("accounts: { google: { contry: \"KR\" } }", "accounts.google.contry: ", "“country”"),
        ("accounts: { google: { country: \"Korea\" } }", "accounts.google.country: ", "It must be"),
    ])
    func `an unknown name or an invalid value is reported with its position and a hint`(
        member: String,
        location: String,
        hint: String
    ) throws {
        let problems = try problems("{ \(member) }")
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.contains(location) == true, "\(problems)")
        #expect(problems.first?.contains(hint) == true, "\(problems)")
    }

    @Test func `a source whose file is invalid is not reported as unknown`() throws {
        let problem = CatalogueError(file: "f", line: 1, column: 1, key: "", message: "is wrong")
        let refused = SourceHeader.all(in: Array("{ source: \"demo.books\" }".utf8)).map {
            RefusedSource(identity: $0, problems: [problem])
        }
        let text = """
            { defaultSources: ["demo.books"], accounts: { demo: { key: { env: "K" } } }, sources: { "demo.books": {} } }
            """
        #expect(try problems(text).count == 3)
        #expect(try problems(text, refused: refused).isEmpty)
    }
}
