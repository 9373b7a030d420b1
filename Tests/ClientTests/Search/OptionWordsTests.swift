import RPC
import SearchModel
import Testing

@testable import Client

struct OptionWordsTests {
    private func translated(_ message: String, _ line: String = "") throws -> ClientError {
        let words = ["search", "x"] + line.split(separator: " ").map(String.init)
        guard case .run(_, let arguments) = try CommandLineParser.parse(words, commands: CommandTable.commands) else {
            throw ClientError(.usage, "not a command")
        }
        let error = ClientError(.init(.invalidParams), message, hint: "the daemon's")
        return OptionWords.translate(error, OptionWords.names(of: arguments))
    }

    @Test(arguments: [
        (
            "params.query: the query is empty, or longer than 1024 bytes",
            "the query is empty, or longer than 1024 bytes"
        ),
        ("params.kinds[0]: that is no kind", "--kind: that is no kind"),
        ("params.sources: \"sources\" is not a list of names", "--source: it is not a list of names"),
        ("params.maxAge: \"maxAge\" is not a number", "--max-age: it is not a number"),
        ("params.options.naver.image: that source is not asked", "--option naver.image: that source is not asked"),
        ("params.options.a.b.c: not one of 1, 2", "--option a.b.c: not one of 1, 2"),
        ("params.private: no", "--private: no"),
        ("params.new: as it is", "params.new: as it is"), ("no params. at all", "no params. at all"),
        ("params.", "params."),
    ])
    func `what is said of a parameter is said of its option`(message: String, said: String) throws {
        let error = try translated(message)
        #expect(error.message == said)
        #expect(error.hint == "the daemon's")
        #expect(error.code == .init(.invalidParams))
    }

    @Test func `a hint that says the same as the message is left out`() throws {
        let message = #"params.query: "query" is not 1 to 9 bytes of words"#
        let error = ClientError(.init(.invalidParams), message, hint: "Give 1 to 9 bytes of words.")
        let said = OptionWords.translate(error, [(.query, "--query")])
        #expect(said.message == "--query: it is not 1 to 9 bytes of words" && said.hint == nil)
    }

    @Test func `an offset is the page that it came from, and what to do can be done on a command line`() throws {
        let message = "params.offset: a list that is put together here can be entered at 5000 at most"
        let offset = try translated(message, "--offset 5001")
        #expect(offset.message == "--offset: a list that is put together here can be entered at 5000 at most")
        #expect(offset.hint?.contains("--all") == true)
        #expect(try translated(message, "--page 600").message.hasPrefix("--page 600: a list"))
    }
}
