import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

/// Searches without a network: what is here is marked with its age, and the rest is asked later.
struct MissedSearchesTests {
    private let directory = TemporaryDirectory()

    private var environment: [String: String] {
        ["TERM": "xterm", "XDG_RUNTIME_DIR": directory.path, "XDG_STATE_HOME": directory.path]
    }

    private static let hits =
        #"[{"id":"a.b:1","source":"a.b","title":"하나"},"#
        + #"{"id":"c.d:2","source":"c.d","title":"둘","alsoFrom":["seen"],"#
        + #""extra":{"fetchedAt":"1970-01-01T00:00:00Z"}}]"#

    private static func answer(_ status: String) -> String {
        #"{"sources":[{"source":"a.b","status":"ok","cache":"offline","age":7200.5},"#
            + #"{"source":"e.f",\#(status)}],"next":null,"complete":false,"hits":\#(hits)}"#
    }

    private static let ok = answer(#""status":"ok","cache":"miss""#)
    private static let skipped = answer(#""status":"skipped""#)

    private func run(_ daemon: ScriptedDaemon, _ words: String..., environment: [String: String]? = nil) -> Run {
        Run(words, in: directory, socket: daemon.path, environment: environment ?? self.environment)
    }

    private func daemon(_ answer: String, _ next: String? = nil) throws -> ScriptedDaemon {
        try ScriptedDaemon(at: directory.file("socket"), [.search: answer]) { method, answers in
            if method == .search, let next { answers[.search] = next }
        }
    }

    private func missed() -> [String] {
        (directory.contents(of: "searchctl/missed") ?? "").split(separator: "\n").map(String.init)
    }

    @Test func `each hit says how long ago it was fetched, for people and for programs`() throws {
        let daemon = try daemon(Self.skipped)
        let text = run(daemon, "search", "--offline", "--plain", "고양이")
        #expect(text.output.contains("fetched 2 h ago"))
        #expect(text.output.contains("days ago"))
        let lines = run(daemon, "search", "--offline", "--json", "고양이").lines
        #expect(lines[0].hasSuffix(#""age":7200}"#))
        #expect(lines[1].contains(#""age":"#))
    }

    @Test func `what could not be asked is remembered once, and asked again in the background`() throws {
        let offline = try daemon(Self.skipped)
        let text = run(offline, "search", "--offline", "--plain", "-s", "a.b,e.f", "고양이")
        #expect(text.errors.contains("again --missed"))
        _ = run(offline, "search", "--offline", "-s", "a.b,e.f", "고양이")
        _ = run(offline, "search", "--offline", "강아지")
        _ = run(offline, "search", "--offline", "--private", "비밀")
        #expect(missed() == [#"["--source=a.b,e.f","--","고양이"]"#, #"["--","강아지"]"#], "\(missed())")
        let online = try ScriptedDaemon(at: directory.file("online"), [.search: Self.ok])
        let again = run(online, "again", "--missed", "--plain")
        #expect(again.status == .found)
        #expect(again.output.contains("고양이\n") && again.output.contains("강아지\n"))
        #expect(online.params(of: .search).count == 2)
        #expect(online.params(of: .search).allSatisfy { $0.contains(#""priority":"background""#) })
        #expect(online.params(of: .search).allSatisfy { !$0.contains("offline") })
        #expect(missed() == [])
        #expect(run(online, "again", "--missed").status == .nothingFound)
    }

    @Test func `a search that meets no network is missed, and stays so until there is one`() throws {
        let failure = #"!{"code":-32005,"message":"no network","data":{"kind":"unavailable","offline":true}}"#
        let daemon = try daemon(failure, Self.skipped)
        let text = run(daemon, "search", "--plain", "고양이")
        #expect(text.status == .found)
        #expect(missed().count == 1)
        let again = try ScriptedDaemon(at: directory.file("again"), [.search: failure])
        #expect(run(again, "again", "--missed").status != .found)
        #expect(missed().count == 1)
    }

    @Test(arguments: [
        #""status":"failed","error":{"code":-32005,"message":"answered 503","data":{"kind":"unavailable"}}"#,
        #""status":"skipped","reason":"suspended""#, #""status":"skipped""#,
        #""status":"late","error":{"code":-32007,"message":"late","data":{"kind":"timeout"}}"#,
    ])
    func `what is asked again and not answered by all stays missed, whatever was found`(_ status: String) throws {
        _ = run(try daemon(Self.skipped), "search", "--offline", "고양이")
        let daemon = try ScriptedDaemon(at: directory.file("again"), [.search: Self.answer(status)])
        let again = run(daemon, "again", "--missed", "--plain")
        #expect(again.status == .tryLater && again.output.contains("하나"))
        #expect(again.errors.contains("1 search is still incomplete"), "\(again.errors)")
        #expect(missed().count == 1)
        #expect(run(daemon, "again", "--missed", "--offline").status == .usage)
    }

    @Test(arguments: [
        #""status":"failed","error":{"code":-32002,"message":"refused","data":{"kind":"unauthorized"}}"#,
        #""status":"skipped","reason":"tooShort""#,
    ])
    func `what no second try would change is asked once`(_ status: String) throws {
        _ = run(try daemon(Self.skipped), "search", "--offline", "고양이")
        let daemon = try ScriptedDaemon(at: directory.file("again"), [.search: Self.answer(status)])
        #expect(run(daemon, "again", "--missed").status == .found)
        #expect(missed() == [])
    }

    @Test func `a search for which no source could be connected to is missed, one that was refused is not`() throws {
        let refused = try daemon(ScriptedDaemon.failure("unauthorized", "refused"))
        _ = run(refused, "search", "강아지")
        #expect(missed() == [])
        let unreachable = try ScriptedDaemon(
            at: directory.file("none"),
            [.search: ScriptedDaemon.failure("unavailable", "no connection", code: -32005)]
        )
        let text = run(unreachable, "search", "--plain", "고양이")
        #expect(text.status == .tryLater && text.errors.contains("again --missed"))
        #expect(missed().count == 1)
        _ = run(unreachable, "search", "--private", "비밀")
        #expect(run(unreachable, "again", "--missed").status == .tryLater)
        #expect(missed().count == 1)
    }

    @Test func `what everything answered is not missed`() throws {
        _ = run(try daemon(Self.ok), "search", "--offline", "고양이")
        #expect(missed() == [])
    }

    @Test func `clearing the history forgets what this program keeps of it`() throws {
        let daemon = try ScriptedDaemon(
            at: directory.file("socket"),
            [.search: Self.skipped, .historyClear: #"{"removed":1}"#]
        )
        _ = run(daemon, "search", "--offline", "고양이  사료")
        _ = run(daemon, "search", "--offline", "강아지")
        #expect(missed().count == 2)
        _ = run(daemon, "history", "clear", "고양이 사료")
        #expect(missed().count == 1)
        #expect(directory.contents(of: "searchctl/last") != nil)
        _ = run(daemon, "history", "clear")
        #expect(missed().isEmpty)
        #expect(directory.contents(of: "searchctl/last") == nil)
    }
}
