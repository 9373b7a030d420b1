import Glibc
import JSON
import RPC
import TestSupport
import Testing

@testable import Daemon

/// A user's file that is damaged, or can't be used.
@Suite struct LibraryDamageTests {
    private static let save = #"{"hit":{"id":"a.b:1","source":"a.b","kind":"book","title":"고양이"}}"#

    private static func personal(_ client: TestClient) throws -> JSONValue? {
        try #require(try client.call("server/stats")["result"])["personal"]
    }

    @Test func `damage is told in the figures of its user, until the file is removed`() async throws {
        let state = TemporaryDirectory()
        let file = state.file("personal/\(getuid()).sqlite")
        _ = state.makeDirectory("personal")
        Files.write(Array(repeating: 0x41, count: 10_000), to: file)
        var aside = ""
        try await withProgram(["--state", state.path]) { program in
            let client = try program.connect()
            let damage = try #require(try Self.personal(client)?["damaged"]?[0])
            aside = try #require(damage["file"]?.string)
            #expect(aside.hasPrefix("\(file).damaged-") && Files.size(of: aside) == 10_000 && damage["at"] != nil)
            #expect(try client.call("library/save", Self.save)["result"]?["added"] == 1)
        }
        // Another daemon tells it, too.
        try await withProgram(["--state", state.path]) { program in
            let client = try program.connect()
            #expect(try Self.personal(client)?["damaged"]?[0]?["file"] == .string(aside))
        }
        Files.remove(aside)
        try await withProgram(["--state", state.path]) { program in
            let client = try program.connect()
            #expect(try Self.personal(client) == ["damaged": []])
        }
    }

    @Test func `damage that is found while the daemon runs is told at once`() async throws {
        let state = TemporaryDirectory()
        let file = state.file("personal/\(getuid()).sqlite")
        try await withProgram(["--state", state.path]) { program in
            let items = (0..<200).map { LibraryMethodTests.hit("\($0)", title: String(repeating: "고양이", count: 50)) }
            _ = try LibraryMethodTests.result(program.connect(), .librarySave, ["items": .array(items)])
            program.searchd.signal(SIGTERM)
            _ = try program.searchd.waitForExit()
        }
        var bytes = Files.contents(of: file)
        let middle = bytes.count / 2 / 4096 * 4096
        bytes.replaceSubrange(middle..<middle + 8192, with: repeatElement(0xAB, count: 8192))
        Files.write(bytes, to: file)
        try await withProgram(["--state", state.path]) { program in
            let client = try program.connect()
            let follower = try program.connect()
            _ = try LibraryMethodTests.result(follower, .libraryWatch, ["since": 1])
            _ = try Self.personal(client)
            let list = try LibraryMethodTests.result(client, .libraryList, ["limit": 1000])
            #expect((list["items"]?.array?.count).map { $0 > 50 } == true)
            try await eventually("the damage in the figures") {
                try Self.personal(client)?["damaged"]?.array?.count == 1
            }
            // What it knows of may be gone.
            let notice = try follower.message()
            #expect(notice["params"]?["reset"] == true && notice["params"]?["revision"] == list["revision"])
        }
    }
}
