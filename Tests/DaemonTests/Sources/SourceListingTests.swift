import Catalogue
import Engine
import JSON
import SearchModel
import Testing

@testable import Daemon

struct SourceListingTests {
    /// 2024-03-09T12:00:00Z.
    private let now: Int64 = 1_709_985_600

    private func list(
        _ sources: [ConfiguredSource],
        refused: [RefusedSource] = [],
        health: [SourceName: SourceHealth] = [:],
        at now: Int64
    ) throws -> [JSONValue] {
        let directory = SourceDirectory(
            catalogue: .builtIn(),
            sources: sources,
            refused: refused,
            defaults: nil
        )
        var writer = JSONWriter()
        SourceListing(directory, upstream: health.mapValues { .init(health: $0) }, at: now).write(to: &writer)
        return try #require(try JSONDocument(writer.bytes).root.value["sources"]?.array)
    }

    private func source(_ name: String) throws -> Source {
        try Catalogue.builtIn().source(named: #require(SourceName(name)))
    }

    @Test func `a source is told with all that is known of it`() throws {
        let book = ConfiguredSource(
            source: try source("google.books"),
            access: AccountAccess(secrets: ["key": Secret("k")]),
            limits: Limits(perDay: 900)
        )
        let entry = try #require(try list([book], at: now).first)
        #expect(
            entry.members?.map(\.name) == [
                "source", "kind", "account", "title", "enabled", "keyNeeded", "limits", "quota", "health",
                "attribution",
                "options",
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
        #expect(day.members?.map(\.name) == ["name", "limit", "resetsAt"])
        #expect(day["limit"] == 1000)
        // Pacific time, before its daylight saving begins on the 10th.
        #expect(day["resetsAt"] == "2024-03-10T00:00:00-08:00")
        #expect(entry["options"] == book.source.optionsJSON)
    }

    @Test func `when a quota begins anew follows the clock`() throws {
        let blog = ConfiguredSource(source: try source("naver.blog"), access: AccountAccess())
        func reset(_ now: Int64) throws -> String? {
            try list([blog], at: now).first?["quota"]?[0]?["resetsAt"]?.string
        }
        #expect(try reset(now) == "2024-03-10T01:00:00+09:00")
        #expect(try reset(now + 4 * 3600 - 1) == "2024-03-10T01:00:00+09:00")
        #expect(try reset(now + 4 * 3600) == "2024-03-11T01:00:00+09:00")
    }

    @Test func `why a source is off is told`() throws {
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

    @Test func `a source fails since a time`() throws {
        let blog = ConfiguredSource(source: try source("wikipedia.ko"), access: AccountAccess())
        var health = SourceHealth()
        health.ended(.unavailable, at: now - 60)
        let failing = try #require(try list([blog], health: [blog.source.name: health], at: now).first)
        #expect(failing["health"] == "failing")
        #expect(failing["since"] == "2024-03-09T11:59:00Z")
        health.ended(nil, at: now)
        let well = try #require(try list([blog], health: [blog.source.name: health], at: now).first)
        #expect(well["health"] == "ok")
        #expect(well["since"] == nil)
    }

    @Test func `a refused source stands in its place, once, and never beside one that works`() throws {
        let problem = CatalogueError(file: "f", line: 1, column: 1, key: "", message: "is wrong")
        let texts = [
            "{ source: \"m.x\", kind: \"book\" }", "{ source: \"z.x\" }", "{ source: \"m.x\" }",
            "{ source: \"kakao.blog\" }",
        ]
        let refused = texts.flatMap { SourceIdentity.all(in: Array($0.utf8)) }.map {
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
