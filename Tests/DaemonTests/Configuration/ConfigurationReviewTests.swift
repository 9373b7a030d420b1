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

    @Test func `a configuration of sources that are there has no problem`() throws {
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
        (
            "defaultSources: [\"*\", \"kakoa.*\"]",
            "c:1:25: defaultSources[1]: no source, account or profile is called kakoa.*"
        ),
        (
            "profiles: { \"@a\": [[\"naver\", \"@boks\"]] }",
            "profiles.@a[0]: no source, account or profile is called @boks. Did"
        ),
        ("profiles: { \"@a\": { sources: [\"kakoa\"] } }", "c:1:33: profiles.@a.sources[0]: no source, account or"),
        (
            "profiles: { \"@a\": [\"naver.book\"] }",
            "profiles.@a[0]: no source, account or profile is called naver.book. Naver"
        ),
        (
            "profiles: { \"@a\": [\"@a\"] }",
            "c:1:21: profiles.@a: contains itself: @a contains @a. Take one of them out."
        ),
        ("profiles: { \"@a\": [\"itunes.{language}\"] }", "is called itunes.{language}"),
        ("sources: { \"kakao.blgo\": {} }", "sources.kakao.blgo: there is no such source. Did you mean “kakao.blog”?"),
        ("sources: { \"naver.book\": {} }", "sources.naver.book: there is no such source. Naver ended"),
        ("accounts: { kakoa: {} }", "c:1:22: accounts.kakoa: no source uses this account. Did you mean “kakao”?"),
        (
            "accounts: { kakao: { kye: { env: \"K\" } } }",
            "accounts.kakao.kye: is no secret of this account. Did you mean"
        ),
        (
            "accounts: { wikipedia: { k: { env: \"K\" } } }",
            "accounts.wikipedia.k: is no secret of this account. It needs"
        ),
        ("accounts: { google: { contry: \"KR\" } }", "accounts.google.contry: is no setting of this account. Did you"),
        ("accounts: { google: { country: \"Korea\" } }", "accounts.google.country: is not allowed. It must be a text"),
    ])
    func `what no source knows is told where it stands`(member: String, expected: String) throws {
        let problems = try problems("{ \(member) }")
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.contains(expected) == true, "\(problems)")
    }

    @Test func `profiles that contain each other are told, and which`() throws {
        let problems = try problems(
            #"{ profiles: { "@a": ["@b"], "@b": ["kakao", ["@c", "@books"]], "@c": ["@a"], "@d": ["@a"] } }"#
        )
        #expect(problems.count == 3, "\(problems)")
        #expect(
            problems.first?.contains("profiles.@a: contains itself: @a contains @b contains @c contains @a") == true
        )
    }

    @Test func `a source whose file is wrong is not told again as missing`() throws {
        let problem = CatalogueError(file: "f", line: 1, column: 1, key: "", message: "is wrong")
        let refused = SourceIdentity.all(in: Array("{ source: \"demo.books\" }".utf8)).map {
            RefusedSource(identity: $0, problems: [problem])
        }
        let text = """
            { defaultSources: ["demo.books"], accounts: { demo: { key: { env: "K" } } }, sources: { "demo.books": {} } }
            """
        #expect(try problems(text).count == 3)
        #expect(try problems(text, refused: refused).isEmpty)
    }
}
