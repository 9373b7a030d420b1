import Catalogue
import SearchModel
import Testing

@testable import Daemon

@Suite struct ConfigurationReaderTests {
    private func read(_ text: String) -> (configuration: Configuration, problems: [String]) {
        let (configuration, problems) = ConfigurationReader.read(Array(text.utf8), file: "c.json5")
        return (configuration, problems.map(\.description))
    }

    @Test func `every key is read`() throws {
        let (configuration, problems) = read(
            """
            // A comment.
            {
                socket: "/run/searchd/searchd.sock",
                stateDirectory: "/var/lib/searchd", cacheDirectory: "/var/cache/searchd",
                defaultSources: ["itunes.*", "wikipedia.ko"],
                sourceDirectories: ["/etc/searchd/sources.d"],
                accounts: {
                    kakao: { key: { credential: "kakao" } },
                    naver: { id: { file: "/id" }, secret: { env: "SECRET" }, baseURL: "http://127.0.0.1:8080" },
                    google: { key: { value: "k" } },
                    itunes: { country: "US" },
                },
                sources: {
                    "kakao.blog": {
                        enabled: false, ttl: "10m", weight: 2, baseURL: "https://example.org",
                        limits: { perSecond: 0.5, perDay: 30000, concurrency: 4 },
                    },
                },
                memory: { cacheBytes: "128MiB" },
                log: { level: "warning", slowRequest: "250ms" },
                idleExit: "10m", adminGroup: "adm",
            }
            """
        )
        #expect(problems == [])
        #expect(configuration.socket == "/run/searchd/searchd.sock")
        #expect(configuration.stateDirectory == "/var/lib/searchd")
        #expect(configuration.cacheDirectory == "/var/cache/searchd")
        let wikipedia = try #require(SourceName("wikipedia.ko"))
        #expect(
            configuration.defaultSources == [Profile.Entry([.glob("itunes.*")]), Profile.Entry([.source(wikipedia)])]
        )
        #expect(configuration.sourceDirectories == ["/etc/searchd/sources.d"])
        #expect(configuration.accounts["kakao"]?.secrets == ["key": .credential("kakao")])
        #expect(configuration.accounts["naver"]?.secrets == ["id": .file("/id"), "secret": .environment("SECRET")])
        #expect(configuration.accounts["naver"]?.baseURL == "http://127.0.0.1:8080")
        #expect(configuration.accounts["google"]?.secrets == ["key": .value("k")])
        #expect(configuration.accounts["itunes"]?.settings == ["country": "US"])
        let name = try #require(SourceName("kakao.blog"))
        let source = try #require(configuration.sources[name])
        #expect(!source.isEnabled)
        #expect(source.ttl == .seconds(600))
        #expect(source.weight == 2)
        #expect(source.baseURL == "https://example.org")
        #expect(source.limits.perSecond == 0.5 && source.limits.perDay == 30000 && source.limits.concurrency == 4)
        #expect(configuration.cacheBytes == 128 << 20)
        #expect(configuration.logLevel == .warning)
        #expect(configuration.slowRequest == .milliseconds(250))
        #expect(configuration.idleExit == .seconds(600))
        #expect(configuration.adminGroup == "adm")
    }

    @Test func `the example is valid, even if the members in its comments are added`() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let bytes = try SmallFile.read("\(root)/systemd/config.json5", bytesMax: ConfigurationReader.bytesMax).bytes
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(read(text).problems == [])
        // A comment is a member if it has a name and a colon, and ends with a comma.
        let member = /^( *)\/\/ (("?)[a-zA-Z.]+\3: .*,)$/.anchorsMatchLineEndings()
        let all = text.replacing(member) { "\($0.1)\($0.2)" }
        let (configuration, problems) = read(all)
        #expect(problems == [])
        #expect(
            configuration.accounts.keys.sorted() == ["google", "itunes", "naver", "openlibrary", "wikipedia"]
        )
        #expect(configuration.idleExit == .seconds(600))
        #expect(configuration.sources.count == 2)
        let review = ConfigurationReview(configuration: configuration, catalogue: .builtIn(), refused: [])
        #expect(review.problems.map(\.description) == [])
    }

    @Test func `“cacheBytes” is the limit of the disk cache, and 0 disables it`() {
        #expect(read(#"{ disk: { cacheBytes: "1MiB" } }"#).configuration.diskBytes == 1 << 20)
        #expect(read(#"{ disk: { cacheBytes: "0" } }"#).configuration.diskBytes == 0)
        #expect(read(#"{ disk: { cacheBytes: "0" } }"#).problems == [])
    }

    @Test func `an empty object is valid, and an empty file is not`() {
        #expect(read("{}").problems == [])
        #expect(read("{}").configuration.cacheBytes == Configuration.cacheBytesDefault)
        #expect(read("{}").configuration.diskBytes == Configuration.diskBytesDefault)
        #expect(read("").problems.count == 1)
        #expect(read("[]").problems.count == 1)
    }

    @Test(arguments: [
        ("{\n  sokcet: \"/s\",\n}", ":2:", "sokcet", "socket"),
        ("{\n  socket: 1,\n}", ":2:11", "socket", "an absolute path"),
        ("{ socket: \"s\" }", ":1:11", "socket", "begin with /"),
        ("{ defaultSources: \"kakao.*\" }", ":1:", "defaultSources", "a list"),
        ("{ defaultSources: [1] }", ":1:", "defaultSources[0]", "a source's name"),
        ("{ accounts: [] }", ":1:", "accounts", "an object"),
        (
            "{ accounts: { kakao: { key: { value: \"a\", file: \"/b\" } } } }", ":1:", "accounts.kakao.key",
            "Give one of"
        ),
        ("{ accounts: { kakao: { key: {} } } }", ":1:", "accounts.kakao.key", "Give one of"),
        ("{ accounts: { kakao: { key: { fiel: \"/b\" } } } }", ":1:", "accounts.kakao.key.fiel", "file"),
        ("{ accounts: { kakao: { key: { file: \"b\" } } } }", ":1:", "accounts.kakao.key.file", "begin with /"),
        ("{ accounts: { kakao: { key: { credential: \"../b\" } } } }", ":1:", "credential", "without a path"),
        ("{ accounts: { kakao: { key: { value: 1 } } } }", ":1:", "accounts.kakao.key.value", "a text"),
        ("{ accounts: { kakao: { baseURL: \"kakao\" } } }", ":1:", "accounts.kakao.baseURL", "https://"),
        ("{ sources: { kakao: {} } }", ":1:", "sources.kakao", "kakao.blog"),
        ("{ sources: { \"kakao.blog\": { ttl: \"10 parsecs\" } } }", ":1:", "ttl", "10m"),
        ("{ sources: { \"kakao.blog\": { ttl: 600 } } }", ":1:", "ttl", ""),
        ("{ sources: { \"kakao.blog\": { enabled: \"no\" } } }", ":1:", "enabled", "true or false"),
        ("{ sources: { \"kakao.blog\": { weight: 0 } } }", ":1:", "weight", "0.01"),
        ("{ sources: { \"kakao.blog\": { limits: { perSecond: 0 } } } }", ":1:", "limits.perSecond", "0.001"),
        ("{ sources: { \"kakao.blog\": { limits: { perDay: 1.5 } } } }", ":1:", "limits.perDay", "a whole number"),
        ("{ sources: { \"kakao.blog\": { limits: { concurrency: 257 } } } }", ":1:", "limits.concurrency", "256"),
        ("{ sources: { \"kakao.blog\": { limits: { perHour: 1 } } } }", ":1:", "limits.perHour", ""),
        ("{ memory: { cacheBytes: 1000000 } }", ":1:", "memory.cacheBytes", "64MiB"),
        ("{ memory: { cacheBytes: \"512KiB\" } }", ":1:", "memory.cacheBytes", "1MiB"),
        ("{ memory: { cachebytes: \"64MiB\" } }", ":1:", "memory.cachebytes", "cacheBytes"),
        ("{ disk: { cacheBytes: \"1023KiB\" } }", ":1:", "disk.cacheBytes", "1MiB"),
        ("{ disk: { bytes: \"64MiB\" } }", ":1:", "disk.bytes", "cacheBytes"),
        ("{\n\n  socket: \"/s\" stateDirectory: \"/t\" }", ":3:", "", ""),
        ("{ socket: \"/a\", socket: \"/b\" }", ":1:", "socket", ""),
    ])
    func `an error has the line, the key and the allowed values`(
        text: String,
        place: String,
        key: String,
        hint: String
    ) throws {
        let problems = read(text).problems
        let problem = try #require(problems.first)
        #expect(problems.count == 1)
        #expect(problem.hasPrefix("c.json5\(place)"), "\(problem)")
        #expect(problem.contains(key), "\(problem)")
        #expect(problem.contains(hint), "\(problem)")
    }

    @Test func `all problems are reported at once, without secrets`() {
        let problems = read(
            """
            {
                sokcet: "/s",
                accounts: { kakao: { key: { value: "topsecret", file: "/f" } }, google: { key: { vaule: "topsecret" } } },
                memory: { cacheBytes: "lots" },
            }
            """
        ).problems
        #expect(problems.count == 4)
        #expect(problems.allSatisfy { !$0.contains("topsecret") })
    }
}
