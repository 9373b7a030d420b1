import JSON
import RPC
import SearchModel
import Testing

@testable import Client

/// What `source/list` says of three sources: one that works, one that is off, one that fails.
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

    static var list: String { "{\"sources\":[\(book),\(off),\(failing),\(invalid)]}" }
}

struct SourceTextTests {
    private let plain = Style(isOn: false)

    private func table(columns: Int?) throws -> [String] {
        let sources = try SourceEntries.cursor(SourceEntries.list)[.sources]?.elements ?? []
        return SourceTable(sources, columns: columns, style: plain).lines
    }

    @Test func `a table has a line for every source, its columns aligned`() throws {
        let lines = try table(columns: nil)
        let quota = "50,000 until 2026-11-22 00:00+09:00, 30,000 until 2026-11-22 00:00+09:00"
        let blank = String(repeating: " ", count: quota.count)
        #expect(
            lines == [
                "SOURCE        KIND          STATE                            LIMITS           QUOTA"
                    + blank.dropFirst(5) + "  ATTRIBUTION",
                "kakao.book    book          ok                               10/s, 8 at once  \(quota)"
                    + "  Daum search by Kakao",
                "google.books  book          off: no key                      1.5/s",
                "wikipedia.ko  encyclopedia  failing since 2026-11-21 03:04Z  1,200/day        \(blank)  CC BY-SA",
                "demo.x                      off: its file is wrong",
            ]
        )
    }

    @Test(arguments: [60, 80, 100, 120]) func `where the table is too wide, quotas and attribution go below`(
        columns: Int
    ) throws {
        let lines = try table(columns: columns)
        #expect(lines.first?.hasSuffix("LIMITS") == true)
        let below = lines.filter { $0.hasPrefix("    ") }
        #expect(below.contains { $0.contains("50,000 until 2026-11-22") })
        #expect(below.contains("    CC BY-SA"))
        #expect(below.allSatisfy { DisplayWidth.columns(of: $0) <= columns })
    }

    @Test func `a wide terminal has everything on one line`() throws {
        #expect(try table(columns: 200) == table(columns: nil))
    }

    @Test func `details tell everything, options included`() throws {
        #expect(
            SourceDetails(try SourceEntries.cursor(SourceEntries.book), style: plain).lines == [
                "kakao.book  Daum books",
                "  kind         book",
                "  account      kakao, needs a key",
                "  state        ok",
                "  limits       10/s, 8 at once",
                "  quota        kakao-day: 50,000 until 2026-11-22 00:00+09:00",
                "  quota        book-day: 30,000 until 2026-11-22 00:00+09:00",
                "  attribution  Daum search by Kakao",
                "  options      target: title, isbn; else title — where to look",
                "               size: 1 to 9",
                "               safe: true or false",
                "               lang: a text of up to 3 bytes",
                "               as in: searchctl search -s kakao.book -o kakao.book.target=title QUERY",
            ]
        )
    }

    @Test(arguments: [
        (SourceEntries.off, "put its key under accounts.google in the configuration"),
        (
            #"{"source":"a.b","account":"a","enabled":false,"reason":"notConfigured","keys":[{"way":"","secrets":[]}]}"#,
            "say “searchctl keys set a”, or put its key under accounts.a in the configuration"
        ),
        (
            SourceEntries.invalid,
            "“searchctl sources check FILE” or “searchd --check” tells what is wrong with its file"
        ),
        (
            #"{"source":"a.b","enabled":false,"reason":"disabled"}"#,
            "set sources.\"a.b\".enabled to true in the configuration"
        ),
    ])
    func `what to do about a source that is off is told`(entry: String, remedy: String) throws {
        let lines = SourceDetails(try SourceEntries.cursor(entry), style: plain).lines
        #expect(lines.contains("               \(remedy)"), "\(lines)")
    }

    @Test func `what is left of a quota is told once the daemon knows it`() throws {
        let entry = try SourceEntries.cursor(
            #"{"source":"a.b","enabled":true,"quota":[{"name":"d","limit":1000,"used":400,"left":600,"resetsAt":"soon"}]}"#
        )
        #expect(SourceEntry(entry).quotas == ["600 of 1,000 left until soon"])
    }

    @Test func `when a quota ends at this pace is told, unless it has ended`() throws {
        func quotas(left: Int) throws -> [String] {
            let entry = try SourceEntries.cursor(
                #"{"source":"a.b","enabled":true,"quota":[{"name":"d","limit":9,"used":\#(9 - left),"left":\#(left),"#
                    + #""resetsAt":"2026-11-22T00:00:00+09:00","forecast":"2026-11-21T16:40:31+09:00"}]}"#
            )
            return SourceEntry(entry).quotas
        }
        let pace = " (at this pace used up 2026-11-21 16:40+09:00)"
        #expect(try quotas(left: 1) == ["1 of 9 left until 2026-11-22 00:00+09:00" + pace])
        #expect(try quotas(left: 0) == ["0 of 9 left until 2026-11-22 00:00+09:00"])
    }

    @Test(arguments: [
        "{}", "[]", "5", #"{"source":5,"limits":[],"quota":{},"options":7}"#,
        #"{"source":"a.b","enabled":false,"reason":"new","quota":[5,{}],"limits":{"perSecond":"x"}}"#,
    ])
    func `what a newer daemon says otherwise does no harm`(entry: String) throws {
        let cursor = try SourceEntries.cursor(entry)
        #expect(SourceTable([cursor], columns: 80, style: plain).lines.count >= 2)
        #expect(!SourceDetails(cursor, style: plain).lines.isEmpty)
    }

    @Test func `nothing of a source drives the terminal`() throws {
        let evil = "\\u001b[31m\\u202e\\n"
        let entry = try SourceEntries.cursor(
            "{\"source\":\"\(evil)\",\"kind\":\"\(evil)\",\"title\":\"\(evil)\",\"account\":\"\(evil)\",\"enabled\":false,"
                + "\"reason\":\"\(evil)\",\"since\":\"\(evil)\",\"attribution\":\"\(evil)\","
                + "\"quota\":[{\"name\":\"\(evil)\",\"resetsAt\":\"\(evil)\"}],"
                + "\"options\":{\"\(evil)\":{\"type\":\"\(evil)\",\"about\":\"\(evil)\"}}}"
        )
        let lines =
            SourceTable([entry], columns: nil, style: plain).lines
            + SourceTable([entry], columns: 40, style: plain).lines
            + SourceDetails(entry, style: plain).lines
        for line in lines { #expect(line.unicodeScalars.allSatisfy(VisibleText.isSafe), "\(line)") }
    }
}
