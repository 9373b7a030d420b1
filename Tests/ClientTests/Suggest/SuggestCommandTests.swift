import JSON
import RPC
import TestSupport
import Testing

@testable import Client

@Suite struct SuggestCommandTests {
    private let directory = TemporaryDirectory()

    private static let suggestions = [
        #"{"text":"고양이 사료","kind":"history","count":1200,"at":"2024-03-09T02:51:51.120Z"}"#,
        #"{"text":"고래\u001b[2J","kind":"title","count":1,"at":"2024-03-09T02:51:51Z"}"#,
        #"{"text":"고요","kind":"saved","count":1,"at":"2024-03-09T02:51:51Z"}"#,
    ]

    private func daemon(_ suggestions: [String] = suggestions) throws -> ScriptedDaemon {
        try ScriptedDaemon(
            at: directory.file("socket"),
            [.suggest: #"{"suggestions":[\#(suggestions.joined(separator: ","))]}"#]
        )
    }

    @Test func `suggestions are texts for programs, and say to people where they come from`() throws {
        let daemon = try daemon()
        let piped = Run("suggest", "고", in: directory, socket: daemon.path)
        #expect(piped.status == .found && piped.errors.isEmpty)
        #expect(piped.lines[0] == "고양이 사료" && piped.lines[2] == "고요")
        #expect(!piped.output.contains("\u{1B}"))
        let read = Run(
            "suggest",
            "고",
            in: directory,
            socket: daemon.path,
            isTerminal: true,
            environment: ["NO_COLOR": "1"]
        )
        #expect(read.lines[0].hasPrefix("고양이 사료  (searched 1,200 times, "))
        #expect(read.lines[1].contains("(seen, ") && read.lines[2].contains("(saved, "))
        #expect(!read.output.contains("\u{1B}"))
        #expect(Run("suggest", "--json", "고", in: directory, socket: daemon.path).lines == Self.suggestions)
    }

    @Test(arguments: [
        (["ㄱㅇㅇ"], #"{"prefix":"ㄱㅇㅇ"}"#), (["고양이", "사"], #"{"prefix":"고양이 사"}"#), ([""], #"{"prefix":""}"#),
        (["-n", "3", "go "], #"{"prefix":"go ","limit":3}"#),
    ])
    func `prefix and number are passed on`(_ words: [String], _ params: String) throws {
        let daemon = try daemon([])
        #expect(Run(["suggest"] + words, in: directory, socket: daemon.path).status == .nothingFound)
        #expect(daemon.params(of: .suggest) == [params])
    }

    @Test func `a prefix is needed, and the daemon's refusal is said of it`() throws {
        #expect(Run("suggest", in: directory).status == .usage)
        #expect(Run("suggest", "-n", "1001", "x", in: directory).status == .usage)
        let daemon = try ScriptedDaemon(
            at: directory.file("socket"),
            [
                .suggest:
                    #"!{"code":-32602,"message":"params.prefix: \"prefix\" is not at most 1024 bytes long","data":{"kind":"invalidParams"}}"#
            ]
        )
        let run = Run("suggest", "x", in: directory, socket: daemon.path)
        #expect(run.status == .usage && run.errors.contains("it is not at most 1024 bytes long"))
    }
}
