import Catalogue
import JSON
import SearchModel
import Testing

@testable import Daemon
@testable import Engine
@testable import Upstream

struct SourceListingTests {
    /// 2024-03-09T12:00:00Z.
    private let now: Int64 = 1_709_985_600

    private func list(
        _ sources: [ConfiguredSource],
        refused: [RefusedSource] = [],
        health: [SourceName: SourceHealth] = [:],
        standings: [SourceName: SourceAvailability] = [:],
        at now: Int64
    ) throws -> [JSONValue] {
        let registry = SourceRegistry(
            catalogue: .builtIn(),
            sources: sources,
            refused: refused
        )
        var writer = JSONWriter()
        let upstream = health.mapValues { UpstreamFigures.OfSource(health: $0) }
        let listing = SourceListing(registry: registry, upstream: upstream, standings: standings, now: now)
        writer.object(listing.write)
        return try #require(try JSONDocument(writer.bytes).root.value["sources"]?.array)
    }

    private func source(_ name: String) throws -> Source {
        try Catalogue.builtIn().source(named: #require(SourceName(name)))
    }

    @Test func `the list has the names of a source's secrets, but not their values`() throws {
        let secrets = ["id": Secret("i-d"), "hubId": Secret("h-i")]
        let blog = ConfiguredSource(source: try source("naver.blog"), access: AccountAccess(secrets: secrets))
        let keys = try #require(try list([blog], at: now).first?["keys"]?.array)
        #expect(keys.map { $0["way"] } == ["hub", "legacy"])
        let listed = keys.map { ($0["secrets"]?.array ?? []).map { [$0["name"], $0["present"]] } }
        #expect(listed == [[["hubId", true], ["hubSecret", false]], [["id", true], ["secret", false]]])
        #expect(keys[0]["secrets"]?.array?.first?["about"]?.string?.contains("NAVER API HUB") == true)
        #expect(!"\(keys)".contains("i-d") && !"\(keys)".contains("h-i"))
        let free = ConfiguredSource(source: try source("itunes.app"), access: AccountAccess())
        #expect(try list([free], at: now).first?["keys"] == nil)
    }

    @Test func `a budget is listed with its currency, and a key with the price of a call`() throws {
        var account = AccountAccess(secrets: ["key": Secret("k3y5ecret")])
        account.quotas["brave-month"] = QuotaChange()
        let brave = ConfiguredSource(source: try source("brave.web"), access: account)
        let month = try #require(brave.upstream.quotas.first)
        let figures = QuotaFigures(
            name: "brave-month",
            quota: month,
            used: 1_234_500,
            left: 3_765_500,
            resetsAt: PublishedDate(epochSeconds: now + 3600, offsetMinutes: 0, precision: .second),
            forecast: nil
        )
        let standing = SourceAvailability(quotas: [figures])
        let entry = try #require(try list([brave], standings: [brave.source.name: standing], at: now).first)
        let quota = try #require(entry["quota"]?[0])
        #expect(quota["unit"] == "USD")
        #expect(["limit", "used", "left", "cost"].map { quota[$0]?.double } == [5, 1.2345, 3.7655, 0.005])
        #expect(
            entry["keys"]?[0]?["secrets"]?[0]?["about"]?.string?.hasSuffix(
                "; each call costs up to 0.005 USD, in all at most 5.00 USD a month and 1.00 USD a day"
            ) == true
        )
    }

    @Test func `a source is listed with all its properties`() throws {
        let book = ConfiguredSource(
            source: try source("google.books"),
            access: AccountAccess(secrets: ["key": Secret("k")]),
            limits: Limits(perDay: 900)
        )
        let quota = QuotaFigures(
            name: "google-day",
            quota: Quota(name: "google-day", limit: 1000, period: .day, scope: .account, zone: .pacific),
            used: 10,
            left: 990,
            resetsAt: PublishedDate(epochSeconds: now + 3600, offsetMinutes: -480, precision: .second),
            forecast: PublishedDate(epochSeconds: now + 60, offsetMinutes: -480, precision: .second)
        )
        let standing = SourceAvailability(state: .free, lasting: nil, quotas: [quota])
        let entry = try #require(try list([book], standings: [book.source.name: standing], at: now).first)
        #expect(
            entry.members?.map(\.name) == [
                "source", "kind", "account", "title", "enabled", "keyNeeded", "keys", "limits", "quota", "health",
                "attribution", "options",
            ]
        )
        #expect(entry["source"] == "google.books")
        #expect(entry["kind"] == "book")
        #expect(entry["account"] == "google")
        #expect(entry["enabled"] == true)
        #expect(entry["keyNeeded"] == true)
        #expect(entry["health"] == "ok")
        #expect(entry["limits"]?["perSecond"]?.double == 1.5)
        #expect(entry["limits"]?["perDay"] == 900)
        #expect(entry["limits"]?["concurrency"] == 4)
        let day = try #require(entry["quota"]?.array?.first { $0["name"] == "google-day" })
        #expect(
            day == [
                "name": "google-day", "limit": 1000, "used": 10, "left": 990, "resetsAt": "2024-03-09T05:00:00-08:00",
                "forecast": "2024-03-09T04:01:00-08:00",
            ]
        )
        #expect(entry["options"] == book.source.optionsJSON)
    }

    @Test(arguments: [(SourceAvailability.State.suspended, "open"), (.waiting, "waiting")])
    func `“since” is the time when a source was suspended or began to wait`(
        state: SourceAvailability.State,
        word: String
    ) throws {
        let blog = ConfiguredSource(source: try source("wikipedia.ko"), access: AccountAccess())
        func entry(_ lasting: Duration?) throws -> JSONValue {
            let standing = SourceAvailability(state: state, lasting: lasting, quotas: [])
            return try #require(try list([blog], standings: [blog.source.name: standing], at: now).first)
        }
        #expect(try entry(.seconds(60))["health"]?.string == word)
        #expect(try entry(.seconds(60))["since"] == "2024-03-09T11:59:00Z")
        #expect(try entry(nil)["since"] == nil)
    }

    @Test func `a suspended source is listed with its failures and the time until the next call`() throws {
        let blog = ConfiguredSource(source: try source("wikipedia.ko"), access: AccountAccess())
        var health = SourceHealth()
        for _ in 0..<5 { health.ended(.unavailable, "wikipedia.ko answered with 503", status: 503, at: now) }
        var standing = SourceAvailability(state: .suspended, lasting: .seconds(1), quotas: [])
        standing.retryAfter = .microseconds(39_999_100)
        let entry = try #require(
            try list([blog], health: [blog.source.name: health], standings: [blog.source.name: standing], at: now).first
        )
        #expect(
            entry["failure"] == [
                "failures": 5, "kind": "unavailable", "message": "wikipedia.ko answered with 503", "status": 503,
                "retryAfter": 40_000,
            ]
        )
    }

    @Test func `a disabled source has a reason`() throws {
        let blog = try source("kakao.blog")
        let keyless = ConfiguredSource(source: blog, access: AccountAccess())
        #expect(try list([keyless], at: now).first?["enabled"] == false)
        #expect(try list([keyless], at: now).first?["reason"] == "notConfigured")
        let disabled = ConfiguredSource(source: blog, access: AccountAccess(), isEnabled: false)
        #expect(try list([disabled], at: now).first?["reason"] == "disabled")
        let open = ConfiguredSource(source: try source("wikipedia.ko"), access: AccountAccess())
        #expect(try list([open], at: now).first?["reason"] == nil)
        #expect(try list([open], at: now).first?["keyNeeded"] == false)
    }

    @Test func `a failing source is listed with the time of its first failure`() throws {
        let blog = ConfiguredSource(source: try source("wikipedia.ko"), access: AccountAccess())
        var health = SourceHealth()
        health.ended(.unavailable, at: now - 60)
        let failing = try #require(try list([blog], health: [blog.source.name: health], at: now).first)
        #expect(failing["health"] == "failing")
        #expect(failing["since"] == "2024-03-09T11:59:00Z")
        #expect(failing["failure"] == ["failures": 1, "kind": "unavailable", "message": ""])
        health.ended(nil, at: now)
        let well = try #require(try list([blog], health: [blog.source.name: health], at: now).first)
        #expect(well["health"] == "ok")
        #expect(well["since"] == nil)
    }

    @Test func `a source with an invalid file is listed once, unless a valid source has the same name`() throws {
        let problem = CatalogueError(file: "f", line: 1, column: 1, key: "", message: "is wrong")
        let texts = [
            "{ source: \"m.x\", kind: \"book\" }", "{ source: \"z.x\" }", "{ source: \"m.x\" }",
            "{ source: \"kakao.blog\" }",
        ]
        let refused = texts.flatMap { SourceHeader.all(in: Array($0.utf8)) }.map {
            RefusedSource(identity: $0, problems: [problem])
        }
        let sources = try ["kakao.blog", "wikipedia.ko"].map {
            ConfiguredSource(source: try source($0), access: AccountAccess())
        }
        let entries = try list(sources, refused: refused, at: now)
        #expect(entries.map { $0["source"]?.string } == ["kakao.blog", "m.x", "wikipedia.ko", "z.x"])
        #expect(
            entries[1] == [
                "source": "m.x", "kind": "book", "account": "m", "enabled": false, "reason": "invalid", "limits": [:],
                "quota": [], "options": [:],
            ]
        )
        #expect(entries[0]["reason"] == "notConfigured")
    }
}
