import Catalogue
import SearchModel
import SearchTestSupport
import Testing

@testable import Engine

struct ProfileTests {
    private static let keys: [String: [String: Secret]] = [
        "kakao": ["key": Secret("k")], "naver": ["id": Secret("i"), "secret": Secret("s")],
        "google": ["key": Secret("g")],
    ]

    private func registry(
        accounts: Set<String> = [],
        profiles: [Profile] = [],
        language: String = "en"
    ) -> SourceRegistry {
        let catalogue = Catalogue.builtIn()
        let sources = catalogue.sources.values.map { source in
            let secrets = accounts.contains(source.account) ? Self.keys[source.account] ?? [:] : [:]
            return ConfiguredSource(source: source, access: AccountAccess(secrets: secrets))
        }
        return SourceRegistry(
            catalogue: catalogue,
            sources: sources,
            profiles: Profile.builtIn() + profiles,
            language: language
        )
    }

    private func names(
        _ patterns: [String]?,
        _ text: String = "cats",
        in registry: SourceRegistry
    ) throws -> [String] {
        try registry.choose(patterns, kinds: nil, for: query(text)).sources.map(\.source.name.text)
    }

    private func profile(_ name: String, _ entries: [[String]]) -> Profile {
        Profile(name: name, entries: entries.map { Profile.Entry($0.map { selector($0) }) })
    }

    @Test(
        arguments: [
            ([], ["mwmbl.web", "wikipedia.en"]),
            (["kakao"], ["kakao.web", "kakao.blog", "wikipedia.en", "kakao.book"]),
            (["naver"], ["naver.web", "naver.blog", "naver.news", "wikipedia.en"]),
            (["kakao", "naver", "google"], ["kakao.web", "naver.blog", "naver.news", "wikipedia.en", "google.books"]),
        ] as [(Set<String>, [String])]
    )
    func `the default sources depend on the available keys`(accounts: Set<String>, expected: [String]) throws {
        #expect(try names(nil, in: registry(accounts: accounts)) == expected)
    }

    @Test(arguments: [
        "swift actors", "python asyncio cancel", "epoll edge triggered", "raft consensus", "std::vector", "c++",
        "파이썬 오류", "strlen_s", "vector<int> v{}",
    ])
    func `queries about programming also search sources for programming by default`(text: String) throws {
        let added = ["stackexchange.questions", "hackernews.stories"]
        #expect(try Array(names(nil, text, in: registry()).suffix(2)) == added)
    }

    @Test(arguments: [
        "cats", "김치찌개", "서울 날씨", "attention is all you need", "데미안", "제주 올레길", "경복궁", "taylor swift", "java",
        "C major", "rust belt", "it's raining, again",
    ])
    func `queries not about programming do not search the sources for programming`(text: String) throws {
        #expect(try names(nil, text, in: registry()).allSatisfy { $0 == "mwmbl.web" || $0.hasPrefix("wikipedia") })
    }

    @Test(arguments: [
        ("en", "cats", ["wikipedia.en"]), ("ko", "cats", ["wikipedia.ko", "wikipedia.en"]),
        ("en", "고양이", ["wikipedia.ko"]), ("de", "고양이 cats", ["wikipedia.ko"]), ("ko", "ネコ", ["wikipedia.ja"]),
        ("de", "Katzen", ["wikipedia.de", "wikipedia.en"]), ("fi", "kissat", ["wikipedia.en"]),
        ("zh", "猫", ["wikipedia.zh", "wikipedia.en"]), ("en", "ㅋㅋㅋ", ["wikipedia.ko"]),
    ])
    func `the encyclopedia is in the language of the query`(language: String, text: String, expected: [String]) throws {
        #expect(
            try names(nil, text, in: registry(language: language)).filter { $0.hasPrefix("wikipedia.") } == expected
        )
    }

    @Test func `“named” contains sources selected by name or glob, but not by profile`() throws {
        let choice = try registry(accounts: ["kakao"]).choose(["@books", "kakao.book", "@music"], kinds: nil)
        #expect(
            choice.sources.map(\.source.name.text) == [
                "kakao.book", "openlibrary.books", "itunes.ebook", "itunes.music", "itunes.album", "itunes.podcast",
                "musicbrainz.recordings",
            ]
        )
        #expect(choice.named.map(\.text) == ["kakao.book"])
        #expect(try registry().choose(nil, kinds: nil).named.isEmpty)
        #expect(try registry().choose(["itunes.*"], kinds: nil).named.count == 6)
    }

    @Test func `kinds alone select all available sources of these kinds`() throws {
        let choice = try registry(accounts: ["kakao"]).choose(nil, kinds: [kind("book")])
        #expect(choice.sources.map(\.source.name.text) == ["itunes.ebook", "kakao.book", "openlibrary.books"])
        #expect(choice.named.isEmpty)
    }

    @Test func `configured profiles are added to the built-in profiles, or replace them`() throws {
        let own = registry(
            accounts: ["naver"],
            profiles: [
                profile("@work", [["naver.news"], ["@books"], ["kakao.blog", "naver.blog"]]),
                profile("@books", [["openlibrary"]]),
                profile("@default", [["@work"], ["itunes.app"]]),
            ]
        )
        #expect(try names(["@work"], in: own) == ["naver.news", "openlibrary.books", "naver.blog"])
        #expect(try names(nil, in: own) == ["naver.news", "openlibrary.books", "naver.blog", "itunes.app"])
        let books = try #require(own.profiles.first { $0.name == "@books" })
        #expect(own.members(of: books).map(\.text) == ["openlibrary.books"])
    }

    @Test func `a profile that contains itself is resolved`() throws {
        let circle = registry(profiles: [
            profile("@a", [["@b"], ["itunes.app"]]), profile("@b", [["@a"], ["itunes.music"]]),
        ])
        #expect(try names(["@a"], in: circle) == ["itunes.music", "itunes.app"])
    }

    @Test func `a profile without available sources is refused, and the error names a missing key`() throws {
        let keyless = registry(profiles: [profile("@none", [])])
        let images = try #require(throws: SearchError.self) { try keyless.choose(["@images"], kinds: nil) }
        #expect(images.kind == .notConfigured && images.hint?.contains("kakao") == true)
        let empty = try #require(throws: SearchError.self) { try keyless.choose(["@none"], kinds: nil) }
        #expect(empty.kind == .notConfigured)
    }
}
