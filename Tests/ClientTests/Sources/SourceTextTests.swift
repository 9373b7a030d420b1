import JSON
import RPC
import SearchModel
import Testing

@testable import Client

/// What `source/list` says of four sources: one that works, one that is off, one that fails, one whose file is wrong.
enum SourceEntries {
    static let book =
        #"{"source":"kakao.book","kind":"book","account":"kakao","title":"Daum books","enabled":true,"keyNeeded":true,"#
        + #""limits":{"perSecond":10,"concurrency":8},"quota":[{"name":"kakao-day","limit":50000,"#
        + #""resetsAt":"2026-11-22T00:00:00+09:00"},{"name":"book-day","limit":30000,"#
        + #""resetsAt":"2026-11-22T00:00:00+09:00"}],"health":"ok","attribution":"Daum search by Kakao","#
        + #""options":{"target":{"type":"choice","values":["title","isbn"],"default":"title","about":"where to look"},"#
        + #""size":{"type":"integer","min":1,"max":9},"safe":{"type":"boolean"},"#
        + #""lang":{"type":"string","maxBytes":3}}}"#
    static let off =
        #"{"source":"google.books","kind":"book","account":"google","title":"Google Books","enabled":false,"#
        + #""reason":"notConfigured","keyNeeded":true,"limits":{"perSecond":1.5},"quota":[],"health":"ok","options":{}}"#
    static let failing =
        #"{"source":"wikipedia.ko","kind":"encyclopedia","account":"wikipedia","title":"위키백과","enabled":true,"#
        + #""keyNeeded":false,"limits":{"perDay":1200},"quota":[],"health":"failing","since":"2026-11-21T03:04:59Z","#
        + #""attribution":"CC BY-SA","options":{}}"#
    static let invalid =
        #"{"source":"demo.x","account":"demo","enabled":false,"reason":"invalid","limits":{},"quota":[],"options":{}}"#

    static func cursor(_ text: String) throws -> JSONCursor {
        try JSONDocument(Array(text.utf8)).root
    }

    static var list: String {
        #"{"sources":[\#(book),\#(off),\#(failing),\#(invalid)],"#
            + #""profiles":[{"name":"@books","sources":["kakao.book"]},{"name":"@web","sources":[]}]}"#
    }
}

struct SourceTextTests {
    private static let plain = Style(isOn: false)
    /// 2026-11-21T03:30:00Z, in Seoul.
    private static let clock = LocalClock(now: 1_795_231_800, zone: .fixed(hours: 9))

    private func entries(_ list: String = SourceEntries.list) throws -> [SourceEntry] {
        (try SourceEntries.cursor(list)[.sources]?.elements ?? []).map { SourceEntry($0, clock: Self.clock) }
    }

    private func details(_ entry: String, columns: Int = 120) throws -> [String] {
        SourceDetails(
            try SourceEntries.cursor(entry),
            clock: Self.clock,
            columns: columns,
            style: Self.plain
        ).lines
    }

    @Test func `an account stands on a line, unless its sources are in different states`() throws {
        let list = Documents.list(
            Documents.source("kakao.blog"),
            Documents.source("kakao.web"),
            Documents.source("kakao.cafe", enabled: false),
            SourceEntries.failing
        )
        #expect(
            SourceTable(try entries(list), columns: 80, style: Self.plain).accountLines == [
                "ACCOUNT    SOURCES    STATE", "kakao      blog, web  ok", "           cafe       off: no key",
                "wikipedia  ko         failing since 12:04",
            ]
        )
    }

    @Test func `a table of sources has a line for each`() throws {
        #expect(
            SourceTable(try entries(), columns: 80, style: Self.plain).sourceLines == [
                "SOURCE        KIND          LIMITS           STATE",
                "kakao.book    book          10/s, 8 at once  ok",
                "google.books  book          1.5/s            off: no key",
                "wikipedia.ko  encyclopedia  1,200/day        failing since 12:04",
                "demo.x                                       off: its file is wrong",
            ]
        )
    }

    @Test(arguments: [60, 80, 120, 200]) func `thirty sources fit a screen, and no line is wider than it`(
        columns: Int
    ) throws {
        let accounts = ["google", "hackernews", "itunes", "kakao", "naver", "openlibrary", "wikipedia"]
        let names = (0..<30).map { "\(accounts[$0 / 5]).source\($0)" }
        let list = try entries(#"{"sources":[\#(names.map { Documents.source($0) }.joined(separator: ","))]}"#)
        let table = SourceTable(list, columns: columns, style: Self.plain)
        if columns >= 80 { #expect(table.accountLines.count <= 20) }
        for line in table.accountLines + table.sourceLines { #expect(Layout.width(line) <= columns, "\(line)") }
        for line in try details(SourceEntries.book, columns: columns) { #expect(Layout.width(line) <= columns) }
    }

    @Test func `details have everything, options included`() throws {
        #expect(
            try details(SourceEntries.book) == [
                "kakao.book  Daum books",
                "  kind         book",
                "  account      kakao, needs a key",
                "  state        ok",
                "  limits       10/s, 8 at once",
                "  quota        kakao-day: 50,000; resets in 12 h",
                "  quota        book-day: 30,000; resets in 12 h",
                "  attribution  Daum search by Kakao",
                "  options      target: title, isbn (default title) — where to look",
                "               size: 1 to 9",
                "               safe: true or false",
                "               lang: text of up to 3 bytes",
                "               Example: searchctl search -s kakao.book -o kakao.book.target=title QUERY",
            ]
        )
    }

    @Test(arguments: [
        (SourceEntries.off, "Set its key under accounts.google in the configuration."),
        (
            #"{"source":"a.b","account":"a","enabled":false,"reason":"notConfigured","keys":[{"way":"","secrets":[]}]}"#,
            "Run “searchctl keys set a”, or configure one under accounts.a."
        ),
        (
            #"{"source":"a.b","account":"a","enabled":false,"reason":"notConfigured","keys":[{"way":"x","secrets":[{"name":"i"}]},{"way":"y","secrets":[{"name":"j"}]}]}"#,
            "Run “searchctl keys set a x” or “searchctl keys set a y”, or configure one under accounts.a."
        ),
        (SourceEntries.invalid, "“searchd --check” reports what is wrong with its file."),
        (
            #"{"source":"a.b","enabled":false,"reason":"disabled"}"#,
            "Set sources.\"a.b\".enabled to true in the configuration."
        ),
    ])
    func `what to do about a source that is off is said`(entry: String, remedy: String) throws {
        #expect(try details(entry).contains { $0.hasSuffix(remedy) })
    }

    @Test func `what is left of a quota, when it resets and when it ends at this pace are said`() throws {
        func quota(left: Int) throws -> String {
            let entry = try SourceEntries.cursor(
                #"{"source":"a.b","enabled":true,"quota":[{"name":"d","limit":9,"used":\#(9 - left),"left":\#(left),"#
                    + #""resetsAt":"2026-11-22T00:00:00+09:00","forecast":"2026-11-21T13:10:00+09:00"}]}"#
            )
            return SourceEntry(entry, clock: Self.clock).quotas[0].text
        }
        #expect(try quota(left: 1) == "1 of 9 left; resets in 12 h; used up in 40 min at this pace")
        #expect(try quota(left: 0) == "0 of 9 left; resets in 12 h")
    }

    @Test(arguments: [
        (
            "open", #"{"failures":5,"kind":"unavailable","message":"m","status":503,"retryAfter":40000}"#,
            "suspended after 5 × HTTP 503; next try in 40 s"
        ),
        (
            "open", #"{"failures":1,"kind":"timeout","message":"m"}"#,
            "suspended after timeout; next try with the next search"
        ),
        ("failing", #"{"failures":3,"kind":"badResponse","message":"m"}"#, "failing: 3 × unreadable answer"),
        ("failing", #"{"failures":1,"kind":"unauthorized","message":"m","status":401}"#, "failing: key refused"),
        ("open", #"{"failures":2,"kind":"unavailable","message":"This machine is offline."}"#, "offline"),
        ("open", "null", "suspended after repeated failures"), ("waiting", "null", "waiting for its rate limit"),
    ])
    func `why a source fails, and when it is tried again`(health: String, failure: String, state: String) throws {
        let entry = #"{"source":"a.b","enabled":true,"health":"\#(health)","failure":\#(failure)}"#
        #expect(SourceEntry(try SourceEntries.cursor(entry), clock: Self.clock).state == state)
    }

    @Test func `the daemon's message is among the details of a source that fails`() throws {
        let entry =
            #"{"source":"a.b","enabled":true,"health":"failing","#
            + #""failure":{"failures":2,"kind":"unavailable","message":"it answered 503","status":503}}"#
        #expect(
            try details(entry).suffix(2) == ["  state       failing: 2 × HTTP 503", "  last error  it answered 503"]
        )
    }

    @Test(arguments: [
        "{}", "[]", "5", #"{"source":5,"limits":[],"quota":{},"options":7,"failure":5}"#,
        #"{"source":"a.b","enabled":false,"reason":"new","quota":[5,{}],"limits":{"perSecond":"x"}}"#,
        #"{"source":"a.b","enabled":true,"health":"new","quota":[{"resetsAt":"soon","left":0}],"failure":{}}"#,
    ])
    func `what a newer daemon says otherwise does no harm`(entry: String) throws {
        let cursor = try SourceEntries.cursor(entry)
        let table = SourceTable([SourceEntry(cursor)], columns: 80, style: Self.plain)
        #expect(table.accountLines.count >= 2 && table.sourceLines.count >= 2)
        #expect(try !details(entry).isEmpty)
    }

    @Test func `nothing of a source drives the terminal`() throws {
        let evil = "\\u001b[31m\\u202e\\n"
        let text =
            "{\"source\":\"\(evil)\",\"kind\":\"\(evil)\",\"title\":\"\(evil)\",\"account\":\"\(evil)\",\"enabled\":false,"
            + "\"reason\":\"\(evil)\",\"since\":\"\(evil)\",\"attribution\":\"\(evil)\","
            + "\"failure\":{\"kind\":\"\(evil)\",\"message\":\"\(evil)\"},"
            + "\"quota\":[{\"name\":\"\(evil)\",\"resetsAt\":\"\(evil)\"}],"
            + "\"options\":{\"\(evil)\":{\"type\":\"\(evil)\",\"about\":\"\(evil)\"}}}"
        for text in [text, text.replacing("false", with: "true,\"health\":\"failing\"")] {
            let table = SourceTable([SourceEntry(try SourceEntries.cursor(text))], columns: 40, style: Self.plain)
            let lines = table.accountLines + table.sourceLines + (try details(text, columns: 40))
            for line in lines { #expect(line.unicodeScalars.allSatisfy(VisibleText.isSafe), "\(line)") }
        }
    }
}

struct SourceTroubleTests {
    private static let clock = LocalClock(now: 1_795_231_800, zone: .fixed(hours: 9))

    private func source(_ name: String, _ failure: String, health: String = "open", quota: String = "[]") throws
        -> SourceEntry
    {
        let account = name.prefix { $0 != "." }
        let text =
            #"{"source":"\#(name)","account":"\#(account)","enabled":true,"health":"\#(health)","#
            + #""quota":\#(quota),"failure":\#(failure)}"#
        return SourceEntry(try SourceEntries.cursor(text), clock: Self.clock)
    }

    private func failure(_ count: Int, _ status: Int, retryAfter: Int) -> String {
        #"{"failures":\#(count),"kind":"unavailable","message":"m","status":\#(status),"retryAfter":\#(retryAfter)}"#
    }

    private func lines(_ troubled: [SourceEntry], _ fine: SourceEntry...) -> [String] {
        SourceTrouble.grouped(troubled, among: troubled + fine).map { "\($0.name): \($0.text)" }
    }

    @Test func `an account whose quota is used up is one line`() throws {
        let quota = #"[{"name":"naver-day","limit":25000,"left":0,"resetsAt":"2026-11-22T01:00:00+09:00"}]"#
        let sources = try ["naver.blog", "naver.news", "naver.web", "naver.kin"].map {
            try source($0, "null", health: "waiting", quota: quota)
        }
        #expect(lines(sources) == ["naver (4 sources): quota used up until 01:00"])
    }

    @Test func `sources that fail alike are one line, whatever their counts; others are apart`() throws {
        let sources = [
            try source("naver.a", failure(5, 503, retryAfter: 40_000)),
            try source("naver.b", failure(7, 503, retryAfter: 30_000)),
            try source("naver.c", failure(5, 500, retryAfter: 40_000)),
            try source("kakao.a", failure(5, 503, retryAfter: 40_000)),
        ]
        #expect(
            lines(sources) == [
                "naver.a, naver.b: suspended after up to 7 × HTTP 503; next try in 30 s",
                "naver.c: suspended after 5 × HTTP 500; next try in 40 s",
                "kakao.a: suspended after 5 × HTTP 503; next try in 40 s",
            ]
        )
    }

    @Test func `many of an account are counted`() throws {
        let sources = try (1...4).map { try source("naver.s\($0)", failure(5, 503, retryAfter: 1)) }
        let fine = try source("naver.ok", "null", health: "ok")
        #expect(lines(sources, fine) == ["naver (4 of 5 sources): suspended after 5 × HTTP 503; next try in 1 s"])
    }

    @Test func `a machine that is offline is told once for all accounts`() throws {
        let offline = #"{"failures":1,"kind":"unavailable","message":"This machine is offline."}"#
        let sources = [try source("naver.a", offline), try source("kakao.a", offline, health: "failing")]
        #expect(lines(sources) == ["2 sources: offline"])
    }
}
