import Glibc
import JSON
import TestSupport
import Testing

/// Two daemons and one state directory.
@Suite struct StateClaimTests {
    private static func withState(_ body: (ProgramFixture, _ state: String) async throws -> Void) async throws {
        let state = TemporaryDirectory()
        try await withProgram(["--state", state.path]) { try await body($0, state.path) }
    }

    /// Another daemon in the same directory, on a socket of its own.
    private static func second(_ program: ProgramFixture, _ state: String) throws -> Searchd {
        let directory = program.directory
        return try Searchd(
            ["--socket", directory.file("t"), "--config", directory.file("config.json5"), "--state", state]
                + ["--ready-fd", "3"],
            in: directory
        )
    }

    private static let save =
        #"{"hit":{"id":"a.b:1","source":"a.b","kind":"book","title":"고양이"}}"#

    @Test func `the second does not start, and says who has it and what to do`() async throws {
        try await Self.withState { program, state in
            let second = try Self.second(program, state)
            let told = try second.readyText()
            #expect(try second.waitForExit() == 69)
            for text in [told, second.errors] {
                #expect(text.contains("another searchd (process \(program.searchd.pid)) works in \(state)"))
                #expect(text.contains("--state"))
            }
            #expect(!program.directory.isSocket("t"))
            let client = try program.connect()
            #expect(try client.call("library/save", Self.save)["result"]?["added"] == 1)
        }
    }

    @Test func `a state directory that can't be written stops no searches`() async throws {
        let state = TemporaryDirectory()
        state.write("", to: "file")
        try await withProgram(["--state", state.file("file")]) { program in
            let client = try program.connect()
            // A source without a quota, which could not be counted.
            let answer = try client.call("search", #"{"query":"고양이","sources":["wikipedia.ko"]}"#)
            #expect(answer["result"] != nil, "\(answer)")
            let error = try client.call("library/save", Self.save)
            #expect(error.errorKind == "unavailable" && error.hint?.contains("--state") == true, "\(error)")
        }
    }
}
