import Glibc
import JSON
import TestSupport
import Testing

@Suite struct StateClaimTests {
    private static func withState(_ body: (ProgramFixture, _ state: String) async throws -> Void) async throws {
        let state = TemporaryDirectory()
        try await withProgram(["--state", state.path]) { try await body($0, state.path) }
    }

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

    @Test func `if a state directory is in use, a second daemon fails, and names the directory`() async throws {
        try await Self.withState { program, state in
            let second = try Self.second(program, state)
            let told = try second.readyText()
            #expect(try second.waitForExit() == 69)
            for text in [told, second.errors] {
                #expect(text.contains(state))
                #expect(text.contains("searchd's options --state and --cache"))
            }
            #expect(!program.directory.isSocket("t"))
            let client = try program.connect()
            #expect(try client.call("library/save", Self.save)["result"]?["added"] == 1)
        }
    }

    @Test func `if --state or --cache names a file, the daemon does not start`() throws {
        let directory = TemporaryDirectory()
        directory.write("", to: "file")
        for option in ["--state", "--cache"] {
            let daemon = try Searchd(
                ["--socket", directory.file("t"), option, directory.file("file"), "--ready-fd", "3"],
                in: directory
            )
            let told = try daemon.readyText()
            #expect(told.contains(directory.file("file")))
            #expect(try daemon.waitForExit() == 69)
            #expect(!directory.isSocket("t"))
        }
    }
}
