import RPC
import TestSupport
import Testing

@testable import Client

@Suite("What might have been meant")
struct DidYouMeanTests {
    @Test func `is a command to type, with the options of the search`() {
        #expect(DidYouMeanText.lines([], of: ["--", "x"]) == [])
        #expect(DidYouMeanText.lines(["안녕"], of: ["--", "dkssud"]) == ["Did you mean this? searchctl search 안녕"])
        #expect(
            DidYouMeanText.lines(["it's 고양이", "-x"], of: ["--source=kakao.*", "--fresh", "--", "x"]) == [
                "Did you mean one of these?", #"  searchctl search --source='kakao.*' --fresh 'it'\''s 고양이'"#,
                "  searchctl search --source='kakao.*' --fresh -- -x",
            ]
        )
        #expect(DidYouMeanText.lines(["a", "b", "c", "d"], of: ["--", "x"]).count == 4)
        #expect(DidYouMeanText.lines(["a\u{1B}[2J$(x)"], of: ["--", "x"])[0].hasSuffix(#"search 'a\u{1b}[2J$(x)'"#))
    }

    @Test func `is said below a search that found nothing, to people only`() throws {
        let directory = TemporaryDirectory()
        let daemon = try ScriptedDaemon(
            at: directory.file("socket"),
            [
                .search:
                    #"{"query":"dkssud","sort":"relevance","hits":[],"sources":[],"next":null,"complete":true,"didYouMean":["안녕"]}"#
            ]
        )
        let text = Run("search", "--plain", "dkssud", in: directory, socket: daemon.path)
        #expect(text.status == .nothingFound && text.output.isEmpty)
        #expect(text.errors.contains("Did you mean this? searchctl search --plain 안녕\n"))
        #expect(Run("search", "--json", "dkssud", in: directory, socket: daemon.path).errors.isEmpty)
        #expect(!Run("search", "--plain", "-q", "dkssud", in: directory, socket: daemon.path).errors.contains("mean"))
    }

    @Test func `of an unfinished query, what was searched instead is said below its hits, to people only`() throws {
        let directory = TemporaryDirectory()
        let daemon = try ScriptedDaemon(
            at: directory.file("socket"),
            [
                .search:
                    #"{"query":"고양ㅇ","completedQuery":"고양이","sort":"relevance","hits":[{"id":"a.b:1","source":"a.b","#
                    + #""kind":"web","title":"고양이"}],"sources":[{"source":"a.b","status":"skipped","cache":"hit","#
                    + #""reason":"unfinished"}],"next":null,"complete":false}"#
            ]
        )
        let line = "Showing hits for “고양이”: the last syllable of “고양ㅇ” is unfinished.\n"
        let text = Run("search", "--plain", "고양ㅇ", in: directory, socket: daemon.path)
        #expect(text.status == .found && text.errors.hasSuffix(line) && !text.errors.contains("not asked"))
        #expect(!Run("search", "--json", "고양ㅇ", in: directory, socket: daemon.path).errors.contains("Showing"))
        #expect(!Run("search", "--plain", "-q", "고양ㅇ", in: directory, socket: daemon.path).errors.contains("Showing"))
    }
}
