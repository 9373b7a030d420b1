import Catalogue
import SearchModel
import Testing

@testable import Daemon

struct ConfigurationProblemsTests {
    private func problems(_ text: String) -> [String] {
        ConfigurationReader.read(Array(text.utf8), file: "c.json5").problems.map(\.description)
    }

    @Test func `every key of a right file is taken`() throws {
        let text = """
            {
                socket: "/run/s", stateDirectory: "/var/s", cacheDirectory: "/var/c",
                defaultSources: ["kakao.*", ["@work", "naver"]],
                profiles: { "@work": ["naver.news"], "@own": { about: "mine", sources: [] } }, sourceDirectories: ["/etc/d"],
                allowedHosts: ["Wiki.LAN", "127.0.0.1", "[::1]"],
                accounts: { demo: { key: { env: "KEY" }, country: "KR", baseURL: "http://127.0.0.1:1" } },
                sources: { "kakao.blog": {
                    enabled: false, ttl: "5m", weight: 2, baseURL: "https://proxy.example.org",
                    limits: { perSecond: 0.5, perDay: 7, concurrency: 3 },
                } },
                memory: { cacheBytes: "8MiB" },
            }
            """
        let (configuration, problems) = ConfigurationReader.read(Array(text.utf8), file: "c.json5")
        #expect(problems.isEmpty)
        #expect(configuration.socket == "/run/s")
        #expect(
            configuration.defaultSources == [
                Profile.Entry([.glob("kakao.*")]), Profile.Entry([.profile("@work"), .account("naver")]),
            ]
        )
        let news = try #require(SourceName("naver.news"))
        #expect(
            configuration.profiles == [
                Profile(name: "@work", entries: [Profile.Entry([.source(news)])]),
                Profile(name: "@own", about: "mine", entries: []),
            ]
        )
        #expect(configuration.sourceDirectories == ["/etc/d"])
        #expect(configuration.allowedHosts == ["wiki.lan", "127.0.0.1", "[::1]"])
        let account = try #require(configuration.accounts["demo"])
        #expect(account.secrets == ["key": .environment("KEY")])
        #expect(account.settings == ["country": "KR"])
        #expect(account.baseURL == "http://127.0.0.1:1")
        let name = try #require(SourceName("kakao.blog"))
        let source = try #require(configuration.sources[name])
        #expect(!source.isEnabled)
        #expect(source.ttl == .seconds(300))
        #expect(source.limits == Limits(perSecond: 0.5, perDay: 7, concurrency: 3))
        #expect(source.baseURL == "https://proxy.example.org")
        #expect(configuration.cacheBytes == 8 << 20)
    }

    @Test func `all that is wrong is told at once, each with its place and what would be right`() {
        let text = """
            {
                sokcet: "/run/s",
                stateDirectory: "var",
                accounts: { a: { key: { env: "X", file: "/y" }, baseURL: "ftp://x" } },
                sources: {
                    blog: {},
                    "kakao.blog": { ttl: 5, limits: { perSeconds: 1, concurrency: 0 } },
                },
                memory: { cacheBytes: "1KiB", more: 1 },
                profiles: { work: [], "@a": [1, "Kakao"], "@b": 5, "@c": { source: [] }, "@d": [[]] },
            }
            """
        #expect(
            problems(text) == [
                "c.json5:2:13: sokcet: is not known here. Did you mean “socket”?",
                "c.json5:3:21: stateDirectory: var is not an absolute path. It must begin with /.",
                "c.json5:4:27: accounts.a.key: names more than one location, or none. "
                    + "Give one of credential, file, env and value.",
                "c.json5:4:62: accounts.a.baseURL: ftp://x is no URL. It must begin with https:// or http://.",
                "c.json5:6:15: sources.blog: blog is no name of a source. Write it as kakao.blog.",
                "c.json5:7:30: sources.kakao.blog.ttl: is a number. It must be a duration such as 30s, 10m or 7d.",
                "c.json5:7:55: sources.kakao.blog.limits.perSeconds: is not known here. Did you mean “perSecond”?",
                "c.json5:7:71: sources.kakao.blog.limits.concurrency: 0 is out of range. "
                    + "It must be a whole number from 1 to 256.",
                "c.json5:9:27: memory.cacheBytes: 1KiB is not a size of at least 1MiB. Write 1MiB, 64MiB or 1GiB.",
                "c.json5:9:41: memory.more: is not known here. It must be one of cacheBytes.",
                "c.json5:10:23: profiles.work: is no name of a profile. Write @ and a word of a–z, 0–9, - and _, as @work.",
                "c.json5:10:34: profiles.@a[0]: is a number. It must be a source's name, a pattern such as kakao.*, "
                    + "an account or a profile such as @books.",
                "c.json5:10:37: profiles.@a[1]: Kakao stands for no source. It must be a source's name, "
                    + "a pattern such as kakao.*, an account or a profile such as @books.",
                "c.json5:10:53: profiles.@b: is a number. It must be a list.",
                "c.json5:10:72: profiles.@c.source: is not known here. Did you mean “sources”?",
                "c.json5:10:85: profiles.@d[0]: is an empty list. It must have an element.",
            ]
        )
    }

    @Test(arguments: ["{", "[]", "{ accounts: [] }", "{ sources: { \"a.b\": 5 } }", "{ allowedHosts: \"a.b\" }"])
    func `what is no configuration at all is told with its place`(text: String) {
        #expect(problems(text).count == 1)
        #expect(problems(text).first?.hasPrefix("c.json5:1:") == true)
    }

    @Test(arguments: ["http://a.b", "a.b/", "a.b:80", "", "a b", "u@a.b", "*.lan", "::1", "위키.lan"])
    func `an allowed host is a host and nothing more`(host: String) {
        let problems = problems("{ allowedHosts: [\"\(host)\"] }")
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.contains("allowedHosts[0]") == true)
    }

    @Test func `so many profiles, members and alternatives may be there and no more`() {
        func list(_ count: Int) -> String {
            "[" + Array(repeating: "\"kakao\"", count: count).joined(separator: ",") + "]"
        }
        func profiles(_ count: Int) -> String {
            "{ profiles: { " + (0..<count).map { "\"@p\($0)\": []" }.joined(separator: ",") + " } }"
        }
        for (right, wrong) in [
            (profiles(Profile.countMax), profiles(Profile.countMax + 1)),
            (
                "{ profiles: { \"@a\": \(list(Profile.entriesMax)) } }",
                "{ profiles: { \"@a\": \(list(Profile.entriesMax + 1)) } }"
            ),
            ("{ defaultSources: \(list(Profile.entriesMax)) }", "{ defaultSources: \(list(Profile.entriesMax + 1)) }"),
            (
                "{ profiles: { \"@a\": [\(list(Profile.Entry.alternativesMax))] } }",
                "{ profiles: { \"@a\": [\(list(Profile.Entry.alternativesMax + 1))] } }"
            ),
        ] {
            #expect(problems(right).isEmpty)
            #expect(problems(wrong).count == 1)
        }
    }

    @Test func `so many hosts may be allowed and no more`() {
        func hosts(_ count: Int) -> String { (0..<count).map { "\"h\($0).lan\"" }.joined(separator: ",") }
        #expect(problems("{ allowedHosts: [\(hosts(ConfigurationReader.allowedHostsMax))] }").isEmpty)
        #expect(problems("{ allowedHosts: [\(hosts(ConfigurationReader.allowedHostsMax + 1))] }").count == 1)
    }
}
