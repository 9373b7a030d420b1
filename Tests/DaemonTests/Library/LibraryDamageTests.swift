import Glibc
import JSON
import RPC
import TestSupport
import Testing

@testable import Daemon

@Suite struct LibraryDamageTests {
    private static let save = #"{"hit":{"id":"a.b:1","source":"a.b","kind":"book","title":"고양이"}}"#

    private static func personal(_ client: TestClient) throws -> JSONValue? {
        try #require(try client.call("server/stats")["result"])["personal"]
    }

    @Test func `“server/stats” names a damaged file to its user until the file is removed`() async throws {
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
        try await withProgram(["--state", state.path]) { program in
            let client = try program.connect()
            #expect(try Self.personal(client)?["damaged"]?[0]?["file"] == .string(aside))
        }
        Files.remove(aside)
        try await withProgram(["--state", state.path]) { program in
            let client = try program.connect()
            #expect(try Self.personal(client)?["damaged"] == [])
        }
    }

    @Test func `a damaged file is replaced by its backup, and “server/stats” names both files`() async throws {
        let state = TemporaryDirectory()
        let file = state.file("personal/\(getuid()).sqlite")
        try await withProgram(["--state", state.path]) { program in
            let client = try program.connect()
            let items = (0..<200).map { LibraryMethodTests.hit("\($0)", title: "고양이") }
            _ = try LibraryMethodTests.result(client, .librarySave, ["items": .array(items)])
            let copy = try LibraryMethodTests.result(client, .libraryBackup, [:])
            #expect(copy["items"] == 200 && copy["at"] != nil)
            let listed = try #require(try Self.personal(client)?["copies"]?.array)
            #expect(listed.contains { $0["items"] == 200 && $0["bytes"] == copy["bytes"] })
            program.searchd.signal(SIGTERM)
            _ = try program.searchd.waitForExit()
        }
        Files.write(Array(repeating: 0xAB, count: 4096) + Files.contents(of: file).dropFirst(4096), to: file)
        try await withProgram(["--state", state.path]) { program in
            let client = try program.connect()
            let list = try LibraryMethodTests.result(client, .libraryList, ["limit": 1000])
            #expect(list["items"]?.array?.count == 200)
            let damage = try #require(try Self.personal(client)?["damaged"]?[0])
            #expect(damage["copyAt"] != nil && damage["file"]?.string?.hasPrefix("\(file).damaged-") == true)
            let watch = try LibraryMethodTests.result(client, .libraryWatch, ["since": 1])
            #expect(watch["items"]?.array?.count == 200 && watch["revision"] == list["revision"])
        }
    }
}
